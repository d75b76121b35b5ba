"""QUE: how much of its own and of others' quota a queue can have (KEP-79, KEP-1224; Q-120…Q-128)."""

from kueue_conformance import always, scenario, table, within

QUOTAS = table(
    """
    case                       | row          | queues                                                                  | holding        | queue | now | ever
    a cohort of two            | G-T1         | all { a 5, b 5 }                                                        | -              | a     | 10  | 10
    after borrowing            | G-T2         | all { a 5, b 5 }                                                        | a: x(0)7       | a     | 3   | 10
    the lender after borrowing | G-T2         | all { a 5, b 5 }                                                        | a: x(0)7       | b     | 3   | 10
    all is used                | G-T3         | all { a 5, b 5 }                                                        | a: x(0)7; b: y(0)3 | b | 0   | 10
    from a lender of much      | G-T4         | all { prod 5 lends<=1, dev 5 lends<=4 }                                 | -              | prod  | 9   | 9
    from a lender of little    | G-T4         | all { prod 5 lends<=1, dev 5 lends<=4 }                                 | -              | dev   | 6   | 6
    what was not lent is left  | G-T5         | all { prod 5 lends<=1, dev 5 lends<=4 }                                 | prod: x(0)9    | dev   | 1   | 6
    the limit of the borrower  | G-T6         | all 15 { prod 5 borrows<=10, dev 5 borrows<=2 }                         | -              | prod  | 15  | 15
    a lower limit              | G-T6         | all 15 { prod 5 borrows<=10, dev 5 borrows<=2 }                         | -              | dev   | 7   | 7
    the limit counts what is used | G-T7      | all 15 { prod 5 borrows<=10, dev 5 borrows<=2 }                         | prod: x(0)11   | prod  | 4   | 15
    quota of the cohort itself | G-T7         | all 15 { prod 5 borrows<=10, dev 5 borrows<=2 }                         | prod: x(0)11   | dev   | 7   | 7
    nothing is lent            | G-T8         | all { prod 5 lends<=0, dev 5 lends<=0 }                                 | prod: x(0)5    | dev   | 5   | 5
    nothing can be borrowed    | G-T8         | all { prod 5 lends<=0, dev 5 lends<=0 }                                 | dev: x(0)1     | prod  | 5   | 5
    a cohort keeps its own     | G-T9         | root { lender 2 lends<=1 { l 2 }, borrower { b } }                      | -              | l     | 4   | 4
    a cohort lends within a limit | G-T9      | root { lender 2 lends<=1 { l 2 }, borrower { b } }                      | -              | b     | 1   | 1
    what a cohort has lent     | G-T10        | root { lender 2 lends<=1 { l 2 }, borrower { b } }                      | b: x(0)1       | l     | 3   | 4
    a cohort that may not borrow | G-T12      | root { research 0 borrows<=0 { r 2 }, production { p 2 } }              | p: x(0)3       | r     | 1   | 2
    beside one that may not borrow | G-T12    | root { research 0 borrows<=0 { r 2 }, production { p 2 } }              | r: x(0)2       | p     | 2   | 4
    beside two that may not borrow | S-049b   | root { x 0 borrows<=0 { a 1 }, y 0 borrows<=0 { b 1 }, burst 0 }        | -              | burst | 2   | 2
    a subtree that has lent its own | G-T15   | root { guaranteed 3 { g 0 }, be 0 }                                     | be: x(0)3      | g     | 0   | 3
    over a distance            | G-T13        | root { left { q }, right { bank 10 { } } }                              | -              | q     | 10  | 10
    each flavor by itself      | -            | all { a one:2 two:1, b one:3 two:0 }                                    | a: x(0)5/one   | b     | 1   | 5
    no cohort                  | -            | a 5                                                                     | a: x(0)3       | a     | 2   | 5
    """
)


