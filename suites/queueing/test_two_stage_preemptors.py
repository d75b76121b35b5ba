"""QUE: Workloads that have preempted others and wait for their checks (KEP-993, lines 203-241; KEP-83)."""

from kueue_conformance import always, cross, never, rows, scenario, within

LOWER = {"withinClusterQueue": "LowerPriority"}


def preempting(kueue_cluster, checks=1, **fields):
    """Return a queue, the victim that has left it, and the preemptor that waits for its checks."""
    queue = kueue_cluster.make_queue(
        [kueue_cluster.make_check(**fields) for _ in range(checks)], cpu="1", preemption=LOWER
    )
    (victim,) = queue.fill()
    workload = queue.submit_until("prechecked", cpu="1", priority=10)
    within("settle", victim.is_suspended)
    return queue, victim, workload


@scenario(
    "QUE-160",
    "a preemptor with a Retry is tried first again, and does not preempt a second time",
    requirement=("kep-993#retry-or-reject", "kep-83#waits-for-victims"),
    shows="AC-287 AC-289 Q-296",
    since="0.19",
    clauses={
        "a": "it is evicted because of its check",
        "b": "it is reserved again",
        "c": "its victim was evicted once, and waits",
    },
)
def test_preemptor_is_sent_back(kueue_cluster):
    queue, victim, workload = preempting(kueue_cluster)

    queue.checks[0].answer(workload, "Retry")

    within("evict", workload.was_evicted_by_a_check, clause="a")
    within("requeue", lambda: workload.was_released() and workload.is_prechecked(), clause="b")
    always(lambda: victim.is_suspended() and victim.was_evicted_times(1), clause="c")


@scenario(
    "QUE-161",
    "under the KEP the victim gets quota during the retry delay of its preemptor, and is preempted again after it",
    requirement=("kep-993#retry-delay", "kep-993#hold", "kep-993#reserved-is-victim"),
    shows="AC-451 AC-478 AC-479 AC-440",
    only=("kep993",),
    needs=("virtual time",),
    clauses={
        "a": "the victim is reserved, and can be admitted",
        "b": "after the delay it is preempted again",
        "c": "and the preemptor is admitted",
    },
)
def test_victim_during_the_delay(kueue_cluster, clock):
    queue, victim, workload = preempting(kueue_cluster, retry_delay_minutes=5)

    queue.checks[0].answer(workload, "Retry")

    within("requeue", lambda: victim.is_prechecked() and victim.has_states("Pending"), clause="a")
    queue.admit(victim)
    clock.advance(4 * 60)
    always(lambda: victim.is_admitted() and workload.is_suspended(), clause="a")
    clock.advance(2 * 60)
    within("evict", lambda: victim.was_evicted_times(2) and victim.is_suspended(), clause="b")
    queue.admit(workload)
    always(workload.is_admitted, clause="c")


@scenario(
    "QUE-162",
    "the victim of a Workload that a check rejects gets its quota back, and has to pass its checks again",
    requirement=("kep-993#retry-or-reject", "kep-83#waits-for-victims"),
    shows="AC-291 AC-293 Q-050 Q-296",
    since="0.19",
    also=("kep993",),
    cases=cross(checks=(1, 2)),
    clauses={
        "a": "the preemptor is rejected",
        "b": "its victim is reserved again",
        "c": "and admitted when its checks have passed again",
    },
)
def test_preemptor_is_rejected(kueue_cluster, checks):
    queue, victim, workload = preempting(kueue_cluster, checks)

    queue.checks[0].answer(workload, "Rejected")

    within("evict", workload.is_rejected, clause="a")
    within("reserve", lambda: victim.is_prechecked() and victim.has_states("Pending"), clause="b")
    always(victim.is_prechecked, clause="c")
    queue.admit(victim)
    always(lambda: victim.is_admitted() and workload.is_rejected(), clause="c")


@scenario(
    "QUE-163",
    "quota that a Workload holds while it waits for its checks is given to no other Workload",
    requirement=("kep-993#reservation-fits-quota", "kueue-docs#quota"),
    shows="AC-441 Q-140 Q-250",
    since="0.19",
    also=("kep993",),
    cases=cross(priority=(-20, 0, 10), strategy=("BestEffortFIFO", "StrictFIFO")),
    clauses={
        "a": "equal and less important Workloads wait",
        "b": "the Workload that holds it is admitted when its check has passed",
    },
)
def test_reserved_quota_is_taken(kueue_cluster, priority, strategy):
    queue = kueue_cluster.make_queue(1, cpu="2", preemption=LOWER, queueingStrategy=strategy)
    holder = queue.submit_until("prechecked", cpu="2", priority=10)

    other = queue.submit(cpu="1", priority=priority)

    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: other.is_suspended() and holder.is_prechecked(), clause="a")
    queue.admit(holder)
    always(lambda: other.is_suspended() and holder.was_evicted_times(0), clause="b")


@scenario(
    "QUE-164",
    "a Workload of a higher class that is submitted while checks are Pending preempts, and frees the quota when it ends",
    requirement=("kep-993#reserved-is-victim", "kep-83#within-cluster-queue", "kueue-docs#priority"),
    shows="AC-300 AC-447 Q-250 Q-005",
    since="0.19",
    also=("kep993",),
    cases=cross(answered=(0, 1)),
    clauses={
        "a": "the lower one loses its quota and its verdicts",
        "b": "the higher one is admitted",
        "c": "the lower one is reserved again, and its check is Pending",
    },
)
def test_higher_class_comes(kueue_cluster, answered):
    queue = kueue_cluster.make_queue(2, cpu="1", preemption=LOWER)
    low = queue.submit_until("prechecked", cpu="1", priority=0)
    for check in queue.checks[:answered]:
        check.answer(low, "Ready")
    always(low.is_prechecked)

    high = queue.submit_until("prechecked", cpu="1", priority=10)

    within("settle", lambda: low.is_suspended() and low.has_no_verdicts(), clause="a")
    queue.admit(high)
    always(lambda: high.is_admitted() and low.is_suspended(), clause="b")
    high.finish()
    within("reserve", lambda: low.is_prechecked() and low.has_states("Pending"), clause="c")
    queue.admit(low)


