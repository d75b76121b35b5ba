"""QUE: from the decision to preempt to the quota,
and what becomes of the victims (KEP-83; Q-022, Q-250, Q-290…Q-296).
"""

from kueue_conformance import always, cross, rows, scenario, within

VICTIM = "low InClusterQueue"


@scenario(
    "QUE-070",
    "a victim is admitted again when quota is free for it, and is no longer reported as preempted",
    requirement=("kep-83#waits-for-victims", "kep-83#reasons"),
    shows="S-050 S-055 Q-232 Q-291 Q-293 Q-296 AC-267 AC-300 M-036",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "it is evicted as preempted",
        "b": "it waits for quota as before, requeued at once",
        "c": "it is admitted again after the preemptor",
        "d": "then it is not evicted or preempted",
    },
)
def test_life_of_a_victim(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    (low,) = queues.submit_in_turn("q: low(0)2")

    high = queues.submit("q: high(5)2")

    within(
        "evict",
        lambda: (
            low.had_condition("Evicted", "True", "Preempted")
            and low.had_condition("Preempted", "True", "InClusterQueue")
        ),
        clause="a",
    )
    within("admit", high.is_admitted)
    within(
        "settle",
        lambda: low.is_active_and_suspended() and low.has_condition("Requeued", "True", "Preempted"),
        clause="b",
    )
    always(low.is_suspended, clause="b")
    queues.delete_workloads("high")
    within("admit", low.is_admitted, clause="c")
    within("settle", lambda: low.has_condition("Evicted", "False", "QuotaReserved"), clause="d")
    within("settle", lambda: low.has_condition("Preempted", "False", "QuotaReserved"), clause="d")


@scenario(
    "QUE-071",
    "a Workload that waits for its victim is tried before new ones, in a strict queue behind those of higher priority",
    requirement="queueing#sticky-preemptor",
    shows="Q-022 Q-044",
    cases=cross(strategy=("BestEffortFIFO", "StrictFIFO")),
    since="0.19",
    also=("kep993",),
    level="should",
    clauses={
        "a": "the Workload that goes first is admitted when the victim has ended",
        "b": "in the end the newcomer has the quota",
    },
)
def test_newcomer_while_a_victim_holds_on(kueue_cluster, strategy):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority", queueingStrategy=strategy)
    queues.submit_in_turn("q: low(0)2")
    kueue_cluster.release.pods_are_held = True
    first = queues.submit("q: first(5)2")
    within("settle", lambda: queues.has_preempted(VICTIM))
    newcomer = queues.submit("q: newcomer(9)2")
    always(lambda: queues.has_reserved("low"))

    kueue_cluster.release.pods_are_held = False

    within("admit", newcomer.is_admitted, clause="b")
    within("settle", lambda: first.was_reserved({"BestEffortFIFO": 1, "StrictFIFO": 0}[strategy]), clause="a")
    always(lambda: newcomer.is_admitted() and first.is_suspended(), clause="b")


@scenario(
    "QUE-072",
    "an eviction is not undone when the preemptor no longer needs it",
    requirement="kep-83#waits-for-victims",
    shows="Q-295",
    since="0.19",
    also=("kep993",),
    clauses={"a": "the victim stays evicted", "b": "its quota is released and reserved again"},
)
def test_preemptor_goes(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    (low,) = queues.submit_in_turn("q: low(0)2")
    kueue_cluster.release.pods_are_held = True
    queues.submit("q: high(5)2")
    within("settle", lambda: queues.has_preempted(VICTIM))

    queues.delete_workloads("high")

    always(lambda: queues.has_preempted(VICTIM), clause="a")
    kueue_cluster.release.pods_are_held = False
    within("requeue", lambda: low.was_released() and low.is_admitted(), clause="b")


@scenario(
    "QUE-073",
    "each victim is evicted once, however long its pods take to end and however many victims there are",
    requirement=("kep-83#minimal-preemptions", "kep-83#waits-for-victims"),
    shows="S-053 Q-290 Q-292",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "all of them are evicted",
        "b": "once",
        "c": "the preemptor is admitted",
        "d": "it has preempted them by its priority again later",
    },
)
def test_many_victims(kueue_cluster, clock):
    queues = kueue_cluster.make_topology("q 4 within=LowerPriority")
    lows = queues.submit_in_turn("q: " + " ".join(f"low{index}(0)500m" for index in range(8)))
    kueue_cluster.release.pods_are_held = True
    high = queues.submit("q: high(5)4")
    within(
        "settle",
        lambda: queues.has_preempted(", ".join(f"low{index} InClusterQueue" for index in range(8))),
        clause="a",
    )

    clock.advance_budget("react")

    for low in lows:
        always(lambda low=low: low.was_evicted_times(1), clause="b")
    kueue_cluster.release.pods_are_held = False
    within("admit", high.is_admitted, clause="c")
    queues.delete_workloads("high")
    within("admit", lambda: queues.has_reserved(*(f"low{index}" for index in range(8))))
    preemptor = queues.submit("q: again(5)4")
    within("admit", preemptor.is_admitted, clause="d")
    within("settle", lambda: queues.were_preempted(*(f"low{index}" for index in range(8))), clause="d")


@scenario(
    "QUE-075",
    "LowerOrNewerEqualPriority preempts newer Workloads of equal priority, and no older ones",
    requirement=("kep-83#within-cluster-queue", "kep-83#candidate-order"),
    shows="S-052 G-P1-22 Q-250",
    since="0.19",
    also=("kep993",),
    cases=rows(
        "policy asks goes",
        ("LowerOrNewerEqualPriority", 2, "newest"),
        ("LowerOrNewerEqualPriority", 6, ""),
        ("LowerPriority", 2, ""),
    ),
    clauses={"a": "the newest of the later ones is preempted", "b": "and no other"},
)
def test_newer_equals(kueue_cluster, policy, asks, goes):
    queues = kueue_cluster.make_topology(f"q 6 within={policy}")
    queue = queues["q"]
    queues.submit_in_turn("q: before(1)2")
    late = kueue_cluster.make_second_local_queue(queue)
    late.hold_local()
    within("react", lambda: late.is_stopped("local-queue"))
    queues.add_queues(late=late)
    waiting = queues.submit(f"late: waiting(1){asks}")
    queues.submit_in_turn("q: newer(1)2 newest(1)2")
    kueue_cluster.release.pods_are_held = True

    late.resume_local()

    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"))
    within("settle", lambda: queues.has_preempted(goes and f"{goes} InClusterQueue"), clause="a")
    always(lambda: queues.has_preempted(goes and f"{goes} InClusterQueue"), clause="b")


@scenario(
    "QUE-076",
    "an older Workload preempts newer ones of equal priority when a part of the quota that it needs is freed",
    requirement=("kep-83#within-cluster-queue", "kueue-docs#tried-again"),
    shows="S-052 Q-250",
    since="0.19",
    also=("kep993",),
    clauses={"a": "as long as its elders hold too much it waits", "b": "then the newer one is preempted"},
)
def test_elders_first(kueue_cluster):
    queues = kueue_cluster.make_topology("q 4 within=LowerOrNewerEqualPriority")
    queues.submit_in_turn("q: one(0)1 two(0)1")
    third = queues.submit("q: third(0)3")
    within("settle", lambda: third.has_condition("QuotaReserved", "False"), clause="a")
    queues.submit_in_turn("q: newer(0)1")
    always(third.is_suspended, clause="a")

    queues.delete_workloads("one")

    within("admit", lambda: queues.has_reserved("two", "third"), clause="b")
    within("settle", lambda: queues.were_preempted("newer"), clause="b")


@scenario(
    "QUE-077",
    "a preemptor keeps its victim when its own priority changes",
    requirement=("kep-83#candidate-order", "kep-83#minimal-preemptions"),
    shows="Q-262 Q-293",
    since="0.19",
    also=("kep993",),
    clauses={"a": "no other is evicted", "b": "the preemptor gets its quota"},
)
def test_stays_with_its_victim(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    low, _ = queues.submit_in_turn("q: low(0)1 other(1)1")
    kueue_cluster.release.pods_are_held = True
    new = queues.submit("q: new(5)1")
    within("settle", lambda: queues.has_preempted("low InClusterQueue"))

    low.set_priority(3)

    always(lambda: queues.has_preempted("low InClusterQueue"), clause="a")
    # Once it waits again, the victim itself stands above the other, and may take its quota.
    kueue_cluster.release.pods_are_held = False
    within("admit", new.is_admitted, clause="b")


@scenario(
    "QUE-261",
    "a Workload that waits for its victim is still tried first when another pending Workload is deleted",
    requirement="queueing#sticky-preemptor",
    shows="Q-022 Q-044",
    since="0.19",
    also=("kep993",),
    level="should",
    clauses={"a": "it has its quota before a newcomer that is more important"},
)
def test_first_while_others_go(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    queues.submit_in_turn("q: low(0)2")
    waiting = queues.submit("q: waiting(0)2")
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"))
    kueue_cluster.release.pods_are_held = True
    first = queues.submit("q: first(5)2")
    within("settle", lambda: queues.has_preempted(VICTIM))
    queues.delete_workloads("waiting")
    queues.submit("q: newcomer(9)2")
    always(lambda: queues.has_reserved("low"))

    kueue_cluster.release.pods_are_held = False

    within("admit", lambda: first.was_reserved(1), clause="a")


@scenario(
    "QUE-293",
    "a preemptor that had quota is queued at its own place when it is pending again",
    requirement="kueue-docs#queueing-order",
    shows="Q-021 Q-022",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the one of higher priority has the quota",
        "b": "and the former preemptor had no quota before it",
    },
)
def test_preemptor_waits_again(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    queue = queues["q"]
    queues.submit_in_turn("q: low(0)2")
    first = queues.submit("q: first(5)2")
    within("admit", first.is_admitted)
    queue.hold_and_drain()
    within("evict", first.is_suspended)
    queue.set_quota("0")  # no Workload is admitted before the evicted one may be tried again
    queue.resume()
    within("requeue", lambda: first.has_condition("Requeued", "True"))
    higher = queues.submit("q: higher(9)2")
    within("settle", lambda: higher.has_condition("QuotaReserved", "False"))

    queue.set_quota("2")

    within("admit", higher.is_admitted, clause="a")
    always(lambda: queues.has_reserved("higher"), clause="a")
    within("settle", lambda: first.was_reserved(1), clause="b")
