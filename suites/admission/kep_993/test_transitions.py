"""ADM: the seven transitions that KEP-993's test plan demands (seed 000, lines 270-276; SC-200…206)."""

from kueue_conformance import always, cross, never, pairwise, rows, scenario, within

FORMS = ("workload", "job")
ORDERS = ("first-answers-first", "last-answers-first", "middle-answers-last")
NEW, OLD = "v1beta2", "v1beta1"
ANSWERS = (
    pairwise(checks=(1, 2, 3), order=ORDERS[:2], form=FORMS, version=(NEW,))
    .without(checks=1, order=ORDERS[1])
    .besides(
        rows(
            "checks order form version",
            (1, ORDERS[0], "job", OLD),
            (2, ORDERS[1], "workload", OLD),
            *((3, ORDERS[2], form, NEW) for form in FORMS),
        )
    )
)
PLACES = rows(
    "checks place form version",
    (1, 1, "workload", NEW),
    (2, 1, "job", NEW),
    (2, 2, "workload", NEW),
    (3, 1, "workload", NEW),
    (3, 2, "job", NEW),
    *((3, 3, form, NEW) for form in FORMS),
    (1, 1, "job", OLD),
    (2, 2, "job", OLD),
)
"""Every place of every number of checks; every place, and every number, with both forms."""


def in_order(checks, order):
    first, *other_checks = checks
    return {ORDERS[0]: checks, ORDERS[1]: checks[::-1], ORDERS[2]: (first, *other_checks[::-1])}[order]


@scenario(
    "ADM-200",
    "a Workload that fits becomes Prechecked, with its checks listed",
    requirement="kep-993#suspended-to-prechecked",
    shows="SC-200 SC-001 SC-020 AC-280 AC-283",
    clauses={
        "a": "quota is reserved",
        "b": "every check is listed",
        "c": "no check has a verdict",
        "d": "they are all that is left to wait for",
    },
    revision=2,
    cases=cross(checks=(1, 2, 3), form=FORMS, version=(NEW,))
    .besides(rows("checks form version", (2, "workload", OLD), (1, "job", OLD)))
    .also_drawn(checks=3, version=NEW),
)
def test_fitting_workload_is_prechecked(make_queue, checks, form, version):
    queue = make_queue(checks=checks)

    workload = queue.submit(form)

    within("reserve", workload.is_prechecked, clause="a")
    within("settle", lambda: workload.lists_checks(*queue.checks), clause="b")
    always(lambda: workload.has_states("Pending"), clause="c")
    [check.answer(workload, "Ready") for check in queue.checks]
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-201",
    "a Prechecked Workload is Admitted when every check has passed, and not before",
    requirement="kep-993#prechecked-to-admitted",
    shows="SC-201 SC-005 SC-021 AC-285",
    clauses={"a": "it waits for the last answer", "b": "the last answer admits it"},
    cases=ANSWERS.also_drawn(checks=2, version=NEW),
    revision=2,
)
def test_passed_checks_admit(make_queue, checks, order, form, version):
    queue = make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    *earlier, last = in_order(queue.checks, order)

    [check.answer(workload, "Ready") for check in earlier]
    always(workload.is_prechecked, clause="a")
    last.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-202",
    "a Prechecked Workload goes back to Suspended when the quota no longer covers it",
    requirement="kep-993#prechecked-to-suspended-quota",
    shows="SC-202 AC-449 AC-474 AC-476",
    only=("kep993",),
    clauses={
        "a": "quota is reserved",
        "b": "the reservation is released",
        "c": "no verdict is left",
        "d": "it is not admitted",
    },
    cases=ANSWERS,
    revision=2,
)
def test_quota_change_suspends(make_queue, checks, order, form, version):
    queue = make_queue(checks=checks, cpu="1")
    workload = queue.submit(form, cpu="1")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    *earlier, _ = in_order(queue.checks, order)
    [check.answer(workload, "Ready") for check in earlier]
    always(workload.is_prechecked, clause="a")

    queue.set_quota("500m")

    within("evict", workload.is_suspended, clause="b")
    within("settle", workload.has_no_verdicts, clause="c")
    always(workload.is_suspended, clause="d")


