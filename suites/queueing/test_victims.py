"""QUE: who has to go so that another Workload gets its quota (KEP-83, KEP-79, KEP-1337; Q-250…Q-271).

A line of a table: the queues, who holds quota (in the order of admission), who comes, and who is preempted
for it and why. How queues and Workloads are written down tells
`kueue_conformance/stage/cohorts/topology_text.py`.
"""

from kueue_conformance import always, scenario, table, within

SAYS = {
    "a": "these are preempted, for this reason",
    "b": "and no others, as long as they hold their quota",
    "c": "the preemptor gets its quota when they have released theirs, or when the other Workloads have ended",
}


def decide(kueue_cluster, line):
    """See who is preempted for a Workload that comes, and that it gets its quota once they have let go."""
    queues, new = kueue_cluster.play_preemption(line)
    within(
        "settle",
        lambda: new.has_condition("QuotaReserved", "False") and queues.has_preempted(line.goes),
        clause="a",
    )
    always(lambda: new.is_suspended() and queues.has_preempted(line.goes), clause="b")
    if not line.goes:
        queues.delete_workloads(*(name for name, workload in queues.workloads.items() if workload is not new))
    kueue_cluster.release.pods_are_held = False
    within("admit", new.is_admitted, clause="c")


IN_THE_QUEUE = table(
    """
    case                  | row     | queues      | holding                                                                 | comes                                       | goes
    the lowest first      | G-P1-01 | one-flavor  | q: low(-1)2 mid(0)2 high(1)2                                            | q: new(1)2                                  | low InClusterQueue
    as many as are needed | G-P1-02 | one-flavor  | q: low(-1)2 mid(0)2 high(1)2                                            | q: new(1)3                                  | low InClusterQueue, mid InClusterQueue
    none for the lowest   | G-P1-03 | one-flavor  | q: low(-1)3 mid(0)3                                                     | q: new(-1)1                                 | -
    none in vain          | G-P1-04 | one-flavor  | q: low(-1)3 mid(0)3                                                     | q: new(0)4                                  | -
    what is free counts   | G-P1-05 | one-flavor  | q: low(-1)1 mid(0)1 high(1)3                                            | q: new(1)2                                  | low InClusterQueue
    filled back           | G-P1-06 | one-flavor  | q: low(-1)1 mid(0)2 high(1)3                                            | q: new(1)2                                  | mid InClusterQueue
    only of the flavor    | G-P1-07 | two-flavors | q: low(-1)memory=2Gi/alpha mid(0)memory=2Gi/beta high(1)memory=1Gi/beta | q: new(1)1,memory=2Gi/beta                  | mid InClusterQueue
    of both flavors       | G-P1-21 | two-flavors | q: one(-1)memory=2Gi/alpha other(-1)memory=2Gi/beta                     | q: new(0)memory=2Gi/alpha+2xmemory=1Gi/beta | one InClusterQueue, other InClusterQueue
    the newest of equals  | -       | one-flavor  | q: older(0)2 newer(0)2 newest(0)2                                       | q: new(1)2                                  | newest InClusterQueue
    for the smallest need | -       | bytes       | q: low(-1)memory=1 mid(0)memory=1                                       | q: new(1)memory=1                           | low InClusterQueue
    without a cohort      | -       | alone       | q: low(-1)2 mid(0)2                                                     | q: new(1)2                                  | low InClusterQueue
    never                 | -       | never       | q: low(-1)2                                                             | q: new(9)1                                  | -
    """,
    **{
        "one-flavor": "q 6 within=LowerPriority",
        "never": "q 2 within=Never",
        "bytes": "q memory/default:2 within=LowerPriority",
        "alone": "q 4 within=LowerPriority reclaim=Any borrow=LowerPriority",
        "two-flavors": "q 6 memory/alpha:3Gi memory/beta:3Gi within=LowerPriority",
    },
)


