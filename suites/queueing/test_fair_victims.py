"""QUE: who has to go where quota is shared fairly (KEP-1714; Q-167, Q-258, Q-272, QC-12, QC-13).

A line of a table is read as in `test_victims`: the queues, who holds quota in the order of admission, who
comes, and who goes and why.
"""

from kueue_conformance import always, scenario, table, within

FAIR = "fair sharing"
SAYS = {"a": "these are preempted, for this reason", "b": "and no others, as long as they hold their quota"}
EIGHT = "big(-5)5 small(0)2 smaller(1)1"


def decide(kueue_cluster, line):
    """See who is preempted for a Workload that comes."""
    queues, new = kueue_cluster.play_preemption(line)
    within(
        "settle",
        lambda: new.has_condition("QuotaReserved", "False") and queues.has_preempted(line.goes),
        clause="a",
    )
    always(lambda: new.is_suspended() and queues.has_preempted(line.goes), clause="b")


OWED = table(
    """
    case                       | queues   | holding               | comes      | goes
    the largest share gives    | three    | b: b1(0)4; d: d1(0)5  | a: new(-1)2 | d1 InCohortReclamation
    as far as it is needed     | three    | b: b1(0)4; d: d1(0)5  | a: new(-1)3 | d1 InCohortReclamation
    from both                  | three    | d: d1(0)4 d2(0)1; b: b1(0)1 b2(0)1 b3(0)1 b4(0)1 | a: new(0)2 | d2 InCohortReclamation, b4 InCohortReclamation
    more than its own          | two      | b: b1(0)4             | a: new(0)3  | b1 InCohortFairSharing
    whatever it weighs         | weighing | b: b1(0)4             | a: new(0)2  | b1 InCohortReclamation
    lower ones only            | lower    | b: b1(0)4             | a: new(0)2  | -
    not at all                 | never    | b: b1(0)4             | a: new(9)2  | -
    """,
    three="all { a 3 reclaim=Any, b 3 reclaim=Any, d 3 reclaim=Any }",
    two="all { a 2 reclaim=Any, b 2 }",
    weighing="all { a 2 reclaim=Any weight=0, b 2 weight=9 }",
    lower="all { a 2 reclaim=LowerPriority, b 2 }",
    never="all { a 2 reclaim=Never, b 2 }",
)


@scenario(
    "QUE-205",
    "a queue reclaims its nominal quota from the queues that borrow it, from the largest share first",
    requirement="kep-1714#reclaim",
    shows="Q-258 Q-272 QC-13",
    since="0.9",
    needs=(FAIR,),
    cases=OWED.cases,
    clauses=SAYS,
)
def test_own_quota(kueue_cluster, case):
    decide(kueue_cluster, OWED[case])


STRATEGIES = table(
    f"""
    case                         | queues | holding                        | comes      | goes
    more is left to the other    | pool   | a: {EIGHT}                     | b: new(0)2 | big InCohortFairSharing
    too little is left           | pool   | a: {EIGHT}                     | b: new(0)4 | big InCohortFairSharing
    less than the other had      | pool   | a: x(0)8                       | b: new(0)7 | x InCohortFairSharing
    as much as the other had     | pool   | a: x(0)8                       | b: new(0)8 | -
    of one large one             | pool   | a: x(0)1 y(0)1 z(0)1; b: w(0)5 | a: new(0)1 | w InCohortFairSharing
    as much as the other has     | pool   | a: x(0)4; b: y(0)2 z(0)2       | b: new(0)1 | -
    the one that leaves enough   | pool   | a: big(-5)5 small(0)1; b: y(0)2 | b: new(0)1 | small InCohortFairSharing
    from the greedier of two     | wide   | a: x(0)5; b: y(-5)3            | c: new(0)1 | x InCohortFairSharing
    """,
    pool="all 8 { a reclaim=Any, b reclaim=Any }",
    wide="all 8 { a, b, c reclaim=Any }",
)


@scenario(
    "QUE-206",
    "a queue that borrows may preempt as far as the strategies allow",
    requirement="kep-1714#fair-preemption",
    shows="Q-167 Q-258 Q-272 QC-13",
    since="0.9",
    needs=(FAIR,),
    cases=STRATEGIES.cases,
    clauses=SAYS,
)
def test_strategies(kueue_cluster, case):
    decide(kueue_cluster, STRATEGIES[case])


WEIGHING = table(
    """
    case                        | queues  | holding                                     | comes      | goes
    twice the weight            | double  | a: a1(0)1 a2(0)1 a3(0)1 a4(0)1; b: b1(0)1 b2(0)1 b3(0)1 b4(0)1 b5(0)1 | b: new(0)1 | a4 InCohortFairSharing
    twice the weight, satisfied | double  | a: a1(0)1 a2(0)1 a3(0)1; b: b1(0)6          | b: new(0)1 | -
    the lighter one may not     | double  | a: a1(0)3; b: b1(0)6                        | a: new(0)1 | -
    a cohort of twice the weight | sides  | l: x(0)4; r: y(0)4                          | l: new(0)1 | y InCohortFairSharing
    """,
    double="all 9 { a reclaim=Any, b weight=2 reclaim=Any }",
    sides="root 8 { left weight=2 { l reclaim=Any }, right { r reclaim=Any } }",
)


