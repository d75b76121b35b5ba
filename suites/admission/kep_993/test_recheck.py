"""ADM: quota is looked at again before anything is admitted (seed 000,
lines 229-238, 272-273; AC-447…449, AC-471…476, C-03).
"""

from kueue_conformance import always, cross, never, rows, scenario, within

AFTER = "AfterCheckPassedOrOnDemand"
LOWER = {"withinClusterQueue": "LowerPriority"}


def delayed_queue(kueue_cluster, cpu="1", **spec):
    """Return a queue in which more important Workloads preempt others once its check has passed."""
    return kueue_cluster.make_queue(
        [kueue_cluster.make_check(preemption_policy=AFTER)], cpu=cpu, **{"preemption": LOWER, **spec}
    )


def went_back(workload):
    """No quota, no verdict, and no eviction: it waits in its queue."""
    return (
        workload.is_suspended()
        and workload.has_no_verdicts()
        and workload.has_condition("QuotaReserved", "False")
        and workload.was_ever("Evicted").negate()
    )


@scenario(
    "ADM-540",
    "under the KEP no more victims are evicted than are needed when the preemptions are issued",
    requirement="kep-993#final-recheck",
    shows="AC-471",
    only=("kep993",),
    level="must",
    cases=rows("quota leave", ("3", 1), ("4", 0)),
    clauses={"a": "as many are evicted as are needed by then", "b": "the Workload is admitted"},
)
def test_fewer_victims_when_issued(kueue_cluster, quota, leave):
    queue = delayed_queue(kueue_cluster, cpu="2")
    running = queue.fill(2)
    workload = queue.submit_until("prechecked", cpu="2", priority=10)
    always(lambda: workload.is_waiting_for_preemptions(2))
    queue.set_quota(quota)
    within("settle", lambda: workload.is_waiting_for_preemptions(leave), clause="a")

    queue.admit(workload)

    gone = sum(bool(workload.was_ever("Evicted")) for workload in running)
    assert gone == leave, f"a: {gone} of 2 have left"
    always(workload.is_admitted, clause="b")


@scenario(
    "ADM-541",
    "under the KEP a Workload that may not be preempted any more is not evicted, and the reservation is released",
    requirement=("kep-993#final-recheck", "kep-993#reserved-is-victim"),
    shows="AC-471 AC-474",
    only=("kep993",),
    level="must",
    clauses={
        "a": "the victim runs on",
        "b": "the reservation is released without an eviction",
        "c": "it can be preempted again as soon as it may be",
    },
)
def test_victim_that_became_important(kueue_cluster):
    queue = delayed_queue(kueue_cluster)
    (victim,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    always(lambda: workload.is_waiting_for_preemptions(1))

    victim.set_priority(100)
    queue.checks[0].answer_if_listed(workload, "Ready")
    workload.touch()

    within("evict", lambda: went_back(workload), clause="b")
    never(lambda: victim.was_ever("Evicted"), clause="a")
    victim.set_priority(-10)
    queue.set_quota("1500m")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="c")


