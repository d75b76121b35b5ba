"""QUE: who goes first of several queues that could have the same quota (Q-203, Q-220…Q-229)."""

from kueue_conformance import always, cross, scenario, table, within

ORDER = table(
    """
    case                               | queues                                                 | holding     | waiting                            | goes
    the owner before the borrower      | all { one 2 StrictFIFO, two 0 StrictFIFO }             | one: x(0)2  | two: early(9)1; one: own(0)2       | own
    the more important of borrowers    | all { a 0, b 0, bank 2 }                               | bank: x(0)2 | a: low(1)2; b: high(5)2            | high
    the older of equals                | all { a 0, b 0, bank 2 }                               | bank: x(0)2 | b: older(0)2; a: newer(0)2         | older
    all that fit together              | all { a 0, b 0, bank 2 }                               | bank: x(0)2 | a: one(1)1; b: two(5)1             | one two
    one goes on when another is too large | all { a 0, b 0, bank 2 }                            | bank: x(0)2 | a: large(9)3; b: small(1)2         | small
    who borrows less far               | r { c { q 0, bank 2 }, far 0 }                         | bank: x(0)2 | far: high(9)2; q: near(0)2         | near
    what a cohort keeps is not borrowed from above it | r { m 3 { l 4 lends<=0 { q 0 }, rival 0, bank 0 } } | bank: x(0)3 | q: inside(9)6; rival: beside(0)3 | inside
    """
)


@scenario(
    "QUE-005",
    "of competing queues the one that borrows least goes first, then the Workload of higher priority, then the older one",
    requirement=("kueue-docs#nominal-before-borrowing", "queueing#one-cycle"),
    shows="Q-129 Q-203 Q-220 Q-224 Q-228 Q-229 S-019 S-020",
    cases=ORDER.cases,
    revision=2,
    since="0.19",
    also=("kep993",),
    clauses={"a": "these get the quota that came free", "b": "and no others"},
)
def test_order_of_a_cycle(kueue_cluster, case):
    line = ORDER[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)
    waiting = queues.submit_all(line.waiting)
    for workload in waiting:
        within("settle", lambda workload=workload: workload.has_condition("QuotaReserved", "False"))
    always(lambda: queues.has_reserved("x"))

    queues.delete_workloads("x")

    within("admit", lambda: queues.has_reserved(*line.goes.split()), clause="a")
    always(lambda: queues.has_reserved(*line.goes.split()), clause="b")


@scenario(
    "QUE-006",
    "quota that the head of a queue waits for is kept free, unless it could be reclaimed",
    requirement="queueing#kept-free",
    shows="S-043 S-044 S-043a Q-226 T-13",
    since="0.19",
    also=("kep993",),
    level="should",
    cases=cross(reclaim=("Any", "LowerPriority", "Never")),
    clauses={
        "a": "another queue borrows only what can be reclaimed",
        "b": "the head gets its quota when the Workload before it ends",
        "c": "and the other has no quota then",
    },
)
def test_kept_free(kueue_cluster, reclaim):
    queues = kueue_cluster.make_topology(f"all {{ found 2 StrictFIFO reclaim={reclaim}, effort 0 }}")
    queues.submit_in_turn("found: f1(0)1")
    first = queues.submit("found: f2(0)2")
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))

    queues.submit_all("effort: b1(0)1 b2(0)1")

    borrowing = ("b1",) if reclaim == "Any" else ()
    within("settle", lambda: queues.has_reserved("f1", *borrowing), clause="a")
    always(lambda: queues.has_reserved("f1", *borrowing), clause="a")
    queues.delete_workloads("f1")
    within("admit", first.is_admitted, clause="b")
    always(lambda: queues.has_reserved("f2"), clause="c")


@scenario(
    "QUE-031",
    "the quota of a strict queue is kept for its head while others borrow from the rest",
    requirement=("queueing#kept-free", "kueue-docs#borrowing"),
    shows="S-043a Q-226",
    since="0.19",
    also=("kep993",),
    level="should",
    clauses={
        "a": "a Workload that fits the rest is admitted",
        "b": "the head of the strict queue and a Workload that would take its quota stay pending",
        "c": "the first gets it when there is enough",
    },
)
def test_others_borrow_from_the_rest(kueue_cluster):
    queues = kueue_cluster.make_topology("all { strict 5 borrows<=0 StrictFIFO, team 5, shared 5 }")
    queues.submit_in_turn("strict: s1(10)3; team: t1(1)5")
    queues["team"].hold()
    within("react", lambda: queues["team"].is_inactive("Stopped"))
    first = queues.submit("strict: s2(99)3")
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))
    queues.submit_all("team: t2(11)5 t3(10)1")

    queues["team"].resume()

    within("admit", lambda: queues.has_reserved("s1", "t1", "t2"), clause="a")
    always(lambda: queues.has_reserved("s1", "t1", "t2"), clause="b")
    queues.delete_workloads("s1")
    within("admit", first.is_admitted, clause="c")


REST = table(
    """
    case                             | effort     | lets  | prefers
    the rest                         | b1(0)1     | f1 b1 | -
    a thousandth more                | b1(0)1001m | f1    | -
    it prefers preemption            | b1(0)1001m | f1    | canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing
    """
)


@scenario(
    "QUE-328",
    "a queue keeps nominal and borrowable quota free for a head that has no preemption targets",
    requirement="queueing#kept-free",
    shows="Q-226 T-13",
    since="0.19",
    also=("kep993",),
    level="should",
    cases=REST.cases,
    clauses={"a": "others borrow the rest, and no more", "b": "the first waits"},
)
def test_kept_free_to_the_thousandth(kueue_cluster, case):
    line = REST[case]
    policies = f"StrictFIFO reclaim=LowerPriority borrow=LowerPriority {line.prefers}"
    queues = kueue_cluster.make_topology(f"all {{ found 1 borrows<=2 {policies}, effort 0, bank 3 }}")
    queues.submit_in_turn("found: f1(0)1")
    first = queues.submit("found: f2(0)3")
    within("settle", lambda: first.has_condition("QuotaReserved", "False"))

    queues.submit_all(f"effort: {line.effort}")

    within("settle", lambda: queues.has_reserved(*line.lets.split()), clause="a")
    always(lambda: queues.has_reserved(*line.lets.split()), clause="a")
    always(first.is_suspended, clause="b")
