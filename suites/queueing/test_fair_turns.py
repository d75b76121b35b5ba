"""QUE: whose turn it is where quota is shared fairly (KEP-1714; Q-220, Q-221, Q-272)."""

from kueue_conformance import always, scenario, table, within

FAIR = "fair sharing"
TURNS = {"a": "freed quota goes to these", "b": "and no others"}


def decide(kueue_cluster, line):
    """See whose quota it is that comes free."""
    queues, staying = kueue_cluster.play_queueing_order(line)
    within("admit", lambda: queues.has_reserved(*staying), clause="a")
    always(lambda: queues.has_reserved(*staying), clause="b")


LOWEST = table(
    """
    case                        | queues              | holding  | first       | waits                        | tried | out
    who borrows less            | pool                | c: all(0)2 | a: a1(0)2 | a: a2(9)2; b: b1(0)2         | a2 b1 | a2
    priority does not help      | pool                | c: all(0)2 | a: a1(-9)2 | a: a2(9)2; b: b1(-9)2       | a2 b1 | a2
    age does not help           | pool                | c: all(0)2 | b: b1(0)2 | b: b2(0)2; a: a1(0)2         | b2 a1 | b2
    priority among equals       | pool                | c: all(0)4 | -         | a: a1(0)4; b: b1(5)4         | a1 b1 | a1
    age among equals            | pool                | c: all(0)4 | -         | b: b1(0)4; a: a1(0)4         | b1 a1 | a1
    who would borrow less       | pool                | c: all(0)4 | -         | a: a1(0)4; b: b1(0)2         | a1 b1 | a1
    twice the weight            | double              | c: all(0)3 | a: a1(0)1; b: b1(0)1 | a: a2(0)3; b: b2(0)3 | a2 b2 | a2
    who weighs nothing is last  | nothing             | c: all(0)4 | -         | a: a1(9)4; b: b1(0)4         | a1 b1 | a1
    """,
    pool="all 4 { a, b, c }",
    double="all 5 { a, b weight=2, c }",
    nothing="all 4 { a weight=0, b, c }",
)


@scenario(
    "QUE-220",
    "of competing queues the one goes first that would have the smallest share",
    requirement="kep-1714#lowest-share-first",
    shows="Q-220 Q-221 Q-272",
    since="0.9",
    needs=(FAIR,),
    cases=LOWEST.cases,
    clauses=TURNS,
)
def test_lowest_share(kueue_cluster, case):
    decide(kueue_cluster, LOWEST[case])


SIDES = table(
    """
    case                     | queues  | holding    | first                 | waits                      | tried | out
    the side that has less   | tree    | d: all(0)4 | a: a1(0)4             | b: b1(9)4; c: c1(0)4       | b1 c1 | b1
    though its queue has more | tree   | d: all(0)2 | a: a1(0)4; c: c1(0)2  | b: b1(9)2; c: c2(0)2       | b1 c2 | b1
    inside of a side         | tree    | d: all(0)2 | a: a1(0)4; c: c1(0)2  | a: a2(9)2; b: b1(0)2       | a2 b1 | a2
    a heavier side           | heavy   | d: all(0)4 | a: a1(0)2; c: c1(0)2  | a: a2(0)4; c: c2(0)4       | a2 c2 | c2
    """,
    tree="root 8 { left { a, b }, right { c }, d }",
    heavy="root 8 { left weight=2 { a, b }, right { c }, d }",
)


@scenario(
    "QUE-221",
    "in a tree of cohorts the queues compete level by level",
    requirement="kep-1714#lowest-share-first",
    shows="Q-221 Q-272",
    since="0.19",
    needs=(FAIR,),
    cases=SIDES.cases,
    clauses=TURNS,
)
def test_sides_in_turn(kueue_cluster, case):
    decide(kueue_cluster, SIDES[case])


@scenario(
    "QUE-222",
    "a Workload within its queue's nominal quota goes before one that borrows, whatever the share of another flavor is",
    requirement=("kep-1714#lowest-share-first", "kueue-docs#nominal-before-borrowing"),
    shows="Q-221 Q-272",
    level="should",
    since="0.9",
    needs=(FAIR,),
    clauses={"a": "it gets its own quota back", "b": "the other waits"},
)
def test_nominal_first(kueue_cluster):
    queues = kueue_cluster.make_topology("all { a one:2 two:0, b one:0 two:0, c one:0 two:8 }")
    queues.submit_in_turn("c: all(0)2/one")
    queues.submit_in_turn("a: greedy(0)6/two")
    queues.submit_all("b: borrows(9)2/one; a: own(0)2/one")
    within("settle", lambda: queues.has_tried("borrows", "own"))

    queues.delete_workloads("all")

    within("admit", lambda: queues.has_reserved("greedy", "own"), clause="a")
    always(lambda: queues.has_reserved("greedy", "own"), clause="b")


@scenario(
    "QUE-223",
    "queues take turns as long as there is quota",
    requirement="kep-1714#lowest-share-first",
    shows="Q-221 Q-272",
    since="0.9",
    needs=(FAIR,),
    clauses={"a": "each gets half, whichever came first", "b": "and no more"},
)
def test_turns(kueue_cluster):
    queues = kueue_cluster.make_topology("all 6 { a, b, c }")
    queues.submit_in_turn("c: all(0)6")
    queues.submit_all("a: a1(9)1 a2(9)1 a3(9)1 a4(9)1; b: b1(0)1 b2(0)1 b3(0)1 b4(0)1")
    within("settle", lambda: queues.has_tried("a1", "b1"))

    queues.delete_workloads("all")

    half = ("a1", "a2", "a3", "b1", "b2", "b3")
    within("admit", lambda: queues.has_reserved(*half), clause="a")
    always(lambda: queues.has_reserved(*half), clause="b")


@scenario(
    "QUE-224",
    "a queue with twice the weight gets twice as much quota, Workload by Workload",
    requirement=("kep-1714#lowest-share-first", "kep-1714#share"),
    shows="Q-221 Q-272 QC-12",
    since="0.19",
    needs=(FAIR,),
    clauses={
        "a": "each Workload is admitted where the share would be smaller",
        "b": "shares are equal in the end",
    },
)
def test_turns_by_weight(kueue_cluster):
    queues = kueue_cluster.make_topology("all 6 { a, b weight=2, c }")
    queues.submit_in_turn("c: c1(0)1 c2(0)1 c3(0)1 c4(0)1 c5(0)1 c6(0)1")
    queues.submit_all("a: a1(9)1 a2(9)1 a3(9)1; b: b1(0)1 b2(0)1 b3(0)1 b4(0)1 b5(0)1")
    within("settle", lambda: queues.has_tried("a1", "b1"))

    for piece, next_one in zip(range(1, 7), ("b1", "a1", "b2", "b3", "a2", "b4"), strict=True):
        queues.delete_workloads(f"c{piece}")
        within("admit", queues.workloads[next_one].is_admitted, clause="a")

    within("settle", lambda: queues.shows_shares("a 334, b 334"), clause="b")