@scenario(
    "ADM-581",
    "of several reservations only as many are released as the quota no longer covers",
    requirement="kep-993#prechecked-to-suspended-quota",
    shows="AC-474 AC-476",
    only=("kep993",),
    level="should",
    clauses={"a": "one of them is released", "b": "the other keeps its reservation and its verdict"},
)
def test_as_little_as_needed_goes_back(kueue_cluster):
    early, late = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue([early, late], cpu="2")
    first, second = (queue.submit_until("prechecked", cpu="1") for _ in range(2))
    for workload in (first, second):
        early.answer(workload, "Ready")
        within("settle", lambda workload=workload: workload.has_states("Ready", early))

    queue.set_quota("1")

    within("evict", lambda: first.is_suspended() or second.is_suspended(), clause="a")
    suspended = second if first.is_suspended() else first
    always(suspended.is_prechecked, clause="b")
    always(lambda: suspended.has_states("Ready", early), clause="b")


@scenario(
    "ADM-207",
    "a release leaves a reservation alone when quota shrinks, and admits it when the checks pass",
    requirement="kep-993#best-effort-decisions",
    shows="SC-202 D-04 AC-285",
    since="0.6",
    clauses={"a": "it stays Prechecked", "b": "it is admitted all the same"},
    cases=ANSWERS,
    revision=2,
)
def test_quota_change_is_not_looked_at(make_queue, checks, order, form, version):
    queue = make_queue(checks=checks, cpu="1")
    workload = queue.submit(form, cpu="1")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    queue.set_quota("500m")
    always(workload.is_prechecked, clause="a")
    [check.answer(workload, "Ready") for check in in_order(queue.checks, order)]

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-203",
    "a Workload whose assigned flavor was removed from its queue is not admitted when its checks pass",
    requirement="kep-993#prechecked-to-suspended-flavors",
    shows="SC-203 AC-474 AC-475",
    only=("kep993",),
    revision=2,
    clauses={
        "a": "the reservation is released",
        "b": "the removed flavor is never used",
        "c": "it is admitted on the flavor that exists",
    },
    cases=ANSWERS,
)
def test_flavor_change_suspends(kueue_cluster, checks, order, form, version):
    queue = kueue_cluster.make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    *earlier, last = in_order(queue.checks, order)
    [check.answer(workload, "Ready") for check in earlier]
    other = kueue_cluster.make_flavor()

    queue.set_flavors(other)
    last.answer_if_listed(workload, "Ready")

    within("evict", workload.was_released, clause="a")
    within("reserve", lambda: workload.has_flavor(other) and workload.lists_checks(*queue.checks), clause="c")
    never(lambda: workload.was_admitted_on(*queue.flavors), clause="b")
    [check.answer(workload, "Ready") for check in queue.checks]
    within("admit", lambda: workload.is_admitted() and workload.has_flavor(other), clause="c")
    never(lambda: workload.was_admitted_on(*queue.flavors), clause="b")


@scenario(
    "ADM-208",
    "a release never reassigns the flavors of a reservation",
    requirement="kep-993#best-effort-decisions",
    shows="SC-203 D-04 C-03",
    since="0.6",
    clauses={"a": "the reservation is kept", "b": "it is admitted on the flavor it was given"},
    cases=ANSWERS,
    revision=2,
)
def test_flavor_change_is_not_looked_at(kueue_cluster, checks, order, form, version):
    queue = kueue_cluster.make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    queue.set_flavors(kueue_cluster.make_flavor())
    always(lambda: workload.has_flavor(*queue.flavors), clause="a")
    for check in in_order(queue.checks, order):
        check.answer_if_listed(workload, "Ready")
        always(lambda: workload.has_flavor(*queue.flavors), clause="a")
    workload.touch()

    within("admit", lambda: workload.is_admitted() and workload.has_flavor(*queue.flavors), clause="b")


@scenario(
    "ADM-209",
    "the last Ready does not admit a Workload that the queue no longer covers",
    requirement="kep-993#final-recheck",
    shows="SC-202 AC-449 AC-474",
    only=("kep993",),
    clauses={"a": "it is not admitted, whatever its checks say"},
    cases=ANSWERS,
    revision=2,
)
def test_quota_is_looked_at_before_admission(make_queue, checks, order, form, version):
    queue = make_queue(checks=checks, cpu="1")
    workload = queue.submit(form, cpu="1")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    *earlier, last = in_order(queue.checks, order)
    [check.answer(workload, "Ready") for check in earlier]

    queue.set_quota("500m")
    last.answer_if_listed(workload, "Ready")

    never(lambda: workload.was_ever("Admitted"), clause="a")


