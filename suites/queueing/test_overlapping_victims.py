"""QUE: two preemptors of one scheduling cycle that need the same victim (Q-227, KV-21)."""

from kueue_conformance import always, rows, scenario, within

COUNTER = "preemption_target_recomputations_total"
METRICS = "metrics of the control plane"
RECOMPUTED = ("RecomputeAssignmentUponPreemptionTargetsOverlap",)
ROOM_FOR_BOTH = "all { alpha 2 reclaim=Any, beta 4, gamma 2 reclaim=Any }"
"""What the less important Workload of beta holds is enough for both preemptors."""
ROOM_FOR_ONE = "all { alpha 2 reclaim=Any, beta 2, gamma 2 reclaim=Any }"
ROOM_BESIDE_BOTH = "all { alpha 2 reclaim=Any, beta 2, gamma 2 reclaim=Any, delta 0 }"
"""Free quota is more than nothing until both preemptors have theirs."""
POLICIES = "reclaim=Any canPreempt=MayStopSearch"
ROOM_IN_THE_NEXT_FLAVOR = f"all {{ one f1:1 {POLICIES}, two f1:1 f2:2 {POLICIES}, lender f1:0 f2:0 }}"
"""The second preemptor would fit in f2, were it not for a search that stops where it may preempt."""


