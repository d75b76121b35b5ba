"""QUE: the shares in statuses with fair sharing (KEP-1714; Q-272, Q-376, QC-12)."""

from math import inf, nan

from kueue_conformance import always, either, scenario, table, within

FAIR = "fair sharing"
SHARES = {"a": "shares are those of the document, rounded up"}

BORROWED = table(
    """
    case                     | queues                                       | holding          | shares
    one of twelve            | all { a 2, b 10 }                            | a: x(0)3         | a 84, b 0
    two of twelve            | all { a 2, b 10 }                            | a: x(0)4         | a 167, b 0
    two of six               | all 6 { a, b }                               | a: x(0)2         | a 334, b 0
    five of six              | all 6 { a, b }                               | a: x(0)5         | a 834, b 0
    all of it                | all 6 { a, b }                               | a: x(0)6         | a 1000
    no more than its own     | all { a 2, b 10 }                            | a: x(0)2         | a 0
    what is lent counts      | all { a 2, b 8 lends<=2 }                    | a: x(0)3         | a 250
    its own part of it       | all { a 2 lends<=0, b 4 }                    | a: x(0)3         | a 250
    over two flavors         | all { a one:0 two:0, b one:4 two:4 }         | a: x(0)2/one y(0)1/two | a 375
    the larger resource      | all { a 0 memory/default:0, b 10 memory/default:4 } | a: x(0)5,memory=3 | a 750
    both borrow              | all 9 { a, b }                               | a: x(0)2; b: y(0)4 | a 223, b 445
    without a cohort         | a 4                                          | a: x(0)3         | a 0
    the only pod             | all { a pods/default:0, b pods/default:1 }   | a: x(0)1x        | a 1000
    """
)


@scenario(
    "QUE-200",
    "the fair share of a queue is its borrowed quota over the quota that its cohort can lend",
    requirement="kep-1714#share",
    shows="Q-272 Q-376 QC-12 AC-050",
    since="0.19",
    needs=(FAIR,),
    cases=BORROWED.cases,
    revision=2,
    clauses=SHARES,
)
def test_share_of_a_queue(kueue_cluster, case):
    line = BORROWED[case]
    queues = kueue_cluster.make_topology(line.queues)

    queues.submit_in_turn(line.holding)

    within("settle", lambda: queues.shows_shares(line.shares), clause="a")


WEIGHTS = table(
    """
    case             | weight | used | share
    one              | 1      | 3    | 100
    two              | 2      | 3    | 50
    a half           | 0.5    | 3    | 200
    a third          | 0.333  | 3    | 301
    a thousandth     | 1m     | 3    | 100000
    nothing          | 0      | 3    | 9223372036854775807
    nothing, unused  | 0      | 2    | 0
    """
)


@scenario(
    "QUE-201",
    "the fair share of a queue is divided by its weight, and infinite where it borrows with a weight of zero",
    requirement="kep-1714#share",
    shows="Q-272 QC-12 AC-044",
    since="0.19",
    needs=(FAIR,),
    cases=WEIGHTS.cases,
    clauses=SHARES,
)
def test_weight_of_a_queue(kueue_cluster, case):
    line = WEIGHTS[case]
    queues = kueue_cluster.make_topology(f"all {{ a 2 weight={line.weight}, b 2, d 6 }}")

    queues.submit_in_turn(f"a: x(0){line.used}")

    within("settle", lambda: queues.shows_shares(f"a {line.share}"), clause="a")


COHORTS = table(
    """
    case                      | queues                                            | holding            | shares
    of a tree                 | root 8 { left { a, b }, right { c } }             | a: x(0)2; c: y(0)4 | root 0, left 250, right 500, a 250, b 0, c 500
    with weights              | root 8 { left weight=2 { a weight=0.5 }, right { c } } | a: x(0)2       | root 0, left 125, a 500
    within its own            | root 8 { left 2 { a }, right { c } }              | a: x(0)2           | root 0, left 0, a 200
    behind a limit            | root 8 { left 0 borrows<=4 { a }, right { c } }   | a: x(0)2           | left 250, a 500
    that weighs nothing       | root 8 { left weight=0 { a }, right { c } }       | a: x(0)2           | left 9223372036854775807, a 250
    """
)


@scenario(
    "QUE-202",
    "a cohort has a share of its own of what its parent can lend, and a root has none",
    requirement="kep-1714#share",
    shows="Q-376 QC-12 AC-185",
    since="0.19",
    needs=(FAIR,),
    cases=COHORTS.cases,
    clauses=SHARES,
)
def test_share_of_a_cohort(kueue_cluster, case):
    line = COHORTS[case]
    queues = kueue_cluster.make_topology(line.queues)

    queues.submit_in_turn(line.holding)

    within("settle", lambda: queues.shows_shares(line.shares), clause="a")


