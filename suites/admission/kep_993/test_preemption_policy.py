"""ADM: when the victims of a reservation are told to go (seed 000, lines 144-147, 166-180, 221-227, 242-245;
AC-442…446, AC-463…468, AC-488).
"""

from kueue_conformance import always, cross, never, rows, scenario, within

ANYTIME, AFTER, DEFAULT = "Anytime", "AfterCheckPassedOrOnDemand", None
LOWER = {"withinClusterQueue": "LowerPriority"}


def contested(kueue_cluster, *policies):
    """Return a queue with checks of these policies,
    the victim that fills it, and what has reserved its quota.
    """
    checks = [kueue_cluster.make_check(preemption_policy=policy) for policy in policies]
    queue = kueue_cluster.make_queue(checks, cpu="1", preemption=LOWER)
    (victim,) = queue.fill()
    return queue, victim, queue.submit_until("prechecked", cpu="1", priority=10)


@scenario(
    "ADM-520",
    "under the KEP preemptions are issued at once when every check has the policy Anytime, or none",
    requirement=("kep-993#preemption-policy", "kep-993#preemption-time"),
    shows="AC-442 AC-443 AC-460",
    only=("kep993",),
    level="must",
    cases=rows(
        "policies", ((DEFAULT,),), ((ANYTIME,),), ((DEFAULT, ANYTIME),), ((ANYTIME, ANYTIME, ANYTIME),)
    ),
    clauses={
        "a": "the victim is evicted, and no check has passed",
        "b": "no Workload is admitted before the checks have passed",
    },
)
def test_anytime_preempts_at_once(kueue_cluster, policies):
    queue, victim, workload = contested(kueue_cluster, *policies)

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="a")
    within("evict", victim.is_suspended, clause="a")
    always(lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="b")
    queue.admit(workload)


@scenario(
    "ADM-521",
    "under the KEP preemptions wait until every check has passed that delays them, and for no other",
    requirement=("kep-993#preemption-policy", "kep-993#preemption-time"),
    shows="AC-442 AC-443 AC-466",
    only=("kep993",),
    level="must",
    cases=rows(
        "policies passes last",
        ((AFTER,), (), 0),
        ((AFTER, DEFAULT), (), 0),
        ((ANYTIME, AFTER), (0,), 1),
        ((AFTER, AFTER), (0,), 1),
        ((AFTER, AFTER), (1,), 0),
        ((AFTER, ANYTIME, AFTER), (1, 2), 0),
    ),
    clauses={
        "a": "no Workload is evicted before",
        "b": "the victim is evicted when the last of them passes",
        "c": "admitted when the others have passed as well",
    },
)
def test_delaying_checks_have_to_pass(kueue_cluster, policies, passes, last):
    queue, victim, workload = contested(kueue_cluster, *policies)
    for position in passes:
        queue.checks[position].answer(workload, "Ready")
    never(lambda: victim.was_ever("Evicted"), clause="a")

    queue.checks[last].answer(workload, "Ready")

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")
    queue.admit(workload)
    always(workload.is_admitted, clause="c")


@scenario(
    "ADM-522",
    "under the KEP any undecided check can ask for the preemptions",
    requirement=("kep-993#preemption-policy", "kep-993#preemption-time"),
    shows="AC-443 AC-444 AC-464",
    only=("kep993",),
    level="must",
    cases=rows(
        "policies asks",
        ((AFTER,), 0),
        ((AFTER, ANYTIME), 1),
        ((AFTER, AFTER), 1),
        ((ANYTIME, AFTER, AFTER), 2),
    ),
    clauses={
        "a": "no Workload is evicted before",
        "b": "the victim is evicted",
        "c": "the checks still have to pass",
    },
)
def test_check_asks_for_preemption(kueue_cluster, policies, asks):
    queue, victim, workload = contested(kueue_cluster, *policies)
    never(lambda: victim.was_ever("Evicted"), clause="a")

    queue.checks[asks].request_preemption(workload)

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")
    within("evict", victim.is_suspended, clause="b")
    always(lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="c")
    queue.admit(workload)


@scenario(
    "ADM-523",
    "under the KEP BookQuotaRequired asks for the preemptions as PreemptionRequired does",
    requirement="kep-993#book-quota",
    shows="AC-445 AC-462",
    only=("kep993",),
    level="must",
    clauses={"a": "the victim is evicted", "b": "the check still has to pass"},
)
def test_older_name_of_the_request(kueue_cluster):
    queue, victim, workload = contested(kueue_cluster, AFTER)

    queue.checks[0].request_preemption(workload, "BookQuotaRequired")

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="a")
    always(workload.is_prechecked, clause="b")
    queue.admit(workload)