@scenario(
    "QUE-060",
    "of the Workloads of lower priority in a queue the lowest are preempted, and no more than are needed",
    requirement=("kep-83#within-cluster-queue", "kep-83#minimal-preemptions", "kep-83#candidate-order"),
    shows=f"Q-250 Q-262 Q-266 Q-269 Q-270 Q-293 {IN_THE_QUEUE.shows}",
    cases=IN_THE_QUEUE.cases,
    evidence=IN_THE_QUEUE.evidence,
    since="0.19",
    also=("kep993",),
    revision=2,
    clauses=SAYS,
)
def test_victims_in_the_queue(kueue_cluster, case):
    decide(kueue_cluster, IN_THE_QUEUE[case])


IN_THE_COHORT = table(
    """
    case                              | row     | queues  | holding                                             | comes              | goes
    what was lent is reclaimed        | G-P1-08 | limited | one: low(-1)3; other: mid(0)3 high(1)6              | one: new(1)3       | mid InCohortReclamation
    by quota and not by memory        | G-P1-09 | limited | one: low(-1)3,memory=3Gi; other: mid(0)3 high(1)6   | one: new(1)3,memory=0 | mid InCohortReclamation
    not beyond the own quota          | G-P1-11 | limited | one: high(1)4; other: low(-1)4 low2(-1)4            | one: new(1)4       | -
    two resources                     | G-P1-12 | limited | one: low(-1)4; other: low2(-1)4 high(1)4            | one: new(1)4,memory=5Gi | low InClusterQueue
    a borrower in its own queue       | G-P1-13 | limited | one: med(0)4 low(-1)4; other: low2(-1)4             | one: new(1)4       | low InClusterQueue
    without limits                    | G-P1-14 | free    | one: med(0)4 low(-1)4; other: low2(-1)4             | one: new(1)4       | low InClusterQueue
    other resources count             | G-P1-15 | limited | one: med(0)4; other: low(-1)5 two(-1)1 three(-1)1   | one: new(1)2,memory=5Gi | med InClusterQueue
    a cohort of one                   | G-P1-16 | single  | one: med(0)4 low(-1)2                               | one: new(1)4       | med InClusterQueue
    not from equals                   | G-P1-17 | limited | one: a(0)2; other: b(0)4 c(0)4                      | one: new(0)4       | -
    from anybody who borrows          | G-P1-18 | limited | one: lower(0)4 higher(1)4; other: b(0)2             | other: new(0)4     | lower InCohortReclamation
    from both                         | G-P1-19 | limited | one: low(-1)3 mid(0)2; other: low2(-1)3 mid2(0)4    | one: new(0)4       | low InClusterQueue, low2 InCohortReclamation
    not in its own queue              | G-P1-20 | limited | one: a(0)6; other: low(-1)3                         | other: new(1)4     | -
    lent within a limit               | G-P1-29 | lending | one: low(-1)3; other: mid(0)3 high(1)4              | one: new(1)3       | mid InCohortReclamation
    lent within a limit and own       | G-P1-30 | lending | one: low(-1)3 mid(0)2; other: low2(-1)3 mid2(0)4    | one: new(0)4       | low InClusterQueue, low2 InCohortReclamation
    own first where it is used up     | G-P1-32 | three   | a: a1(-2)1 a2(-2)1 a3(-1)1; b: b1(0)1 b2(0)1 b3(0)1 | a: new(0)2         | a1 InClusterQueue, a2 InClusterQueue
    own first with two resources      | G-P1-33 | three   | a: a1(-2)1,memory=1 a2(-2)1,memory=1 a3(-1)1,memory=1; b: b1(0)1,memory=1 b2(0)1,memory=1 b3(0)1,memory=1 | a: new(0)2,memory=2 | a1 InClusterQueue, a2 InClusterQueue
    one of each                       | G-P1-35 | three   | a: a1(-1)1; b: b1(0)1 b2(0)1 b3(0)1 b4(0)1 b5(-1)1  | a: new(0)2         | a1 InClusterQueue, b5 InCohortReclamation
    over a distance                   | G-P1-36 | apart   | other: b(0)5                                        | one: new(0)8       | b InCohortReclamation
    the newest of equal borrowers     | -       | three   | b: b1(0)2 b2(0)2; c: c1(0)2                         | a: new(0)1         | b2 InCohortReclamation
    not from who stays within its own | -       | three   | b: b1(-5)2; c: c1(5)4                               | a: new(0)1         | c1 InCohortReclamation
    all of its own quota              | G-F9    | halves  | b: b1(0)6                                           | a: new(0)5         | b1 InCohortReclamation
    others before its own             | -       | both    | a: a1(-5)1; b: b1(0)3                               | a: new(0)1         | b1 InCohortReclamation
    no more than was lent             | -       | lower   | b: b1(0)1 b2(0)1 b3(0)1; c: c1(9)3                  | a: new(5)2         | -
    """,
    limited="""all {
        one 6 borrows<=6 memory/default:3Gi borrows<=3Gi within=LowerPriority reclaim=LowerPriority,
        other 6 borrows<=6 memory/default:3Gi borrows<=3Gi within=Never reclaim=Any }""",
    free="""all {
        one 6 memory/default:3Gi within=LowerPriority reclaim=LowerPriority,
        other 6 memory/default:3Gi within=Never reclaim=Any }""",
    single="all { one 6 borrows<=12 within=LowerPriority reclaim=LowerPriority }",
    lending="""all {
        one 6 lends<=4 within=LowerPriority reclaim=LowerPriority,
        other 6 lends<=2 within=LowerPriority reclaim=LowerPriority }""",
    three="""all {
        a 2 memory/default:2 within=LowerPriority reclaim=Any, b 2 memory/default:2, c 2 memory/default:2 }""",
    halves="all { a 5 reclaim=Any, b 5 }",
    both="all { a 2 within=LowerPriority reclaim=Any, b 2 }",
    lower="all { a 2 reclaim=LowerPriority, b 2, c 2 }",
    apart="root { left { one 10 reclaim=Any }, right { other } }",
)


