"""QUE: which flavor is taken: in order, by borrowing or by preemption (KEP-582; Q-150…Q-180)."""

from kueue_conformance import always, scenario, table, within

FLAVORS = table(
    """
    case                             | row   | queues                                                                                  | holding                         | comes                  | uses    | goes
    the first that fits              | G-F1  | q one:1 two:1                                                                           | -                               | q: new(0)1             | one     | -
    the next of one that is small    | -     | q one:1 two:2                                                                           | -                               | q: new(0)2             | two     | -
    the next of one that is full     | -     | q one:1 two:1                                                                           | q: x(0)1                        | q: new(0)1             | two     | -
    each pod set by itself           | G-F6  | q one:3 two:5                                                                           | -                               | q: new(0)2+2           | one two | -
    each group by itself             | G-F4  | q cpu/one:3 cpu/two:5 memory/b:2                                                        | -                               | q: new(0)4,memory=1    | b+two   | -
    all resources of a group         | -     | q cpu/one:4 memory/one:10Mi cpu/two:6 memory/two:1Gi                                    | -                               | q: new(0)3,memory=1Gi  | two     | -
    borrows in the first             | G-F12 | all { q one:1 two:2, other one:2 two:0 }                                                | -                               | q: new(0)2             | one     | -
    the next before borrowing        | S-021b | all { q one:1 two:2 canBorrow=TryNextFlavor, other one:2 two:0 }                       | -                               | q: new(0)2             | two     | -
    borrows where no next fits       | -     | all { q one:1 two:1 canBorrow=TryNextFlavor, other one:2 two:0 }                        | -                               | q: new(0)2             | one     | -
    borrows least                    | -     | r { c { q one:1 two:1 canBorrow=TryNextFlavor, s one:0 two:1 }, o one:1 two:0 }         | -                               | q: new(0)2             | two     | -
    the next before preempting       | -     | q one:2 two:2 within=LowerPriority                                                      | q: low(-1)2/one                 | q: new(0)2             | two     | -
    preempts in the first            | -     | q one:2 two:2 within=LowerPriority canPreempt=MayStopSearch                             | q: low(-1)2/one                 | q: new(0)2             | one     | low
    the next where none may go       | S-021 | q one:2 two:2 within=LowerPriority canPreempt=MayStopSearch                             | q: x(0)2                        | q: new(0)2             | two     | -
    reclaims in the first            | S-021c | all { q one:10 borrows<=10 two:11 reclaim=Any canPreempt=MayStopSearch, dev one:10 borrows<=10 two:0 } | dev: low(0)9 high(1)9 | q: new(0)5       | one     | low
    preempts where none is free      | -     | q one:2 two:2 within=LowerPriority                                                      | q: low(-1)2 high(1)2            | q: new(0)2             | one     | low
    reclaims before it preempts      | -     | all { q one:2 two:2 within=LowerPriority reclaim=Any, other one:0 two:0 }               | q: low(-1)2/one; other: b(0)2/two | q: new(0)2           | two     | b
    borrows before it preempts       | G-F10 | all { q one:2 two:1 within=LowerPriority canBorrow=TryNextFlavor, other one:0 two:1 }    | q: low(-1)2/one                 | q: new(0)2             | two     | -
    preempts before it borrows       | G-F10 | all { q one:2 two:1 within=LowerPriority canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing, other one:0 two:1 } | q: low(-1)2/one | q: new(0)2 | one | low
    preempts where enough may go     | -     | q one:2 two:2 within=LowerPriority                                                      | q: low(-1)1/one high(1)1/one gone(-1)2/two | q: new(0)2  | two     | gone
    the next that fits, preferring to preempt | - | q one:2 two:2 within=LowerPriority canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing | q: low(-1)2/one            | q: new(0)2             | two     | -
    borrows where none may go        | G-F11 | all { q one:2 two:1 within=LowerPriority canBorrow=TryNextFlavor canPreempt=TryNextFlavor prefers=PreemptionOverBorrowing, other one:0 two:1 } | q: x(0)2/one | q: new(0)2 | two | -
    """
)


@scenario(
    "QUE-045",
    "flavors are tried in order; policies say whether borrowing, preempting or the next one comes first",
    requirement=(
        "kep-582#fungibility",
        "kueue-docs#flavors-in-order",
        "kueue-docs#resource-groups",
        "kep-582#preference",
    ),
    shows=f"Q-150 Q-152 Q-153 Q-154 Q-155 Q-168 Q-170 Q-171 Q-172 {FLAVORS.shows}",
    cases=FLAVORS.cases,
    evidence=FLAVORS.evidence,
    since="0.19",
    also=("kep993",),
    clauses={"a": "it gets these flavors", "b": "these are preempted for it, and no others"},
)
def test_flavors(kueue_cluster, case):
    line = FLAVORS[case]
    queues = kueue_cluster.make_topology(line.queues)
    queues.submit_in_turn(line.holding)

    new = queues.submit(line.comes)

    within("admit", lambda: new.is_admitted() and queues.has_flavors("new", line.uses), clause="a")
    always(lambda: queues.were_preempted(*line.goes.split()), clause="b")


@scenario(
    "QUE-051",
    "a Workload whose victim is preempted by another one is tried in the next flavor, and does not wait",
    requirement="queueing#scan-progress",
    shows="Q-042 Q-178 Q-179 Q-227",
    since="0.19",
    without_gates=("RecomputeAssignmentUponPreemptionTargetsOverlap",),
    level="should",
    clauses={
        "a": "it gets the next flavor while the victim still holds on",
        "b": "the other gets that of the victim",
        "c": "and no more is preempted",
    },
)
def test_goes_on_with_the_next_flavor(kueue_cluster):
    words = "reclaim=Any canPreempt=MayStopSearch"
    queues = kueue_cluster.make_topology(
        f"all {{ one f1:1 {words}, two f1:1 f2:2 {words}, lender f1:0 f2:0 }}"
    )
    queues.submit_in_turn("lender: low(0)2/f1")
    kueue_cluster.release.pods_are_held = True
    for name in ("one", "two"):
        queues[name].hold()
        within("react", lambda name=name: queues[name].is_inactive("Stopped"))
    queues.submit_all("one: first(9)1; two: second(5)1")

    for name in ("one", "two"):
        queues[name].resume()

    within("admit", lambda: queues.has_flavors("second", "f2"), clause="a")
    within("settle", lambda: queues.has_preempted("low InCohortReclamation"), clause="c")
    kueue_cluster.release.pods_are_held = False
    within("admit", lambda: queues.has_flavors("first", "f1"), clause="b")
    always(lambda: queues.were_preempted("low"), clause="c")