@scenario(
    "ADM-524",
    "under the KEP a request for preemptions counts while the check is undecided, and so do no other reasons",
    requirement=("kep-993#preemption-time", "kep-993#book-quota"),
    shows="AC-465 AC-485",
    only=("kep993",),
    level="must",
    cases=rows(
        "state reason",
        ("Ready", "PreemptionRequired"),
        ("Ready", "BookQuotaRequired"),
        ("Pending", "Retry"),
        ("Pending", "Reject"),
        ("Pending", "Whatever"),
        ("Ready", "Retry"),
        ("Ready", "Reject"),
    ),
    clauses={
        "a": "no Workload is evicted for it, and it keeps its reservation",
        "b": "admitted when both have passed",
    },
)
def test_reasons_that_ask_for_nothing(kueue_cluster, state, reason):
    queue, victim, workload = contested(kueue_cluster, AFTER, AFTER)

    queue.checks[0].answer_with_reason(workload, state, reason)

    never(lambda: victim.was_ever("Evicted"), clause="a")
    always(workload.is_prechecked, clause="a")
    queue.admit(workload)
    always(workload.is_admitted, clause="b")


@scenario(
    "ADM-525",
    "under the KEP no Workload is evicted for one that gets Retry or Rejected from a check",
    requirement=("kep-993#preemption-time", "kep-993#retry-or-reject"),
    shows="AC-450 AC-465 AC-484",
    only=("kep993",),
    level="must",
    cases=cross(verdict=("Retry", "Rejected"), reason=("", "PreemptionRequired", "Whatever")),
    clauses={"a": "it has no quota", "b": "the victim runs on"},
)
def test_nobody_leaves_for_the_refused(kueue_cluster, verdict, reason):
    queue, victim, workload = contested(kueue_cluster, AFTER, AFTER)

    queue.checks[0].answer_with_reason(workload, verdict, reason)

    within("evict", workload.is_suspended, clause="a")
    never(lambda: victim.was_ever("Evicted"), clause="b")
    always(workload.is_suspended, clause="a")


@scenario(
    "ADM-526",
    "under the KEP the current states of the checks count: one that is Pending again delays preemptions",
    requirement=("kep-993#preemption-time", "kep-993#best-effort-decisions"),
    shows="AC-467 AC-453",
    only=("kep993",),
    level="must",
    clauses={
        "a": "no Workload is evicted although each check has passed once",
        "b": "the victim is evicted when all have passed",
    },
)
def test_checks_count_as_they_are(kueue_cluster):
    queue, victim, workload = contested(kueue_cluster, AFTER, AFTER)
    first, second = queue.checks
    first.answer(workload, "Ready")
    always(workload.is_prechecked)
    first.answer(workload, "Pending")
    always(workload.is_prechecked)

    second.answer(workload, "Ready")

    never(lambda: victim.was_ever("Evicted"), clause="a")
    first.answer(workload, "Ready")
    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-527",
    "under the KEP preempted Workloads stay preempted when the request for preemptions is withdrawn",
    requirement="kep-993#preemption-time",
    shows="AC-467",
    only=("kep993",),
    level="must",
    clauses={"a": "the victim is evicted", "b": "the reservation stands"},
)
def test_withdrawn_request(kueue_cluster):
    queue, victim, workload = contested(kueue_cluster, AFTER)
    kueue_cluster.release.pods_are_held = True
    queue.checks[0].request_preemption(workload)
    within("evict", victim.is_evicted)

    queue.checks[0].answer_with_reason(workload, "Pending", "")

    always(lambda: victim.is_evicted() and workload.is_prechecked(), clause="b")
    kueue_cluster.release.pods_are_held = False
    within("settle", victim.is_suspended, clause="a")
    queue.admit(workload)


@scenario(
    "ADM-528",
    "under the KEP a request for preemptions that are not needed changes nothing, until they are",
    requirement=("kep-993#preemption-time", "kep-993#book-quota"),
    shows="AC-468 AC-449",
    only=("kep993",),
    level="must",
    clauses={"a": "no Workload is evicted", "b": "preemptions are planned when quota shrinks"},
)
def test_request_without_need(kueue_cluster):
    queue = kueue_cluster.make_queue(
        [kueue_cluster.make_check(preemption_policy=AFTER)], cpu="2", preemption=LOWER
    )
    (running,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)

    queue.checks[0].request_preemption(workload)

    never(lambda: running.was_ever("Evicted"), clause="a")
    always(lambda: workload.is_prechecked() and workload.is_waiting_for_preemptions(0), clause="a")
    queue.set_quota("1")
    within("evict", lambda: running.was_evicted_for("Preempted"), clause="b")
    queue.admit(workload)


@scenario(
    "ADM-529",
    "under the KEP the policy of a check is read when it is needed",
    requirement="kep-993#preemption-policy",
    shows="AC-488",
    only=("kep993",),
    level="must",
    clauses={
        "a": "no Workload is evicted while it delays",
        "b": "the victim is evicted when the policy no longer delays it",
    },
)
def test_policy_is_read_live(kueue_cluster):
    queue, victim, workload = contested(kueue_cluster, AFTER)
    never(lambda: victim.was_ever("Evicted"), clause="a")

    queue.checks[0].try_to_change(preemptionPolicy=ANYTIME)

    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")
    queue.admit(workload)