@scenario(
    "QUE-061",
    "of queues that borrow, Workloads that hold quota of the preemptor's queue are preempted",
    requirement=("kep-83#reclaim-within-cohort", "kep-83#minimal-preemptions", "kep-83#candidate-order"),
    shows=f"Q-251 Q-252 Q-253 Q-255 Q-256 Q-258 Q-262 Q-263 Q-266 Q-267 Q-268 Q-271 S-055 S-056 S-061 {IN_THE_COHORT.shows}",
    cases=IN_THE_COHORT.cases,
    evidence=IN_THE_COHORT.evidence,
    since="0.19",
    also=("kep993",),
    clauses=SAYS,
)
def test_victims_in_the_cohort(kueue_cluster, case):
    decide(kueue_cluster, IN_THE_COHORT[case])


BY_A_BORROWER = table(
    """
    case                        | row     | queues | holding                                                    | comes          | goes
    the lower one below it      | G-P1-23 | five   | a-effort: low(-1)10; b-effort: low2(-1)1                   | a: new(0)10    | low InCohortReclaimWhileBorrowing
    not above the threshold     | G-P1-24 | five   | b: b1(1)10                                                 | a: new(2)10    | -
    at the threshold            | -       | five   | a-effort: low(0)10                                         | a: new(1)10    | low InCohortReclaimWhileBorrowing
    above it for own quota      | G-P1-25 | five   | b: b1(1)13                                                 | a: new(2)1     | b1 InCohortReclamation
    not in its own queue        | G-P1-26 | five   | a: a1(1)13                                                 | a: new(2)1     | -
    in its own queue            | G-P1-27 | five   | a: a1(1)10 a2(1)1; b: b1(1)1 b2(2)1                        | b: new(3)1     | b1 InClusterQueue
    one of each                 | G-P1-28 | five   | b: high(2)10 mid(1)1; a-effort: low(-1)1 lower(-2)1        | b: new(2)2     | lower InCohortReclaimWhileBorrowing, mid InClusterQueue
    no threshold                | -       | open   | other: b(1)2                                               | one: new(2)2   | b InCohortReclaimWhileBorrowing
    not from equals of any      | -       | any    | other: b(2)2                                               | one: new(2)2   | -
    not from equals             | -       | open   | other: b(2)2                                               | one: new(2)2   | -
    none where that is Never    | -       | never  | one: low(-1)2; other: b(0)1                                | one: new(0)3   | -
    """,
    five="""all {
        a 1 borrows<=12 within=Never reclaim=LowerPriority borrow=LowerPriority threshold=0,
        b 1 borrows<=12 within=LowerPriority reclaim=Any borrow=LowerPriority threshold=0,
        a-effort 1 borrows<=12 within=Never reclaim=LowerPriority borrow=LowerPriority threshold=0,
        b-effort 0 borrows<=13 within=Never reclaim=LowerPriority borrow=LowerPriority threshold=0,
        shared 10 }""",
    never="all { one 2 within=LowerPriority, other 2 }",
    any="all { one 0 reclaim=Any borrow=LowerPriority, other 0, shared 2 }",
    open="all { one 0 reclaim=LowerPriority borrow=LowerPriority, other 0, shared 2 }",
)


