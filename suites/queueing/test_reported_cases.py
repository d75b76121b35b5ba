"""QUE: what users of Kueue reported, each with the number of its thread (KEP-582, KEP-1714, KEP-420)."""

from kueue_conformance import always, rows, scenario, within

FAIR = "fair sharing"


@scenario(
    "QUE-610",
    "a Workload preempts a lower one in the second flavor while a higher one holds the first (#4597)",
    requirement=("kep-582#fungibility", "kep-83#within-cluster-queue"),
    shows="Q-154 Q-168 Q-250",
    since="0.19",
    also=("kep993",),
    cases=rows(
        "words",
        ("within=LowerPriority",),
        ("within=LowerPriority canPreempt=MayStopSearch",),
        (
            "within=LowerPriority canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing",
        ),
    ),
    clauses={"a": "it gets the second flavor", "b": "the lower one is preempted, and not the higher one"},
)
def test_medium_preempts_low(kueue_cluster, words):
    queues = kueue_cluster.make_topology(f"q one:1 two:1 {words}")
    queues.submit_in_turn("q: high(9)1 low(-9)1")

    medium = queues.submit("q: medium(0)1")

    within("admit", lambda: medium.is_admitted() and queues.has_flavors("medium", "two"), clause="a")
    always(lambda: queues.were_preempted("low") and queues.has_reserved("high", "medium"), clause="b")


@scenario(
    "QUE-611",
    "with PreemptionOverBorrowing a flavor in which no Workload may be preempted does not keep one that fits (#13607)",
    requirement=("kep-582#preference", "kep-582#fungibility"),
    shows="Q-168 Q-172",
    since="0.19",
    also=("kep993",),
    cases=rows("root", ("one:0 two:5",), ("one:5 two:5",)),
    clauses={"a": "it borrows the second flavor from afar", "b": "and no Workload is preempted for it"},
)
def test_flavor_without_candidates(kueue_cluster, root):
    words = "canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing"
    queues = kueue_cluster.make_topology(
        f"r {{ c {{ q one:2 borrows<=0 two:0 within=LowerPriority {words}, s one:1 two:0 }}, far {root} }}"
    )
    queues.submit_in_turn("q: before(0)2/one")

    workload = queues.submit("q: new(0)1")

    within("admit", lambda: workload.is_admitted() and queues.has_flavors("new", "two"), clause="a")
    always(queues.were_preempted, clause="b")


@scenario(
    "QUE-612",
    "a Job runs with exactly as many pods as it takes at the least, which is all the quota (#3140)",
    requirement="kep-420#partial-admission",
    shows="Q-185 Q-187",
    since="0.9",
    gates=("PartialAdmission",),
    needs=("webhooks",),
    cases=rows("count least", (10, 9), (2, 1), (4, 1)),
    clauses={"a": "it is admitted with the least", "b": "the Job is started with so many"},
)
def test_partial_admission_at_the_minimum(kueue_cluster, count, least):
    queue = kueue_cluster.make_queue(cpu=f"{least}")

    workload = queue.submit(
        "job", cpu="1", count=count, annotations={"kueue.x-k8s.io/job-min-parallelism": f"{least}"}
    )

    within("admit", lambda: workload.has_admission(queue, main={"count": least}), clause="a")
    within("settle", lambda: kueue_cluster.job_of(workload).is_started(), clause="b")
    always(
        lambda: workload.is_admitted() and kueue_cluster.job_of(workload).has_parallelism(least), clause="b"
    )


@scenario(
    "QUE-613",
    "a queue that has the larger share does not preempt one that borrows less, again and again (#3779)",
    requirement=("kep-1714#fair-preemption", "kep-1714#share"),
    shows="Q-258 Q-272 QC-13",
    since="0.9",
    needs=(FAIR,),
    cases=rows("important", (0,), (100,)),
    clauses={"a": "the one that borrows less is never preempted", "b": "the other waits until quota is free"},
)
def test_larger_share_does_not_preempt(kueue_cluster, important):
    words = "reclaim=Any borrow=LowerPriority threshold=0"
    queues = kueue_cluster.make_topology(f"all {{ a 150m {words}, b 150m {words}, rest 0 {words} }}")
    queues.submit_in_turn(f"a: a1({important})250m; rest: small(0)50m")

    # Held: what is preempted and comes back at once would go round for ever.
    kueue_cluster.release.pods_are_held = True
    second = queues.submit(f"a: a2({important})50m")

    within("settle", lambda: second.has_condition("QuotaReserved", "False"), clause="b")
    always(lambda: queues.were_preempted() and queues.has_reserved("a1", "small"), clause="a")
    kueue_cluster.release.pods_are_held = False
    queues.delete_workloads("a1")
    within("requeue", second.is_admitted, clause="b")


@scenario(
    "QUE-614",
    "queues that share a pool preempt as long as their share stays the smaller one, and no more (#7101)",
    requirement="kep-1714#fair-preemption",
    shows="Q-258 Q-272 QC-13",
    since="0.9",
    needs=(FAIR,),
    cases=rows("size further goes", (4, 3, "c d"), (2, 4, "d")),
    clauses={
        "a": "a part of the pool is given to the other queue",
        "b": "another Workload of it waits, and none is preempted any more",
    },
)
def test_equal_shares_are_the_end(kueue_cluster, size, further, goes):
    queues = kueue_cluster.make_topology("all 8 { first reclaim=Any, second reclaim=Any }")
    queues.submit_in_turn("first: a(0)2 b(0)2 c(0)2 d(0)2")
    preemptor = queues.submit(f"second: preemptor(0){size}")
    within("admit", lambda: preemptor.is_admitted() and queues.were_preempted(*goes.split()), clause="a")
    holding = [name for name in queues.workloads if name not in goes.split()]

    queues.submit(f"second: more(0){further}")

    within("settle", lambda: queues.has_tried("more"))
    always(lambda: queues.has_reserved(*holding) and queues.were_preempted(*goes.split()), clause="b")