@scenario(
    "QUE-165",
    "without a preemption policy no class preempts a Workload that waits for its checks",
    requirement=("kep-83#within-cluster-queue", "kep-993#reservation-fits-quota"),
    shows="Q-250 AC-441",
    since="0.19",
    also=("kep993",),
    cases=rows(
        "policy priority",
        ("Never", 100),
        ("LowerPriority", 0),
        ("LowerOrNewerEqualPriority", 0),
        ("LowerOrNewerEqualPriority", -1),
    ),
    clauses={"a": "the other one waits", "b": "the first is admitted"},
)
def test_no_policy_no_preemption(kueue_cluster, clock, policy, priority):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption={"withinClusterQueue": policy})
    holder = queue.submit_until("prechecked", cpu="1", priority=0)
    clock.tick()

    other = queue.submit(cpu="1", priority=priority)

    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: other.is_suspended() and holder.is_prechecked(), clause="a")
    queue.admit(holder)
    never(lambda: holder.was_ever("Evicted"), clause="b")


@scenario(
    "QUE-166",
    "of three classes the highest runs first, and the others are admitted again in the order of their priority",
    requirement=("kueue-docs#queueing-order", "kep-83#waits-for-victims", "kep-993#preemption-clears-checks"),
    shows="Q-021 Q-250 Q-296 AC-448",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "each takes the quota of the one before",
        "b": "the middle class is admitted before the lowest",
        "c": "then the lowest",
    },
)
def test_three_classes(kueue_cluster):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption=LOWER)
    low = queue.submit_until("admitted", cpu="1", priority=-10)
    middle = queue.submit_until("prechecked", cpu="1", priority=0)
    within("settle", low.is_suspended, clause="a")

    high = queue.submit_until("prechecked", cpu="1", priority=10)

    within("settle", lambda: middle.is_suspended() and low.is_suspended(), clause="a")
    queue.admit(high)
    high.finish()
    within("reserve", middle.is_prechecked, clause="b")
    always(low.is_suspended, clause="b")
    queue.admit(middle)
    middle.finish()
    within("reserve", low.is_prechecked, clause="c")
    queue.admit(low)


@scenario(
    "QUE-167",
    "a release reserves quota for a preemptor once its victim has released it, and its check is asked only then",
    requirement="kep-83#waits-for-victims",
    shows="AC-283 AC-490 D-03 Q-230",
    since="0.19",
    cases=cross(stage=("prechecked", "admitted")),
    clauses={
        "a": "it has no quota while the victim has pods",
        "b": "then it is reserved, and waits for its check",
    },
)
def test_releases_preempt_first(kueue_cluster, stage):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption=LOWER)
    victim = queue.submit_until(stage, cpu="1", priority=-10)
    kueue_cluster.release.pods_are_held = True

    workload = queue.submit(cpu="1", priority=10)

    within("evict", victim.is_evicted, clause="a")
    always(workload.is_suspended, clause="a")
    kueue_cluster.release.pods_are_held = False
    within("reserve", lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="b")
    always(workload.is_prechecked, clause="b")


@scenario(
    "QUE-168",
    "a preemptor that ends while it waits for its checks frees its quota for its victim",
    requirement=("kueue-docs#quota", "kep-83#waits-for-victims"),
    shows="Q-050 Q-295",
    since="0.19",
    also=("kep993",),
    cases=rows("end", ("is deleted",), ("is deactivated",)),
    clauses={"a": "the victim is reserved again", "b": "and admitted when its check has passed again"},
)
def test_preemptor_ends(kueue_cluster, end):
    queue, victim, workload = preempting(kueue_cluster)

    {"is deleted": workload.delete, "is deactivated": workload.deactivate}[end]()

    within("reserve", lambda: victim.is_prechecked() and victim.has_states("Pending"), clause="a")
    queue.admit(victim)
    always(victim.is_admitted, clause="b")


@scenario(
    "QUE-169",
    "pending, reserving and admitted Workloads are counted through a preemption with checks",
    requirement="queueing#status",
    shows="Q-371 Q-377 AC-396",
    since="0.19",
    also=("kep993",),
    clauses={"a": "before", "b": "when the victim has left", "c": "when the checks have passed"},
)
def test_counters(kueue_cluster):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption=LOWER)
    queue.fill()
    within(
        "settle",
        lambda: queue.shows_counts(pending=0, reserving=1, admitted=1) and queue.shows_used("1"),
        clause="a",
    )

    workload = queue.submit_until("prechecked", cpu="1", priority=10)

    within(
        "settle",
        lambda: (
            queue.shows_counts(pending=1, reserving=1, admitted=0)
            and queue.shows_reserved("1")
            and queue.shows_used("0")
        ),
        clause="b",
    )
    queue.admit(workload)
    within(
        "settle",
        lambda: queue.shows_counts(pending=1, reserving=1, admitted=1) and queue.shows_used("1"),
        clause="c",
    )