@scenario(
    "QUE-062",
    "a Workload that borrows preempts Workloads of other queues with a lower priority, up to the threshold",
    requirement=("kep-1337#borrow-within-cohort", "kep-83#minimal-preemptions"),
    shows=f"Q-167 Q-257 Q-258 Q-266 Q-271 S-060 {BY_A_BORROWER.shows}",
    cases=BY_A_BORROWER.cases,
    evidence=BY_A_BORROWER.evidence,
    since="0.19",
    also=("kep993",),
    clauses=SAYS,
)
def test_victims_of_a_borrower(kueue_cluster, case):
    decide(kueue_cluster, BY_A_BORROWER[case])


_ALL = "within=LowerPriority reclaim=Any"
_BWC = f"{_ALL} borrow=LowerPriority threshold=0"


def _tree(c, other_queues="", q="0", policies=_ALL, r=""):
    """Return the tree of most lines: `q` and `s` in the cohort `c`,
    `b` and what else there is at the root.
    """
    return f"r {r} {{ c {c} {{ q {q} {policies}, s 0 {_ALL} }}, b 0 {_ALL} {other_queues} }}"


IN_THE_TREE = table(
    """
    case                            | row     | queues  | holding                                                    | comes                  | goes
    what belongs to the cohort      | G-P2-01 | two     | b: b1(0)2                                                  | q: new(0)2             | b1 InCohortReclamation
    not within its own              | G-P2-02 | beside  | n: n1(-10)2; b: b1(0)2                                     | q: new(0)2             | b1 InCohortReclamation
    both                            | G-P2-03 | two     | b: b1(1)1 b2(2)1                                           | q: new(0)2             | b1 InCohortReclamation, b2 InCohortReclamation
    a borrower in the cohort        | G-P2-04 | three+  | s: s1(1)1 s0(0)1; q: q1(-1)1                               | q: new(1)2             | q1 InClusterQueue, s0 InCohortReclaimWhileBorrowing
    by right before by priority     | G-P2-05 | two     | b: b1(1)1; q: q1(-2)1                                      | q: new(0)1             | b1 InCohortReclamation
    while borrowing in the cohort   | G-P2-06 | beside+ | n: n1(-10)2; s: s1(-1)2                                    | q: new(0)2             | s1 InCohortReclaimWhileBorrowing
    own quota from the whole tree   | G-P2-07 | own     | b: b1(10)3; s: s1(10)3                                     | q: new(0)4             | b1 InCohortReclamation, s1 InCohortReclamation
    lower borrowers of both kinds   | G-P2-08 | root    | b: b1(-1)2 b2(1)2; s: s1(-1)1                              | q: new(0)3             | b1 InCohortReclamation, s1 InCohortReclaimWhileBorrowing
    a lower one and one of its own  | G-P2-09 | root    | b: b1(-1)2 b2(1)2; q: q1(-1)1                              | q: new(0)3             | b1 InCohortReclamation, q1 InClusterQueue
    one is enough                   | G-P2-10 | beside3 | b: b1(8)1 b2(9)1 b3(9)1; n: n1(-2)2                        | q: new(0)1             | b1 InCohortReclamation
    not from a cohort within its own | G-P2-11 | other  | o: o1(-10)1 o2(-10)1; s: s1(0)2                            | q: new(0)2             | -
    the resource that is short      | G-P2-12 | memory  | b: b1(0)3,memory=1Gi; s: s1(-2)1,memory=3Gi                | q: new(-2)2,memory=1Gi | b1 InCohortReclamation
    with a lending limit            | G-P2-14 | lending | b: b1(0)4                                                  | q: new(-2)5            | b1 InCohortReclamation
    a deep tree                     | G-P2-15 | deep    | q1: q1a(-6)4 q1b(-5)4; q2: q2a(-9)4 q2b(-10)4; q3: q3a(-4)4 q3b(-3)3; q4: q4a(4)2 q4b(2)3 | q5: new(-2)7 | q1a InCohortReclamation, q2b InCohortReclamation
    right goes before priority      | -       | claim   | e: e1(9)3                                                  | g: new(1)3             | e1 InCohortReclamation
    """,
    two=_tree(2), beside=_tree(2, f", n 2 {_ALL}"), beside3=_tree(3, f", n 2 {_ALL}"), own=_tree(2, q="4"),
    root=_tree(4, policies="within=LowerPriority reclaim=LowerPriority borrow=LowerPriority threshold=0", r="1"),
    other=_tree(2, f", d 2 {{ o 0 {_ALL} }}"), lending=_tree(2, q="3 lends<=2"),
    memory=f"r 3 {{ c 4 memory/default:4Gi {{ q 0 memory/default:0 {_ALL}, s 0 memory/default:0 {_ALL} }}, b 0 memory/default:0 {_ALL} }}",
    deep=f"""r {{
        c11 4 {{ c21 4 {{ c31 4 {{ q5 0 {_ALL} }}, c32 4 {{ q4 0 {_ALL} }} }}, c22 4 {{ q3 0 {_ALL} }}, c23 4 {{ q2 0 {_ALL} }} }},
        c12 4 {{ q1 0 {_ALL} }} }}""",
    claim=f"r {{ guaranteed 3 {{ g 0 {_ALL} }}, e 0 {_ALL} }}",
    **{"three+": _tree(3, policies=_BWC), "beside+": _tree(2, f", n 2 {_ALL}", policies=_BWC)},
)  # fmt: skip