@scenario(
    "ADM-530",
    "under the KEP a check that cannot be used any more keeps its policy, and a policy that came later counts",
    requirement="kep-993#preemption-policy",
    shows="AC-488 AC-487",
    only=("kep993",),
    level="must",
    cases=rows("change", ("inactive",), ("added",), ("delays now",)),
    clauses={
        "a": "no Workload is evicted before the checks that delay have passed",
        "b": "the victim is evicted then",
    },
)
def test_policy_of_changed_checks(kueue_cluster, change):
    queue, victim, workload = contested(kueue_cluster, AFTER, AFTER)
    first, second = queue.checks
    if change == "added":
        third = kueue_cluster.make_check(preemption_policy=AFTER)
        queue.set_checks(first, second, third)
        within("settle", lambda: workload.lists_checks(first, second, third))
        second.answer(workload, "Ready")
        second = third
    elif change == "inactive":
        second.set_active(False)
        always(workload.is_prechecked)
    else:
        second.try_to_change(preemptionPolicy=ANYTIME)
        always(workload.is_prechecked)
        second.try_to_change(preemptionPolicy=AFTER)
        always(workload.is_prechecked)

    first.answer(workload, "Ready")

    never(lambda: victim.was_ever("Evicted"), clause="a")
    second.answer(workload, "Ready")
    within("evict", lambda: victim.was_evicted_for("Preempted"), clause="b")


@scenario(
    "ADM-531",
    "under the KEP the status shows which preemptions are delayed, and when they are issued",
    requirement="kep-993#preemption-time",
    shows="AC-489",
    only=("kep993",),
    level="should",
    cases=rows("policy delayed", (AFTER, 1), (ANYTIME, 0)),
    clauses={
        "a": "PreemptionsDelayed, once, where a check delays them",
        "b": "PreemptedWorkload when they are issued, and not before",
    },
)
def test_events_of_delayed_preemptions(kueue_cluster, policy, delayed):
    queue, victim, workload = contested(kueue_cluster, policy)
    events = kueue_cluster.events_of(workload)

    within("settle", lambda: events.has_events("PreemptionsDelayed", times=delayed), clause="a")
    within("settle", lambda: events.has_events("PreemptedWorkload", times=1 - delayed), clause="b")
    always(lambda: events.has_events("PreemptedWorkload", times=1 - delayed), clause="b")
    queue.admit(workload)
    always(victim.is_suspended)
    always(lambda: events.has_events("PreemptionsDelayed", times=delayed), clause="a")
    within("settle", lambda: events.has_events("PreemptedWorkload"), clause="b")
    always(lambda: events.has_events("PreemptedWorkload"), clause="b")


@scenario(
    "ADM-532",
    "under the KEP a reservation says how many preemptions it waits for",
    requirement="kep-993#preemption-time",
    shows="AC-489 AC-470",
    only=("kep993",),
    level="may",
    cases=cross(victims=(1, 3)),
    clauses={"a": "all of them at first", "b": "fewer with each that has left"},
)
def test_preemptions_are_counted(kueue_cluster, victims):
    checks = [kueue_cluster.make_check(preemption_policy=AFTER)]
    queue = kueue_cluster.make_queue(checks, cpu=f"{victims}", preemption=LOWER)
    running = queue.fill(victims)

    workload = queue.submit_until("prechecked", cpu=f"{victims}", priority=10)

    within("settle", lambda: workload.is_waiting_for_preemptions(victims), clause="a")
    for remaining, victim in reversed(list(enumerate(running))):
        victim.finish()
        within("settle", lambda count=remaining: workload.is_waiting_for_preemptions(count), clause="b")


@scenario(
    "ADM-533",
    "under the KEP an AdmissionCheck has one of two policies, Anytime if it names none",
    requirement="kep-993#preemption-policy",
    shows="AC-442 AC-460",
    only=("kep993",),
    level="must",
    clauses={"a": "Anytime is the default", "b": "both are taken", "c": "another one is refused"},
)
def test_policies_of_an_admission_check(kueue_cluster):
    check = kueue_cluster.make_check()

    assert check.spec["preemptionPolicy"] == ANYTIME, "a"
    for policy in (AFTER, ANYTIME):
        assert check.try_to_change(preemptionPolicy=policy).is_accepted, "b"
        assert check.spec["preemptionPolicy"] == policy, "b"
    for policy in ("Never", "anytime", ""):
        assert check.try_to_change(preemptionPolicy=policy).is_invalid("spec.preemptionPolicy"), "c"


@scenario(
    "ADM-534",
    "no release knows the preemption policy of a check",
    requirement="kep-993#preemption-policy",
    shows="AC-442 AC-460 AC-490",
    level="may",
    since="0.6",
    clauses={"a": "the field is dropped"},
)
def test_releases_know_no_policy(kueue_cluster):
    check = kueue_cluster.make_check()

    check.try_to_change(preemptionPolicy=AFTER)

    assert "preemptionPolicy" not in check.spec, "a"