@scenario(
    "ADM-204",
    "one Retry verdict returns a Prechecked Workload to Suspended",
    requirement="kep-993#prechecked-to-suspended-retry",
    shows="SC-204 SC-040 SC-048 AC-287 AC-289 AC-450 D-05",
    clauses={
        "a": "it is evicted because of the check",
        "b": "its quota is released",
        "c": "it is never admitted meanwhile",
        "d": "it is not deactivated",
    },
    cases=PLACES,
    revision=2,
)
def test_retry_suspends(make_queue, checks, place, form, version):
    queue = make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    queue.checks[place - 1].answer(workload, "Retry")

    within("evict", workload.was_evicted_by_a_check, clause="a")
    within("evict", workload.was_released, clause="b")
    always(lambda: workload.was_ever("Admitted").negate(), clause="c")
    always(lambda: workload.is_rejected().negate(), clause="d")


@scenario(
    "ADM-205",
    "one Rejected verdict is enough to reject a Prechecked Workload for good",
    requirement="kep-993#prechecked-to-rejected",
    shows="SC-205 SC-060 SC-071 AC-291 AC-293 AC-450 AC-483 D-08 D-10",
    clauses={
        "a": "it is rejected",
        "b": "its quota is released",
        "c": "it stays so",
        "d": "it is never admitted meanwhile",
    },
    cases=PLACES,
    revision=2,
)
def test_rejected_gives_up(make_queue, checks, place, form, version):
    queue = make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    queue.checks[place - 1].answer(workload, "Rejected")

    within("evict", workload.was_rejected_by_a_check, clause="a")
    within("evict", workload.is_rejected, clause="b")
    always(workload.is_rejected, clause="c")
    never(lambda: workload.was_ever("Admitted"), clause="d")


@scenario(
    "ADM-206",
    "without checks a Workload that fits is Admitted by the write that reserves its quota",
    requirement="kep-993#admitted-without-checks",
    shows="SC-206 AC-284 AC-477",
    clauses={"a": "it is admitted", "b": "by one write"},
    cases=cross(form=FORMS, version=(NEW, OLD)).also_drawn().also_beside_namesakes(),
)
def test_admitted_without_checks(make_queue, form, version):
    queue = make_queue(checks=0)

    workload = queue.submit(form)

    within("admit", workload.is_admitted, clause="a")
    within("settle", workload.was_admitted_in_one_write, clause="b")


@scenario(
    "ADM-335",
    "under the KEP each check is Pending again after its own delay, and the last one ends the wait",
    requirement="kep-993#retry-delay",
    shows="AC-451 AC-478 AC-479",
    only=("kep993",),
    needs=("virtual time",),
    cases=cross(longest=(1, 2, 3)),
    clauses={
        "a": "one whose delay is over is undecided, the others are not",
        "b": "no reservation before the last delay is over",
        "c": "it is tried again then",
    },
)
def test_delay_of_each_check(kueue_cluster, clock, longest):
    checks = [
        kueue_cluster.make_check(retry_delay_minutes=10 if position == longest else 5)
        for position in (1, 2, 3)
    ]
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit_until("prechecked")
    last = checks[longest - 1]
    other_checks = [check for check in checks if check is not last]
    workload.set_verdicts(dict.fromkeys(checks, "Retry"))
    within("evict", workload.was_released)

    clock.advance(5 * 60 - 10)
    always(lambda: workload.has_states("Retry", *checks) and workload.is_suspended(), clause="a")
    clock.advance(20)
    within("delay", lambda: workload.has_states("Pending", *other_checks), clause="a")
    clock.advance(5 * 60 - 30)
    always(lambda: workload.has_states("Retry", last) and workload.is_suspended(), clause="b")
    clock.advance(20)

    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="c")
    [check.answer(workload, "Ready") for check in checks]
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-336",
    "under the KEP a Workload is requeued at once after a delay of zero",
    requirement="kep-993#retry-delay",
    shows="AC-480",
    only=("kep993",),
    level="should",
    clauses={"a": "evicted", "b": "and reserved again"},
)
def test_no_delay(kueue_cluster):
    queue = kueue_cluster.make_queue([kueue_cluster.make_check(retry_delay_minutes=0)])
    workload = queue.submit_until("prechecked")

    queue.checks[0].answer(workload, "Retry")

    within("evict", workload.was_released, clause="a")
    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="b")


