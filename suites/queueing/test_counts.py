"""QUE: Workloads that need less than they say: pods given back, and fewer pods from the start (KEP-78,
KEP-420; Q-083…Q-088, Q-185…Q-187).
"""

from kueue_conformance import always, rows, scenario, table, within


@scenario(
    "QUE-100",
    "pods that are reclaimable before a reservation get no quota",
    requirement="queueing#reclaimable-pods",
    shows="S-010 Q-083 Q-088",
    clauses={"a": "the whole does not fit", "b": "the rest gets quota for the rest"},
)
def test_given_back_before(kueue_cluster):
    queues = kueue_cluster.make_topology("q 5")
    workload = queues.submit("q: w(0)2x3")
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")

    workload.set_reclaimable_pods(1)

    default = queues.flavors["default"]
    rest = {"flavors": {"cpu": default}, "resourceUsage": {"cpu": "3"}, "count": 1}
    within(
        "admit", lambda: workload.is_admitted() and workload.has_admission(queues["q"], main=rest), clause="b"
    )


@scenario(
    "QUE-101",
    "a preempted Workload that is tried again requests quota for its remaining pods only",
    requirement=("queueing#reclaimable-pods", "kep-83#within-cluster-queue"),
    shows="S-009 S-011 Q-085",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "it is preempted for a higher one",
        "b": "it is admitted again beside that when both need less",
    },
)
def test_given_back_by_a_victim(kueue_cluster):
    queues = kueue_cluster.make_topology("q 3 within=LowerPriority")
    (low,) = queues.submit_in_turn("q: low(0)1+1+1")
    low.set_reclaimable_pods(1, "pods-3")
    within("settle", lambda: queues["q"].shows_reserved("2"))

    high = queues.submit("q: high(100)1+1+1")
    within("admit", high.is_admitted, clause="a")
    within("settle", lambda: low.was_evicted_times(1) and low.is_suspended(), clause="a")
    high.try_to_change(
        status={"reclaimablePods": [{"name": "pods-1", "count": 1}, {"name": "pods-2", "count": 1}]}
    )

    within("admit", lambda: queues.has_reserved("low", "high"), clause="b")
    within("settle", lambda: queues["q"].shows_reserved("3"), clause="b")


COUNTS = table(
    """
    case                     | queues | asks                 | counts
    as many as fit           | q 40   | q: w(0)50x1>=20      | 40
    not fewer than needed    | q 20   | q: w(0)50x1>=20      | 20
    all where all fit        | q 50   | q: w(0)50x1>=20      | 50
    beside others            | q 35   | q: w(0)20x1+30x1>=10 | 20 15
    in steps of its size     | q 7    | q: w(0)4x2>=1        | 3
    what can be borrowed     | all { q 2, other 3 } | q: w(0)9x1>=1 | 5
    of the first flavor with room for some | q one:1 two:3 | q: w(0)5x1>=2 | 3
    """
)


@scenario(
    "QUE-102",
    "a Workload with a minCount is admitted with as many pods as fit",
    requirement="kep-420#partial-admission",
    shows="Q-087 Q-185 Q-186 Q-187",
    cases=COUNTS.cases,
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    clauses={"a": "with so many", "b": "its spec stays as it is", "c": "the rest of the quota is not used"},
)
def test_partial_admission(kueue_cluster, case):
    line = COUNTS[case]
    queues = kueue_cluster.make_topology(line.queues)
    counts = [int(word) for word in line.counts.split()]

    workload = queues.submit(line.asks)

    within("admit", lambda: workload.is_admitted() and queues.has_admitted_counts("w", *counts), clause="a")
    size = 2 if "4x2" in line.asks else 1
    within("settle", lambda: queues["q"].shows_reserved(f"{size * sum(counts)}"), clause="c")
    pod_counts = [int(word.split("x")[0]) for word in line.asks.partition(")")[2].split("+")]
    always(lambda: queues.has_pod_counts("w", *pod_counts), clause="b")


@scenario(
    "QUE-103",
    "a Workload without a minCount stays pending until all of its pods fit",
    requirement="kep-420#partial-admission",
    shows="Q-185 Q-186",
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    clauses={"a": "it waits", "b": "it is admitted with all its pods when they fit"},
)
def test_too_few(kueue_cluster):
    queues = kueue_cluster.make_topology("q 19")
    workload = queues.submit("q: w(0)50x1>=20")
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")

    queues["q"].set_quota("30")

    within("admit", lambda: workload.is_admitted() and queues.has_admitted_counts("w", 30), clause="b")


@scenario(
    "QUE-104",
    "a Workload with a minCount preempts for all of its pods before it runs with fewer",
    requirement=("kep-420#partial-admission", "kep-83#minimal-preemptions"),
    shows="Q-185 Q-187",
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    cases=rows(
        "example policy counts goes",
        ("all by preemption", "LowerPriority", 3, "low"),
        ("fewer where none may go", "Never", 2, ""),
    ),
    clauses={"a": "it is admitted with that number", "b": "for these that went"},
)
def test_preempts_before_it_does_with_fewer(kueue_cluster, example, policy, counts, goes):
    queues = kueue_cluster.make_topology(f"q 3 within={policy}")
    queues.submit_in_turn("q: low(0)1")

    workload = queues.submit("q: w(5)3x1>=1")

    within("admit", lambda: workload.is_admitted() and queues.has_admitted_counts("w", counts), clause="a")
    always(lambda: queues.were_preempted(*goes.split()), clause="b")