@scenario(
    "QUE-074",
    "of two preemptors that need the same victim one waits for the other",
    requirement="queueing#one-cycle",
    shows="S-057 S-058 Q-227",
    since="0.19",
    also=("kep993",),
    without_gates=RECOMPUTED,
    revision=2,
    clauses={
        "a": "one victim is evicted at first",
        "b": "one of them is admitted",
        "c": "then the other preempts the next victim and is admitted",
    },
)
def test_overlapping_victims(kueue_cluster):
    queues = kueue_cluster.make_topology(ROOM_FOR_ONE)
    queues.submit_in_turn("beta: mid(5)3 high(9)3")
    kueue_cluster.release.pods_are_held = True

    queues.submit_all("alpha: a(5)2; gamma: g(4)2")

    within("settle", lambda: queues.has_preempted("mid InCohortReclamation"), clause="a")
    within("settle", lambda: queues.has_tried("g"))
    always(lambda: queues.has_preempted("mid InCohortReclamation"), clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", queues.workloads["a"].is_admitted, clause="b")
    within("admit", lambda: queues.has_reserved("a", "g"), clause="c")
    within("settle", lambda: queues.were_preempted("mid", "high"), clause="c")


@scenario(
    "QUE-368",
    "of two preemptors that need the same victim the other preempts the next one in the same cycle",
    requirement="queueing#one-cycle",
    shows="KV-21 Q-227",
    since="0.19",
    also=("kep993",),
    gates=RECOMPUTED,
    level="should",
    clauses={
        "a": "both victims are evicted while the pods of the first are still there",
        "b": "both preemptors are admitted",
    },
)
def test_next_victim_at_once(kueue_cluster):
    queues = kueue_cluster.make_topology(ROOM_FOR_ONE)
    queues.submit_in_turn("beta: mid(5)3 high(9)3")
    kueue_cluster.release.pods_are_held = True

    queues.submit_all("alpha: a(5)2; gamma: g(4)2")

    both = "high InCohortReclamation, mid InCohortReclamation"
    within("settle", lambda: queues.has_preempted(both), clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", lambda: queues.has_reserved("a", "g"), clause="b")


@scenario(
    "QUE-369",
    "a Workload that fits when the victims of another have left preempts no more of them",
    requirement=("kep-83#minimal-preemptions", "queueing#one-cycle"),
    shows="KV-21 Q-227",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "one victim is evicted",
        "b": "both preemptors are admitted with what it had",
        "c": "and the other Workload keeps its quota",
    },
)
def test_room_for_both(kueue_cluster):
    queues = kueue_cluster.make_topology(ROOM_FOR_BOTH)
    queues.submit_in_turn("beta: mid(5)4 high(9)4")
    kueue_cluster.release.pods_are_held = True

    queues.submit_all("alpha: a(5)2; gamma: g(4)2")

    within("settle", lambda: queues.has_preempted("mid InCohortReclamation"), clause="a")
    within("settle", lambda: queues.has_tried("g"))
    always(lambda: queues.has_preempted("mid InCohortReclamation"), clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", lambda: queues.has_reserved("a", "g", "high"), clause="b")
    within("settle", lambda: queues.were_preempted("mid"), clause="c")


@scenario(
    "QUE-370",
    "what a Workload will use that waits for the victims of another is not given to a third one",
    requirement="queueing#one-cycle",
    shows="KV-21",
    since="0.19",
    also=("kep993",),
    gates=RECOMPUTED,
    level="should",
    clauses={
        "a": "the third one gets no quota meanwhile",
        "b": "both preemptors are admitted",
        "c": "and it still waits",
    },
)
def test_kept_from_a_third(kueue_cluster):
    queues = kueue_cluster.make_topology(ROOM_BESIDE_BOTH)
    queues.submit_in_turn("beta: mid(5)3 high(9)2")
    kueue_cluster.release.pods_are_held = True
    queues.submit_all("alpha: a(5)2; gamma: g(4)2")
    within("settle", lambda: queues.has_preempted("mid InCohortReclamation"))
    within("settle", lambda: queues.has_tried("a", "g"))

    third = queues.submit("delta: third(1)1")

    within("settle", lambda: queues.has_tried("third"), clause="a")
    always(third.is_suspended, clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", lambda: queues.has_reserved("a", "g", "high"), clause="b")
    always(third.is_suspended, clause="c")


@scenario(
    "QUE-371",
    "a Workload that waits for the victims of another says that it will fit when they have left",
    requirement="queueing#status",
    shows="KV-21 M-025",
    since="0.19",
    also=("kep993",),
    gates=RECOMPUTED,
    level="may",
    clauses={"a": "the reason", "b": "the message", "c": "it is admitted when they have left"},
)
def test_says_that_it_will_fit(kueue_cluster):
    queues = kueue_cluster.make_topology(ROOM_FOR_BOTH)
    queues.submit_in_turn("beta: mid(5)4 high(9)4")
    kueue_cluster.release.pods_are_held = True

    _, waiting = queues.submit_all("alpha: a(5)2; gamma: g(4)2")

    text = (
        "overlapping preemption targets with another workload, but will fit after these preemptions complete"
    )
    within("settle", lambda: waiting.has_message_containing("QuotaReserved", text), clause="b")
    always(lambda: waiting.is_unreserved_for("waiting-for-preempted"), clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", waiting.is_admitted, clause="c")


@scenario(
    "QUE-372",
    "a Workload whose victim is preempted by another one waits for its flavor, though the next one has free quota",
    requirement="queueing#one-cycle",
    shows="KV-21 Q-178",
    since="0.19",
    also=("kep993",),
    gates=RECOMPUTED,
    level="should",
    clauses={
        "a": "it waits while the victim holds on",
        "b": "both have the flavor of the victim",
        "c": "and no more is preempted",
    },
)
def test_waits_for_its_flavor(kueue_cluster):
    queues = kueue_cluster.make_topology(ROOM_IN_THE_NEXT_FLAVOR)
    queues.submit_in_turn("lender: low(0)2/f1")
    kueue_cluster.release.pods_are_held = True
    first = queues.submit("one: first(9)1")
    within("settle", lambda: queues.has_preempted("low InCohortReclamation"))

    second = queues.submit("two: second(5)1")

    within("settle", lambda: queues.has_tried("second"))
    always(second.is_suspended, clause="a")
    kueue_cluster.release.pods_are_held = False
    within("admit", first.is_admitted)
    within("admit", lambda: queues.has_flavors("second", "f1"), clause="b")
    within("settle", lambda: queues.has_flavors("first", "f1"), clause="b")
    always(lambda: queues.were_preempted("low"), clause="c")


@scenario(
    "QUE-373",
    "preemptors whose victims are those of another one are counted by what becomes of them",
    requirement="queueing#metrics",
    shows="KV-28 KV-21",
    since="0.20.0-devel",
    gates=RECOMPUTED,
    level="may",
    needs=(METRICS,),
    cases=rows("cohort result", (ROOM_FOR_ONE, "new_targets"), (ROOM_FOR_BOTH, "deferred_fit")),
    clauses={
        "a": "for the one that shares its victim with one before it",
        "b": "not for the one that goes first",
    },
)
def test_recomputations_are_counted(kueue_cluster, cohort, result):
    queues = kueue_cluster.make_topology(cohort)
    queues.submit_in_turn("beta: mid(5)3 high(9)3" if result == "new_targets" else "beta: mid(5)4 high(9)4")
    kueue_cluster.release.pods_are_held = True
    alpha, gamma = (kueue_cluster.metrics_of(queues[name]) for name in ("alpha", "gamma"))

    queues.submit_all("alpha: a(5)2; gamma: g(4)2")

    within("settle", lambda: queues.has_tried("a", "g"))
    within("settle", lambda: gamma.shows_at_least(COUNTER, 1, result=result), clause="a")
    always(lambda: alpha.shows(COUNTER, 0), clause="b")