@scenario(
    "QUE-030",
    "the available and the potential quota of a queue follow from the quotas and limits of the whole tree",
    requirement=(
        "kueue-docs#borrowing",
        "kueue-docs#borrowing-limit",
        "kep-1224#lending-limit",
        "kep-79#hierarchy",
        "kep-79#cohort-quota",
    ),
    shows=f"Q-120 Q-121 Q-122 Q-123 Q-124 Q-125 Q-126 Q-127 Q-128 Q-133 S-033 S-048 S-049 {QUOTAS.shows}",
    cases=QUOTAS.cases.also_drawn(case="a-subtree-that-has-lent-its-own"),
    evidence=QUOTAS.evidence,
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "more than is left waits",
        "b": "the remaining quota is available",
        "c": "more than there is waits",
        "d": "all that there is can be had",
    },
)
def test_what_a_queue_can_have(kueue_cluster, case):
    line = QUOTAS[case]
    queues, name, present_share, ever = (
        kueue_cluster.make_topology(line.queues),
        line.queue,
        int(line.now),
        int(line.ever),
    )
    queues.submit_in_turn(line.holding)

    large = queues.submit(f"{name}: large(0){present_share + 1}")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"), clause="a")
    if present_share:
        within("admit", queues.submit(f"{name}: fitting(0){present_share}").is_admitted, clause="b")
    always(large.is_suspended, clause="a")
    queues.delete_workloads(*queues.workloads)

    larger = queues.submit(f"{name}: larger(0){ever + 1}")
    within("settle", lambda: larger.has_condition("QuotaReserved", "False"), clause="c")
    within("admit", queues.submit(f"{name}: all(0){ever}").is_admitted, clause="d")
    always(larger.is_suspended, clause="c")


PODS = table(
    """
    case                        | queues                                                                                    | holding      | queue | now | ever
    what is not lent is left    | all { a pods/default:2 lends<=1, b pods/default:2 lends<=1 }                              | a: x(0)3x    | b     | 1   | 3
    the limit counts what is used | all { a pods/default:1 borrows<=2, b pods/default:3 }                                   | a: x(0)2x    | a     | 1   | 3
    what a cohort has lent      | root { lender pods/default:1 lends<=1 { l pods/default:1 }, borrower { b pods/default:0 } } | b: x(0)1x  | l     | 1   | 2
    a cohort may lend all       | root { lender pods/default:1 lends<=9 { l pods/default:1 }, borrower { b pods/default:0 } } | -          | b     | 2   | 2
    a cohort that may not borrow | root { own pods/default:0 borrows<=0 { a pods/default:1 }, other { b pods/default:2 } }   | b: x(0)3x    | a     | 0   | 1
    """
)


@scenario(
    "QUE-296",
    "a queue can use every unit of its quota for the resource pods, and none beyond",
    requirement=("kueue-docs#borrowing", "kueue-docs#borrowing-limit", "kep-1224#lending-limit"),
    shows="Q-084 Q-120 Q-121 Q-122 Q-123 Q-124 Q-125 Q-126 Q-127 Q-128",
    cases=PODS.cases,
    since="0.19",
    clauses={
        "a": "one more than the remaining quota stays pending",
        "b": "the remaining quota is available",
        "c": "one more than the whole quota stays pending",
        "d": "the whole quota is available",
    },
)
def test_pods_that_a_queue_can_have(kueue_cluster, case):
    line = PODS[case]
    queues, name, present_share, ever = (
        kueue_cluster.make_topology(line.queues),
        line.queue,
        int(line.now),
        int(line.ever),
    )
    queues.submit_in_turn(line.holding)

    large = queues.submit(f"{name}: large(0){present_share + 1}x")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"), clause="a")
    if present_share:
        within("admit", queues.submit(f"{name}: fitting(0){present_share}x").is_admitted, clause="b")
    always(large.is_suspended, clause="a")
    queues.delete_workloads(*queues.workloads)

    larger = queues.submit(f"{name}: larger(0){ever + 1}x")
    within("settle", lambda: larger.has_condition("QuotaReserved", "False"), clause="c")
    within("admit", queues.submit(f"{name}: all(0){ever}x").is_admitted, clause="d")
    always(larger.is_suspended, clause="c")