@scenario(
    "QUE-105",
    "a Workload with a minCount preempts for fewer pods where it cannot preempt for all",
    requirement=("kep-420#partial-admission", "kep-83#minimal-preemptions"),
    shows="Q-186 Q-187",
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    clauses={
        "a": "it is admitted with the number for which others were preempted",
        "b": "and only these went",
    },
)
def test_preempts_for_fewer(kueue_cluster):
    queues = kueue_cluster.make_topology("q 4 within=LowerPriority")
    queues.submit_in_turn("q: low(0)3 high(9)1")

    workload = queues.submit("q: w(5)4x1>=2")

    within("admit", lambda: workload.is_admitted() and queues.has_admitted_counts("w", 3), clause="a")
    always(lambda: queues.were_preempted("low"), clause="b")


@scenario(
    "QUE-292",
    "reclaimable pods free quota when fewer pods remain than quota was reserved for",
    requirement=("queueing#reclaimable-pods", "kep-420#partial-admission"),
    shows="Q-085 Q-088 Q-187",
    since="0.19",
    also=("kep993",),
    gates=("PartialAdmission",),
    clauses={
        "a": "as long as as many are left as there is quota for, it keeps the quota",
        "b": "then it frees the quota of the others, and no more",
        "c": "the pod sets with reclaimable pods",
    },
)
def test_given_back_by_fewer(kueue_cluster):
    queues = kueue_cluster.make_topology("q 9")
    queues.submit_in_turn("q: other(0)2x1+2x1")
    partial = queues.submit("q: w(0)8x1>=1")
    within("admit", lambda: partial.is_admitted() and queues.has_admitted_counts("w", 5))
    within("settle", lambda: queues["q"].shows_reserved("9"))

    partial.set_reclaimable_pods(3)
    always(lambda: queues["q"].shows_reserved("9"), clause="a")
    partial.set_reclaimable_pods(6)

    within("settle", lambda: queues["q"].shows_reserved("6"), clause="b")
    queues.workloads["other"].set_reclaimable_pods(1, "pods-2")
    within("settle", lambda: queues["q"].shows_reserved("5"), clause="c")
    always(lambda: queues["q"].shows_reserved("5"), clause="b")


@scenario(
    "QUE-298",
    "a Workload whose pods are all reclaimable requests no quota",
    requirement="queueing#reclaimable-pods",
    shows="Q-083 Q-085 Q-088",
    clauses={
        "a": "a pending one is admitted without any quota",
        "b": "one that had quota has none left",
        "c": "a Workload that waited for that quota is admitted",
    },
)
def test_all_is_given_back(kueue_cluster):
    queues = kueue_cluster.make_topology("q pods/default:2")
    (holder,) = queues.submit_in_turn("q: held(0)2x")
    waiting, behind = queues.submit_all("q: waiting(0)3x behind(0)2x")
    within("settle", lambda: behind.has_condition("QuotaReserved", "False"))

    waiting.set_reclaimable_pods(3)

    within("admit", waiting.is_admitted, clause="a")
    always(behind.is_suspended, clause="b")
    holder.set_reclaimable_pods(2)
    within("admit", behind.is_admitted, clause="c")


@scenario(
    "QUE-376",
    "a Workload that moves to the LocalQueue of another ClusterQueue while it waits is counted and admitted there",
    requirement="queueing#quirks",
    shows="KV-68 VIS-526",
    since="0.19",
    level="may",
    cases=rows("form", ("workload",), ("job",)),
    clauses={
        "a": "pending in its old queues no more",
        "b": "pending in the new ones",
        "c": "admitted when these have quota, and pending nowhere",
    },
)
def test_counts_follow_a_workload(kueue_cluster, form):
    queue, other = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_queue(cpu="0")
    workload = queue.submit(form, cpu="1")
    movable = kueue_cluster.job_of(workload) if form == "job" else workload
    within("settle", lambda: queue.shows_counts(pending=1) and queue.shows_counts_locally(pending=1))

    movable.set_queue(other)

    within("settle", lambda: queue.shows_counts(pending=0), clause="a")
    within("settle", lambda: queue.shows_counts_locally(pending=0), clause="a")
    within("settle", lambda: other.shows_counts(pending=1), clause="b")
    within("settle", lambda: other.shows_counts_locally(pending=1), clause="b")
    other.set_quota("1")
    within("requeue", workload.is_admitted, clause="c")
    within("settle", lambda: other.shows_counts(pending=0, admitted=1), clause="c")
    always(lambda: queue.shows_counts(pending=0, admitted=0), clause="c")