@scenario(
    "ADM-542",
    "under the KEP preemptions that are needed only now are planned for a reservation that stands",
    requirement="kep-993#final-recheck",
    shows="AC-449 AC-474 AC-476",
    only=("kep993",),
    level="must",
    cases=cross(passed=(False, True)),
    clauses={
        "a": "the reservation is kept",
        "b": "the victim is evicted when the check has passed",
        "c": "then the Workload is admitted",
    },
)
def test_newly_identified_preemptions(kueue_cluster, passed):
    queue = delayed_queue(kueue_cluster, cpu="2")
    (running,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    kueue_cluster.release.pods_are_held = True

    queue.set_quota("1")

    within("settle", lambda: workload.is_waiting_for_preemptions(1), clause="a")
    always(lambda: workload.is_prechecked() and running.is_admitted(), clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("evict", lambda: running.was_evicted_for("Preempted"), clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="c")
    kueue_cluster.release.pods_are_held = False
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-543",
    "under the KEP a reservation is released when not even preemptions make it fit any more",
    requirement=(
        "kep-993#final-recheck",
        "kep-993#prechecked-to-suspended-quota",
        "kep-993#prechecked-to-suspended-flavors",
    ),
    shows="AC-449 AC-474 AC-476 SC-202 SC-203",
    only=("kep993",),
    level="must",
    cases=rows("change", ("less quota",), ("another flavor",), ("the cohort is left",)),
    clauses={
        "a": "it is released without an eviction",
        "b": "its victim runs on",
        "c": "it is reserved again when there is room",
    },
)
def test_plan_that_is_impossible(kueue_cluster, change):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.make_flavor()
    lender = kueue_cluster.make_queue(flavors=[flavor], cpu="2", cohortName=cohort)
    queue = delayed_queue(
        kueue_cluster,
        cpu="2",
        flavors=[flavor],
        cohortName=cohort,
        preemption={**LOWER, "reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority"}},
    )
    (victim,) = queue.fill(cpu="4")
    workload = queue.submit_until("prechecked", cpu="4", priority=10)
    always(lambda: workload.is_waiting_for_preemptions(1))
    other = kueue_cluster.make_flavor()

    {
        "less quota": lambda: queue.set_quota("1"),
        "another flavor": lambda: queue.set_flavors(other, cpu="0"),
        "the cohort is left": lambda: lender.try_to_change(cohortName=None),
    }[change]()

    within("evict", lambda: went_back(workload), clause="a")
    always(lambda: went_back(workload), clause="a")
    always(victim.is_admitted, clause="b")
    queue.set_flavors(flavor, cpu="8")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="c")
    queue.admit(workload)


@scenario(
    "ADM-544",
    "under the KEP the last Ready does not admit a Workload that would not fit after its preemptions",
    requirement="kep-993#final-recheck",
    shows="AC-449 AC-471 AC-474",
    only=("kep993",),
    level="must",
    clauses={"a": "the victim runs on", "b": "no Workload is admitted"},
)
def test_last_answer_of_an_impossible_plan(kueue_cluster):
    queue = delayed_queue(kueue_cluster, cpu="2")
    (victim,) = queue.fill(cpu="2")
    workload = queue.submit_until("prechecked", cpu="2", priority=10)

    queue.set_quota("1")
    queue.checks[0].answer_if_listed(workload, "Ready")

    never(lambda: workload.was_ever("Admitted"), clause="b")
    never(lambda: victim.was_ever("Evicted"), clause="a")