@scenario(
    "QUE-207",
    "shares are compared by the weights of queues and cohorts",
    requirement=("kep-1714#fair-preemption", "kep-1714#share"),
    shows="Q-272 QC-12",
    since="0.19",
    needs=(FAIR,),
    cases=WEIGHING.cases,
    clauses=SAYS,
)
def test_weights(kueue_cluster, case):
    decide(kueue_cluster, WEIGHING[case])


WEIGHTLESS = table(
    """
    case                      | queues | holding             | comes       | goes
    gives all that is needed  | pool   | a: a1(5)2 a2(5)2    | b: new(0)4  | a1 InCohortFairSharing, a2 InCohortFairSharing
    takes nothing             | pool   | b: b1(0)4           | a: new(9)1  | -
    takes from its like       | pool   | a: a1(5)2 a2(5)2    | z: new(-9)2 | a2 InCohortFairSharing
    takes its own             | own    | b: b1(0)4           | a: new(0)2  | b1 InCohortReclamation
    """,
    pool="all 4 { a weight=0 reclaim=Any, b reclaim=Any, z weight=0 reclaim=Any }",
    own="all { a 2 weight=0 reclaim=Any, b 2 }",
)


@scenario(
    "QUE-208",
    "a queue of weight zero loses all that it borrows, and preempts only queues of weight zero",
    requirement=("kep-1714#fair-preemption", "kep-1714#share"),
    shows="Q-272 QC-12",
    since="0.9",
    needs=(FAIR,),
    cases=WEIGHTLESS.cases,
    clauses=SAYS,
)
def test_weight_of_nothing(kueue_cluster, case):
    decide(kueue_cluster, WEIGHTLESS[case])


PRIORITIES = table(
    """
    case                       | queues | holding                        | comes       | goes
    a low one may take         | pool   | a: high(9)2 mid(5)2            | b: new(-9)2 | mid InCohortFairSharing
    a high one may not         | pool   | a: low(-9)2; b: x(0)2          | b: new(9)1  | -
    the newest of equals       | pool   | a: older(0)1 newer(0)1 x(9)2   | b: new(0)1  | newer InCohortFairSharing
    lower ones only            | lower  | a: high(9)2 mid(5)2            | b: new(5)2  | -
    a lower one                | lower  | a: high(9)2 mid(5)2            | b: new(6)2  | mid InCohortFairSharing
    """,
    pool="all 4 { a reclaim=Any, b reclaim=Any }",
    lower="all 4 { a, b reclaim=LowerPriority }",
)


@scenario(
    "QUE-209",
    "between queues the shares decide and not priorities; within a queue the lowest priority is preempted first",
    requirement="kep-1714#priority-inside",
    shows="Q-250 Q-262 Q-272 QC-13",
    since="0.9",
    needs=(FAIR,),
    cases=PRIORITIES.cases,
    clauses=SAYS,
)
def test_priorities(kueue_cluster, case):
    decide(kueue_cluster, PRIORITIES[case])


OWN_QUEUE = table(
    """
    case                        | queues | holding                      | comes      | goes
    its own lower one           | pool   | a: low(-1)2; b: x(0)2        | a: new(0)2 | low InClusterQueue
    not its own equal           | pool   | a: mid(0)2; b: x(0)2         | a: new(0)2 | -
    of a greedier queue first   | pool   | a: low(-1)1; b: x(0)1 y(0)2  | a: new(0)1 | x InCohortFairSharing
    its own where that has less | pool   | a: low(-1)1; b: x(0)3        | a: new(0)1 | low InClusterQueue
    without a cohort            | alone  | a: low(-1)2 x(5)2            | a: new(0)2 | low InClusterQueue
    """,
    pool="all 4 { a within=LowerPriority reclaim=Any, b reclaim=Any }",
    alone="a 4 within=LowerPriority",
)


@scenario(
    "QUE-210",
    "a queue preempts its own Workloads by priority",
    requirement="kep-1714#priority-inside",
    shows="Q-250 Q-258 QC-13",
    since="0.9",
    needs=(FAIR,),
    cases=OWN_QUEUE.cases,
    clauses=SAYS,
)
def test_own_queue(kueue_cluster, case):
    decide(kueue_cluster, OWN_QUEUE[case])


SIDES = table(
    """
    case                           | queues | holding                          | comes      | goes
    by the sides                   | tree   | a: a1(0)1; b: b1(0)5; c: c1(0)2  | c: new(0)2 | b1 InCohortFairSharing
    though its queue has more      | tree   | a: a1(0)3; b: b1(0)3; c: c1(0)2  | c: new(0)2 | b1 InCohortFairSharing
    inside of a side               | tree   | a: a1(0)1; b: b1(0)5; c: c1(0)2  | a: new(0)2 | b1 InCohortFairSharing
    not over the side              | tree   | a: a1(0)1; b: b1(0)5; c: c1(0)2  | b: new(0)1 | -
    a side within its own          | owner  | a: a1(0)3; c: c1(0)5             | a: new(0)1 | c1 InCohortFairSharing
    not of a side within its own   | owner  | a: a1(0)4; c: c1(0)4             | c: new(0)1 | -
    """,
    tree="root 8 { left { a reclaim=Any, b reclaim=Any }, right { c reclaim=Any } }",
    owner="root 4 { left 4 { a reclaim=Any }, right { c reclaim=Any } }",
)