@scenario(
    "ADM-337",
    "under the KEP the check that requested a delay keeps its entry while it lasts, and the others are Pending",
    requirement="kep-993#retry-delay",
    shows="AC-481 AC-478",
    only=("kep993",),
    needs=("virtual time",),
    cases=cross(place=(1, 2, 3)),
    clauses={
        "a": "its entry stays as it was",
        "b": "the other checks are Pending",
        "c": "they have to pass again",
    },
)
def test_verdicts_during_a_delay(make_queue, clock, place):
    queue = make_queue(checks=3)
    workload = queue.submit_until("prechecked")
    asking = queue.checks[place - 1]
    other_checks = [check for check in queue.checks if check is not asking]
    workload.set_verdicts({check: "Retry" if check is asking else "Ready" for check in queue.checks})
    entry = workload.entry_of(asking)

    within(
        "evict", lambda: workload.was_released() and workload.has_states("Pending", *other_checks), clause="b"
    )
    clock.advance(14 * 60)
    always(lambda: workload.entry_of(asking) == entry, clause="a")
    always(lambda: workload.has_states("Pending", *other_checks) and workload.is_suspended(), clause="b")
    clock.advance(2 * 60)

    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"))
    asking.answer(workload, "Ready")
    always(workload.is_prechecked, clause="c")
    [check.answer(workload, "Ready") for check in other_checks]
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-338",
    "under the KEP a Workload that was not tried yet reports that no quota is reserved for it",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-452 D-02",
    only=("kep993",),
    cases=cross(form=FORMS),
    clauses={
        "a": "QuotaReserved is False while another one is in front of it",
        "b": "and True when it is reserved",
    },
)
def test_suspended_is_told(make_queue, clock, form):
    queue = make_queue(checks=1, cpu="1", queueingStrategy="StrictFIFO")
    in_front = queue.submit(form, cpu="2")
    within("settle", lambda: in_front.has_condition("QuotaReserved", "False"))
    clock.tick()

    workload = queue.submit(form, cpu="1")

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")
    queue.set_quota("5")
    within("reserve", workload.is_prechecked, clause="b")


@scenario(
    "ADM-339",
    "under the KEP a reservation that no longer fits is released without an eviction, and made again where there is quota",
    requirement=("kep-993#prechecked-to-suspended-quota", "kep-993#final-recheck"),
    shows="AC-474 AC-476",
    only=("kep993",),
    cases=cross(change=("quota", "cohort"), workloads=(1, 2)),
    clauses={
        "a": "the reservation that no longer fits is released, and no other",
        "b": "no eviction, no verdict is left",
        "c": "reserved again as soon as there is quota",
    },
)
def test_reservation_is_looked_at_again(kueue_cluster, change, workloads):
    flavor, cohort = kueue_cluster.make_flavor(), kueue_cluster.names.name("cohort")
    queue = kueue_cluster.make_queue(checks=1, flavors=[flavor], cpu="1", cohortName=cohort)
    lender = kueue_cluster.make_queue(checks=0, flavors=[flavor], cpu="5", cohortName=cohort)
    asking = [queue.submit_until("prechecked", cpu="2") for _ in range(workloads)]
    small = lender.submit(cpu="1")
    within("admit", small.is_admitted)
    end, begin_again = {
        "quota": (lambda: lender.set_quota("0"), lambda: lender.set_quota("9")),
        "cohort": (lambda: lender.try_to_change(cohortName=None), lambda: queue.set_quota("9")),
    }[change]

    end()

    for workload in asking:
        within("evict", workload.is_suspended, clause="a")
        within("settle", workload.has_no_verdicts, clause="b")
        always(
            lambda workload=workload: workload.was_ever("Evicted").negate() and workload.is_suspended(),
            clause="b",
        )
    always(small.is_admitted, clause="a")
    begin_again()
    for workload in asking:
        within(
            "reserve",
            lambda workload=workload: workload.is_prechecked() and workload.lists_checks(*queue.checks),
            clause="c",
        )
        queue.checks[0].answer(workload, "Ready")
        within("admit", workload.is_admitted, clause="c")