@scenario(
    "QUE-063",
    "the quota of a subtree is reclaimed from Workloads outside of it, whatever their priority is",
    requirement=("kep-79#hierarchical-preemption", "kep-83#minimal-preemptions"),
    shows=f"Q-255 Q-256 Q-257 Q-259 Q-263 Q-267 S-067 {IN_THE_TREE.shows}",
    cases=IN_THE_TREE.cases,
    evidence=IN_THE_TREE.evidence,
    since="0.19",
    also=("kep993",),
    clauses=SAYS,
)
def test_victims_in_the_tree(kueue_cluster, case):
    decide(kueue_cluster, IN_THE_TREE[case])


SECOND_TRY = table(
    """
    case                        | queues                                                                      | holding              | comes      | goes
    a more important one        | all { q 2 within=LowerPriority reclaim=Any borrow=LowerPriority, o 2 }      | q: low(0)1; o: y(9)3 | q: new(5)2 | low InClusterQueue, y InCohortReclamation
    not for what is borrowed    | all { q 1 within=LowerPriority reclaim=Any borrow=LowerPriority, o 2, s 1 } | q: low(0)1; o: y(9)3 | q: new(5)2 | -
    a less important one for it | all { q 1 reclaim=Any borrow=LowerPriority, o 2, s 1 }                      | o: y(0)4             | q: new(5)2 | y InCohortReclaimWhileBorrowing
    above the threshold         | all { q 2 within=LowerPriority reclaim=Any borrow=LowerPriority threshold=0, o 2 } | q: low(0)1; o: y(3)3 | q: new(5)2 | low InClusterQueue, y InCohortReclamation
    """
)


@scenario(
    "QUE-283",
    "a queue with borrowWithinCohort reclaims its nominal quota from Workloads that it may not preempt while borrowing",
    requirement=("kep-1337#borrow-within-cohort", "kep-83#minimal-preemptions"),
    shows="Q-257 Q-258 Q-266 Q-267",
    cases=SECOND_TRY.cases,
    since="0.19",
    also=("kep993",),
    clauses=SAYS,
)
def test_victims_of_the_second_attempt(kueue_cluster, case):
    decide(kueue_cluster, SECOND_TRY[case])