@scenario(
    "QUE-211",
    "in a tree of cohorts the sides below the common ancestor are compared",
    requirement=("kep-1714#fair-preemption", "kep-79#hierarchical-preemption"),
    shows="Q-272 QC-13",
    since="0.19",
    needs=(FAIR,),
    cases=SIDES.cases,
    clauses=SAYS,
)
def test_sides(kueue_cluster, case):
    decide(kueue_cluster, SIDES[case])


@scenario(
    "QUE-212",
    "a Workload preempted for a fair share waits, and does not preempt in turn",
    requirement=("kep-1714#no-flapping", "kep-1714#fair-preemption"),
    shows="Q-272 Q-296 QC-13",
    since="0.9",
    needs=(FAIR,),
    clauses={
        "a": "the newcomer gets its quota",
        "b": "both queues keep their Workloads",
        "c": "the victim is admitted when the other ends",
    },
)
def test_no_flapping(kueue_cluster):
    queues = kueue_cluster.make_topology(
        "all 4 { a within=LowerPriority reclaim=Any, b within=LowerPriority reclaim=Any }"
    )
    queues.submit_in_turn("a: older(0)2 newer(0)2")

    queues.submit_all("b: new(0)2")

    within("admit", lambda: queues.has_reserved("older", "new"), clause="a")
    always(lambda: queues.has_reserved("older", "new") and queues.were_preempted("newer"), clause="b")
    queues.delete_workloads("new")
    within("admit", lambda: queues.has_reserved("older", "newer"), clause="c")


@scenario(
    "QUE-213",
    "a queue gets its fair share Workload by Workload, and no more",
    requirement="kep-1714#fair-preemption",
    shows="Q-272 QC-12 QC-13",
    since="0.9",
    needs=(FAIR,),
    clauses={"a": "it gets half of everything", "b": "more than that waits", "c": "shares are equal"},
)
def test_half_of_everything(kueue_cluster):
    queues = kueue_cluster.make_topology("all 4 { a reclaim=Any, b reclaim=Any }")
    queues.submit_in_turn("a: a1(3)1 a2(2)1 a3(1)1 a4(0)1")

    queues.submit_all("b: b1(0)1 b2(0)1 b3(0)1")

    within("admit", lambda: queues.has_reserved("a1", "a2", "b1", "b2"), clause="a")
    always(
        lambda: queues.has_reserved("a1", "a2", "b1", "b2") and queues.were_preempted("a3", "a4"), clause="b"
    )
    within("settle", lambda: queues.shows_shares("a 500, b 500"), clause="c")


@scenario(
    "QUE-214",
    "the victim of a preemption for a fair share has that reason",
    requirement=("kep-1714#fair-preemption", "kep-83#reasons"),
    shows="Q-258 M-060a QC-13",
    level="should",
    since="0.9",
    needs=(FAIR,),
    clauses={"a": "in the condition Preempted", "b": "in the text"},
)
def test_told_victim(kueue_cluster):
    queues = kueue_cluster.make_topology("all 4 { a reclaim=Any, b reclaim=Any }")
    (victim,) = queues.submit_in_turn("a: x(0)4")
    kueue_cluster.release.pods_are_held = True

    queues.submit_all("b: new(0)2")

    within("settle", lambda: victim.has_condition("Preempted", "True", "InCohortFairSharing"), clause="a")
    within(
        "settle",
        lambda: victim.has_message_containing("Preempted", "due to Fair Sharing within the cohort"),
        clause="b",
    )


BORROWING = table(
    """
    case                 | queues                                                    | goes
    it may reclaim       | all { a 1 within=LowerPriority reclaim=Any, b 3 }         | low InClusterQueue
    it may not           | all { a 1 within=LowerPriority, b 3 }                     | -
    """
)


@scenario(
    "QUE-329",
    "a queue that would borrow preempts its own Workloads where it may reclaim quota, and else waits",
    requirement="kep-1714#fair-preemption",
    shows="Q-167 Q-252",
    since="0.19",
    level="should",
    needs=(FAIR,),
    cases=BORROWING.cases,
    clauses=SAYS,
)
def test_borrows_over_its_own(kueue_cluster, case):
    line = BORROWING[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn("b: x(9)2; a: low(-5)2")
    kueue_cluster.release.pods_are_held = True

    new = queues.submit("a: new(0)2")

    within(
        "settle",
        lambda: new.has_condition("QuotaReserved", "False") and queues.has_preempted(line.goes),
        clause="a",
    )
    always(lambda: new.is_suspended() and queues.has_preempted(line.goes), clause="b")