@scenario(
    "QUE-203",
    "fair shares are reported from the creation of a queue on, and follow usage and weights",
    requirement="kep-1714#share",
    shows="Q-376 QC-12 AC-050",
    since="0.19",
    needs=(FAIR,),
    clauses={
        "a": "at first every share is zero",
        "b": "the share of a borrower is reported, above it too",
        "c": "another weight counts",
        "d": "a finished Workload borrows no more",
    },
)
def test_shares_follow(kueue_cluster):
    queues = kueue_cluster.make_topology("root 8 { left { a }, b }")
    within("settle", lambda: queues.shows_shares("root 0, left 0, a 0, b 0"), clause="a")

    queues.submit_in_turn("a: x(0)2")
    within("settle", lambda: queues.shows_shares("root 0, left 250, a 250, b 0"), clause="b")
    queues["a"].set_weight("2")
    within("settle", lambda: queues.shows_shares("left 250, a 125"), clause="c")
    queues.delete_workloads("x")

    within("settle", lambda: queues.shows_shares("root 0, left 0, a 0, b 0"), clause="d")
    always(lambda: queues.shows_shares("root 0, left 0, a 0, b 0"), clause="d")


@scenario(
    "QUE-204",
    "the share of a cohort follows a queue that moves away, or is updated when a queue below it changes",
    requirement=("kep-1714#share", "queueing#quirks"),
    shows="Q-376",
    since="0.19",
    needs=(FAIR,),
    level="may",
    clauses={
        "a": "it is that without the queue, or still the one with it",
        "b": "and is right once a queue below the cohort has changed",
    },
)
def test_share_after_a_move(kueue_cluster):
    queues = kueue_cluster.make_topology("root 8 { left { a, goes }, right { b } }")
    queues.submit_in_turn("goes: x(0)2")
    within("settle", lambda: queues.shows_shares("left 250, right 0"), clause="a")

    queues["goes"].try_to_change(cohortName=queues.cohorts["right"])

    within("settle", lambda: queues.shows_shares("right 250, goes 250"), clause="a")
    either(
        "settle",
        {
            "at once": lambda: queues.shows_shares("left 0"),
            "when a queue below it changes": lambda: queues.shows_shares("left 250"),
        },
        clause="a",
    )
    queues["a"].set_weight("2")
    within("settle", lambda: queues.shows_shares("left 0, right 250"), clause="b")


METRICS = "metrics of the control plane"
KINDS = """
cluster_queue_weighted_share gauge cluster_queue,cohort
cohort_weighted_share gauge cohort
"""


@scenario(
    "QUE-276",
    "the shares of queues and of cohorts are metrics, which follow usage",
    requirement=("kep-1714#share", "queueing#metrics"),
    shows="Q-376 MT-051",
    since="0.19",
    needs=(FAIR, METRICS),
    level="may",
    clauses={
        "a": "that of the queue, in its cohort",
        "b": "that of the cohort",
        "c": "they are gauges, by these names",
        "d": "zero when no quota is borrowed",
    },
)
def test_shares_are_measured(kueue_cluster):
    queues = kueue_cluster.make_topology("root 8 { left { a }, right { c } }")
    metrics, left_cohort = kueue_cluster.metrics_of(queues["a"]), queues.cohorts["left"]

    queues.submit_in_turn("a: x(0)2")

    within(
        "settle", lambda: metrics.shows("cluster_queue_weighted_share", 250, cohort=left_cohort), clause="a"
    )
    within("settle", lambda: metrics.shows_cohort_share(left_cohort, 250), clause="b")
    within("settle", lambda: metrics.has_series(KINDS), clause="c")
    queues.delete_workloads("x")
    within("settle", lambda: metrics.shows("cluster_queue_weighted_share", 0, cohort=left_cohort), clause="d")
    within("settle", lambda: metrics.shows_cohort_share(left_cohort, 0), clause="d")


@scenario(
    "QUE-377",
    "the metric of the share of a cohort without weight that borrows is NaN, or infinite",
    requirement="queueing#quirks",
    shows="KV-75 MT-051",
    since="0.19",
    needs=(FAIR, METRICS),
    level="may",
    clauses={"a": "the share while it borrows", "b": "zero when it borrows nothing"},
)
def test_share_without_weight_is_measured(kueue_cluster):
    queues = kueue_cluster.make_topology("root 8 { left weight=0 { a }, right { c } }")
    metrics, left_cohort = kueue_cluster.metrics_of(queues["a"]), queues.cohorts["left"]

    queues.submit_in_turn("a: x(0)2")

    either(
        "settle",
        {
            "NaN": lambda: metrics.shows_cohort_share(left_cohort, nan),
            "infinite": lambda: metrics.shows_cohort_share(left_cohort, inf),
        },
        until={"infinite": "<0.19.8, 0.20.1"},
        clause="a",
    )
    queues.delete_workloads("x")
    within("settle", lambda: metrics.shows_cohort_share(left_cohort, 0), clause="b")