@scenario(
    "ADM-545",
    "under the KEP a check's request for preemptions is forgotten with the reservation",
    requirement=("kep-993#preemption-clears-checks", "kep-993#preemption-time"),
    shows="AC-448 AC-467 AC-481 AC-482",
    only=("kep993",),
    level="must",
    cases=rows("loss", ("preempted",), ("sent back",)),
    clauses={
        "a": "the request is forgotten",
        "b": "for the next reservation no Workload is evicted before it is made again",
        "c": "but then the victim is evicted",
    },
)
def test_requests_are_forgotten(kueue_cluster, loss):
    checks = [kueue_cluster.make_check(preemption_policy=AFTER, retry_delay_minutes=0) for _ in range(2)]
    queue = kueue_cluster.make_queue(checks, cpu="2", preemption=LOWER)
    (victim,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    checks[0].request_preemption(workload)
    if loss == "preempted":
        high = queue.submit_until("admitted", cpu="2", priority=100)
        within("evict", lambda: workload.was_released() and victim.is_suspended())
        high.finish()
        within("reserve", lambda: victim.is_prechecked() and victim.has_states("Pending"))
        queue.admit(victim)
    else:
        checks[1].answer(workload, "Retry")
        within("evict", workload.was_released)
    within("reserve", lambda: workload.is_prechecked() and workload.has_states("Pending"))
    remaining = {"preempted": 1, "sent back": 0}[loss]
    reason = workload.entry_of(checks[0]).get("reason", "")
    assert not reason, f"a: {reason}"

    queue.set_quota("1")

    within("settle", lambda: workload.is_waiting_for_preemptions(1), clause="b")
    always(lambda: workload.is_waiting_for_preemptions(1) and victim.was_evicted_times(remaining), clause="b")
    checks[0].request_preemption(workload)
    within("evict", lambda: victim.was_evicted_times(remaining + 1), clause="c")


@scenario(
    "ADM-546",
    "under the KEP a reservation that lost its flavor is never admitted unchecked",
    requirement=(
        "kep-993#final-recheck",
        "kep-993#every-check-required",
        "kep-993#prechecked-to-suspended-flavors",
    ),
    shows="AC-449 AC-474 AC-350 C-03 SC-203",
    only=("kep993",),
    level="must",
    cases=cross(checks=(1, 2)),
    clauses={
        "a": "the reservation is released",
        "b": "it is asked about again",
        "c": "it is never admitted before all have passed",
    },
)
def test_lost_flavor_is_not_admitted_unchecked(kueue_cluster, checks):
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit_until("prechecked")
    other = kueue_cluster.make_flavor()

    queue.set_flavors(other)
    workload.touch()

    within("evict", workload.was_released, clause="a")
    within("reserve", lambda: workload.has_flavor(other) and workload.lists_checks(*queue.checks), clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="c")
    queue.admit(workload)


@scenario(
    "ADM-548",
    "under the KEP a plan to preempt is dropped with the flavor that it was made for",
    requirement=("kep-993#final-recheck", "kep-993#prechecked-to-suspended-flavors"),
    shows="AC-471 AC-474 AC-476",
    only=("kep993",),
    level="must",
    clauses={
        "a": "it gets quota in the flavor that is left",
        "b": "it is admitted there, and no Workload is evicted for it",
    },
)
def test_plan_for_a_lost_flavor(kueue_cluster):
    queue = delayed_queue(kueue_cluster)
    (running,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    always(lambda: workload.is_waiting_for_preemptions(1))
    other = kueue_cluster.make_flavor()

    queue.set_flavors(other)
    workload.touch()

    within(
        "reserve", lambda: workload.has_flavor(other) and workload.is_waiting_for_preemptions(0), clause="a"
    )
    queue.admit(workload)
    always(lambda: workload.is_admitted() and running.was_ever("Evicted").negate(), clause="b")


@scenario(
    "ADM-547",
    "v0.19 admits a Workload unchecked on a flavor that its queue has lost, or keeps asking",
    requirement="kep-993#best-effort-decisions",
    shows="C-03 AC-350 AC-492 D-04",
    since="0.7",
    level="may",
    cases=cross(checks=(1, 2)),
    clauses={
        "a": "it keeps the flavor, admitted or not",
        "b": "once its checks have passed, or are not listed any more, it is admitted",
    },
)
def test_lost_flavor_in_releases(kueue_cluster, checks):
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit_until("prechecked")

    queue.set_flavors(kueue_cluster.make_flavor())
    workload.touch()

    always(lambda: workload.has_flavor(*queue.flavors), clause="a")
    for check in queue.checks:
        check.answer_if_listed(workload, "Ready")
    workload.touch()
    within("admit", lambda: workload.is_admitted() and workload.has_flavor(*queue.flavors), clause="b")


@scenario(
    "ADM-584",
    "under the KEP a reservation is released when its cohorts come to form a cycle",
    requirement=("kep-993#final-recheck", "kep-79#cycles"),
    shows="AC-449 AC-474 Q-131",
    only=("kep993",),
    level="must",
    cases=cross(delayed=(False, True)),
    clauses={
        "a": "it is released without an eviction",
        "b": "it is reserved again when the cycle is removed, and its check is Pending",
    },
)
def test_circle_of_cohorts(kueue_cluster, delayed):
    check = kueue_cluster.make_check(preemption_policy=AFTER) if delayed else kueue_cluster.make_check()
    queues = kueue_cluster.make_topology("root { a { q 1 } }", checks={"": [check]})
    workload = queues["q"].submit_until("prechecked", cpu="1")

    queues.move_cohort("a", "a")
    workload.touch()

    within("evict", lambda: went_back(workload), clause="a")
    always(lambda: went_back(workload), clause="a")
    queues.move_cohort("a", "root")
    within("reserve", lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="b")
