"""QUE: clusters that were drawn by lot: trees of cohorts, limits, policies, flavors and Workloads that no
other table thought of.

A line of the table: the queues, who holds quota (in the order of admission), who comes, which flavor it gets
at once, and who is preempted for it and why. An amount is a thousandth of a core, so that a decision that is
wrong by the smallest amount shows. What a line says was worked out by a model of the rules that computes
everything anew; the lines are those in which many small changes of a right scheduler show.
"""

from kueue_conformance import always, scenario, table, within

DRAWN = table(
    """
    case | queues | holding | comes | uses | goes
    1   | all { a f:5m within=LowerPriority reclaim=Any borrow=LowerPriority threshold=1, b f:0m lends<=0m within=LowerPriority reclaim=Any borrow=LowerPriority threshold=1, c f:4m lends<=2m within=LowerOrNewerEqualPriority reclaim=Any } | c: w0(-1)2m w1(0)2m; a: w2(1)2m w3(-1)1m; c: w4(1)2m | b: new(1)2m | - | w0 InCohortReclaimWhileBorrowing
    2   | root { left { a f:0m g:2m within=LowerPriority reclaim=Any canBorrow=TryNextFlavor canPreempt=MayStopSearch }, right { b f:2m borrows<=3m lends<=2m g:5m lends<=0m canPreempt=MayStopSearch, c f:0m g:4m lends<=1m within=LowerOrNewerEqualPriority reclaim=LowerPriority canBorrow=TryNextFlavor prefers=PreemptionOverBorrowing } } | c: w0(-1)2m; b: w1(-1)3m; a: w2(2)3m | c: new(0)3m | - | w0 InClusterQueue
    3   | root { left f:0m lends<=0m g:2m borrows<=2m lends<=0m { a f:4m lends<=4m g:3m borrows<=3m lends<=0m within=LowerPriority reclaim=Any borrow=LowerPriority threshold=0 canBorrow=TryNextFlavor prefers=PreemptionOverBorrowing }, right { b f:3m g:3m lends<=1m within=LowerOrNewerEqualPriority reclaim=Any canPreempt=MayStopSearch, c f:0m g:1m within=LowerPriority reclaim=LowerPriority borrow=LowerPriority canBorrow=TryNextFlavor canPreempt=MayStopSearch } } | c: w0(0)1m w1(2)1m; b: w2(1)1m; a: w3(-1)2m w4(-1)1m w5(-1)2m | b: new(2)3m | - | w1 InCohortReclamation, w2 InClusterQueue
    4   | root f:0m g:0m { left f:1m g:1m { a f:2m g:2m within=LowerPriority reclaim=Any borrow=LowerPriority threshold=1, b f:3m g:2m }, right { c f:5m g:0m lends<=0m reclaim=LowerPriority canPreempt=MayStopSearch } } | b: w0(-1)1m; a: w1(-1)1m; c: w2(1)2m w3(2)3m w4(-1)1m w5(-1)3m; b: w6(-1)2m | a: new(3)5m | - | w1 InClusterQueue, w4 InCohortReclaimWhileBorrowing, w5 InCohortReclaimWhileBorrowing
    5   | root f:1m g:1m { left { a f:4m lends<=1m g:3m borrows<=1m lends<=3m reclaim=LowerPriority borrow=LowerPriority threshold=0 canPreempt=MayStopSearch }, right { b f:4m g:5m within=LowerPriority reclaim=LowerPriority canBorrow=TryNextFlavor canPreempt=MayStopSearch, c f:1m borrows<=2m g:4m borrows<=1m within=LowerOrNewerEqualPriority reclaim=LowerPriority canPreempt=MayStopSearch } } | b: w0(-1)3m; c: w1(1)2m; a: w2(-1)2m w3(1)3m; b: w4(-1)3m | b: new(3)4m | - | w0 InClusterQueue, w2 InCohortReclamation
    6   | all f:2m { a f:1m within=LowerPriority reclaim=Any, b f:4m within=LowerPriority reclaim=LowerPriority, c f:5m lends<=3m within=LowerPriority } | a: w0(2)1m; c: w1(0)2m; a: w2(1)3m; b: w3(-1)1m; a: w4(1)3m; c: w5(2)1m | b: new(2)4m | - | w3 InClusterQueue, w4 InCohortReclamation
    7   | root f:2m { left f:1m { a f:4m borrows<=2m within=LowerPriority reclaim=LowerPriority, b f:0m borrows<=3m within=LowerOrNewerEqualPriority reclaim=Any }, right { c f:4m within=LowerPriority reclaim=Any } } | b: w0(0)2m; c: w1(0)1m; a: w2(0)3m | b: new(1)3m | - | -
    8   | root { left { a f:5m }, right f:0m lends<=0m { b f:1m within=LowerPriority reclaim=Any, c f:4m lends<=4m within=LowerOrNewerEqualPriority reclaim=Any borrow=LowerPriority threshold=0 } } | c: w0(1)1m; a: w1(-1)2m; b: w2(0)2m; a: w3(0)3m; b: w4(0)2m | b: new(2)2m | - | -
    9   | root f:0m g:0m { left { a f:2m lends<=2m g:2m within=LowerPriority reclaim=Any, b f:1m g:0m lends<=0m within=LowerPriority reclaim=Any borrow=LowerPriority canBorrow=TryNextFlavor prefers=PreemptionOverBorrowing }, right f:1m g:1m { c f:1m borrows<=2m g:3m borrows<=3m within=LowerPriority reclaim=LowerPriority canBorrow=TryNextFlavor canPreempt=MayStopSearch } } | b: w0(1)3m; a: w1(0)3m; c: w2(1)1m; a: w3(-1)2m | b: new(1)5m | - | w1 InCohortReclaimWhileBorrowing, w3 InCohortReclaimWhileBorrowing
    10  | all { a f:0m borrows<=2m g:4m within=LowerPriority, b f:2m g:2m within=LowerPriority reclaim=Any canBorrow=TryNextFlavor prefers=PreemptionOverBorrowing, c f:4m g:0m borrows<=2m within=LowerPriority canBorrow=TryNextFlavor canPreempt=MayStopSearch } | c: w0(-1)3m; a: w1(1)3m; c: w2(1)2m; b: w3(1)3m; a: w4(0)1m | b: new(1)1m | - | w0 InCohortReclamation
    11  | root { left f:1m lends<=0m { a f:0m within=LowerOrNewerEqualPriority reclaim=Any }, right { b f:3m within=LowerPriority reclaim=LowerPriority, c f:3m borrows<=1m within=LowerPriority } } | a: w0(-1)3m w1(-1)3m | b: new(1)5m | - | w0 InCohortReclamation, w1 InCohortReclamation
    12  | all { a f:4m lends<=1m g:5m lends<=5m within=LowerPriority reclaim=Any borrow=LowerPriority threshold=1 canPreempt=MayStopSearch, b f:4m g:4m within=LowerPriority canPreempt=MayStopSearch, c f:5m g:4m lends<=2m within=LowerOrNewerEqualPriority reclaim=LowerPriority borrow=LowerPriority threshold=1 canPreempt=MayStopSearch } | c: w0(2)2m; b: w1(1)3m w2(-1)3m; c: w3(2)2m w4(-1)3m | c: new(3)5m | - | w2 InCohortReclaimWhileBorrowing, w3 InClusterQueue
    13  | root { left f:0m borrows<=2m { a f:4m within=LowerPriority reclaim=Any, b f:0m reclaim=Any borrow=LowerPriority threshold=1 }, right { c f:0m within=LowerPriority } } | b: w0(2)1m; a: w1(0)1m w2(0)1m | a: new(3)3m | - | w0 InCohortReclamation, w2 InClusterQueue
    14  | all { a f:5m lends<=4m g:2m borrows<=3m within=LowerOrNewerEqualPriority canBorrow=TryNextFlavor canPreempt=MayStopSearch, b f:5m g:2m within=LowerOrNewerEqualPriority reclaim=Any canPreempt=MayStopSearch, c f:1m g:1m reclaim=LowerPriority canPreempt=MayStopSearch } | b: w0(0)2m; c: w1(-1)2m; b: w2(0)1m; c: w3(1)3m; b: w4(-1)3m; a: w5(0)3m; c: w6(2)1m | b: new(1)3m | - | w1 InCohortReclamation, w2 InClusterQueue
    15  | root { left f:2m borrows<=3m g:2m { a f:5m lends<=1m g:3m within=LowerPriority reclaim=Any canPreempt=MayStopSearch }, right f:1m borrows<=2m g:1m { b f:4m lends<=0m g:5m within=LowerPriority, c f:1m g:1m lends<=0m within=LowerPriority canBorrow=TryNextFlavor } } | c: w0(0)3m w1(0)3m; b: w2(2)3m w3(0)2m w4(0)3m; a: w5(2)1m | a: new(2)5m | - | w4 InCohortReclamation
    16  | root { left { a f:1m within=LowerPriority }, right f:1m borrows<=2m { b f:3m lends<=2m within=LowerPriority reclaim=Any, c f:0m lends<=0m reclaim=LowerPriority borrow=LowerPriority threshold=1 } } | a: w0(1)3m w1(0)1m | b: new(0)4m | - | w0 InCohortReclamation
    17  | root f:1m { left { a f:1m reclaim=Any borrow=LowerPriority threshold=0 }, right { b f:1m within=LowerOrNewerEqualPriority, c f:2m within=LowerPriority reclaim=Any borrow=LowerPriority threshold=0 } } | b: w0(-1)3m; a: w1(0)1m; b: w2(-1)1m | a: new(0)3m | - | -
    18  | root { left { a f:0m, b f:1m within=LowerPriority }, right { c f:5m borrows<=2m within=LowerPriority reclaim=LowerPriority borrow=LowerPriority threshold=1 } } | a: w0(1)1m; c: w1(1)3m; a: w2(-1)2m | c: new(3)3m | - | w1 InClusterQueue
    19  | all { a f:4m borrows<=2m g:0m borrows<=1m within=LowerPriority reclaim=LowerPriority, b f:0m g:4m within=LowerOrNewerEqualPriority reclaim=Any borrow=LowerPriority threshold=0 canPreempt=MayStopSearch, c f:5m borrows<=1m g:0m borrows<=2m within=LowerPriority reclaim=LowerPriority borrow=LowerPriority threshold=0 canBorrow=TryNextFlavor canPreempt=MayStopSearch } | c: w0(1)1m; a: w1(2)2m; c: w2(1)3m; a: w3(1)3m; b: w4(0)2m; c: w5(-1)1m | c: new(3)1m | - | w3 InCohortReclamation
    20  | root f:1m g:0m { left { a f:5m g:5m within=LowerPriority reclaim=Any canBorrow=TryNextFlavor canPreempt=MayStopSearch }, right { b f:0m g:2m within=LowerPriority reclaim=Any canPreempt=MayStopSearch, c f:3m borrows<=3m g:1m borrows<=1m lends<=1m within=LowerOrNewerEqualPriority reclaim=Any borrow=LowerPriority threshold=1 canPreempt=MayStopSearch } } | a: w0(-1)2m w1(0)2m; b: w2(0)1m; c: w3(1)2m w4(-1)1m; b: w5(2)2m w6(-1)1m | a: new(0)1m | - | w6 InCohortReclamation
    21  | all f:1m g:1m { a f:5m g:0m reclaim=Any, b f:5m g:1m within=LowerOrNewerEqualPriority reclaim=Any borrow=LowerPriority threshold=0 canPreempt=MayStopSearch, c f:0m g:4m within=LowerPriority } | a: w0(2)1m w1(0)3m; c: w2(2)3m; b: w3(-1)1m w4(0)2m; c: w5(-1)3m w6(2)3m | b: new(2)2m | - | w2 InCohortReclamation
    22  | root f:2m { left f:0m borrows<=3m { a f:1m reclaim=Any borrow=LowerPriority threshold=1 }, right f:2m { b f:0m within=LowerPriority reclaim=Any, c f:3m borrows<=3m within=LowerPriority } } | c: w0(-1)1m w1(2)2m; b: w2(1)2m; c: w3(2)3m | a: new(0)1m | - | w0 InCohortReclamation
    """
)


@scenario(
    "QUE-270",
    "in random clusters the flavor and the victims are those that the rules name",
    requirement=(
        "kep-79#hierarchy",
        "kep-83#minimal-preemptions",
        "kep-83#candidate-order",
        "kep-582#fungibility",
    ),
    shows="Q-120 Q-124 Q-155 Q-165 Q-170 Q-172 Q-250 Q-255 Q-257 Q-262 Q-266 Q-269",
    cases=DRAWN.cases,
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "it gets this flavor, or waits",
        "b": "these are preempted, for this reason, and no others",
    },
)
def test_drawn_clusters(kueue_cluster, case):
    line = DRAWN[case]
    queues, new = kueue_cluster.play_preemption(line)
    if line.uses:
        within("admit", lambda: new.is_admitted() and queues.has_flavors("new", line.uses), clause="a")
    else:
        within(
            "settle",
            lambda: new.has_condition("QuotaReserved", "False") and queues.has_preempted(line.goes),
            clause="a",
        )
    always(lambda: queues.has_preempted(line.goes), clause="b")
