"""QUE: what Kueue counts of Workloads that wait for checks, and how often it looks at what does not fit
(Q-050, Q-053, MT-001).
"""

from kueue_conformance import always, rows, scenario, within

METRICS = "metrics of the control plane"


@scenario(
    "QUE-187",
    "a Workload that waits for its checks is counted as reserved, and as admitted when they have passed",
    requirement="queueing#metrics",
    shows="S-004 Q-371 MT-020",
    since="0.19",
    level="should",
    needs=(METRICS,),
    clauses={
        "a": "reserved it is no more in the queue",
        "b": "it is not counted as admitted",
        "c": "then it is",
    },
)
def test_reservation_is_counted(kueue_cluster):
    queue = kueue_cluster.make_queue(2, cpu="5")
    metrics = kueue_cluster.metrics_of(queue)

    holder = queue.submit_until("prechecked", cpu="2")

    within(
        "settle", lambda: metrics.shows_gauges(inadmissible=0, active=0, reserving=1, admitted=0), clause="a"
    )
    within("settle", lambda: metrics.shows("quota_reserved_workloads_total", 1), clause="a")
    always(lambda: metrics.shows("admitted_workloads_total", 0), clause="b")
    queue.admit(holder)
    within(
        "settle", lambda: metrics.shows_gauges(inadmissible=0, active=0, reserving=1, admitted=1), clause="c"
    )
    within("settle", lambda: metrics.shows("admitted_workloads_total", 1), clause="c")


CHANGES = {
    "of the queue": ("q 1", lambda queues, cpu: queues["q"].set_quota(cpu)),
    "of its cohort": ("all 1 { q 0 }", lambda queues, cpu: queues.set_cohort_quota("all", cpu)),
}
MOST = 5
"""Attempts that ten changes at once may cause: they are gathered (Q-053)."""


@scenario(
    "QUE-188",
    "many changes of quota at once requeue an inadmissible Workload a few times, not once for each change",
    requirement="queueing#metrics",
    shows="S-091 S-092 Q-050 Q-053 MT-001 MT-002 MT-003",
    since="0.19",
    level="should",
    revision=2,
    needs=(METRICS,),
    cases=rows("change", *((example,) for example in CHANGES)),
    clauses={
        "a": "it is tried again",
        "b": "not once for each change",
        "c": "without success",
        "d": "each attempt is measured, and they take 0 to 60 s on average",
        "e": "a Workload without victims is not counted as a skipped preemption",
        "f": "the attempts count as inadmissible",
    },
)
def test_changes_are_gathered(kueue_cluster, change):
    text, changes = CHANGES[change]
    queues = kueue_cluster.make_topology(text)
    large = queues.submit("q: large(0)2")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"))
    always(large.is_suspended)
    metrics = kueue_cluster.metrics_of(queues["q"])
    before, in_vain = metrics.attempts(), metrics.attempts("inadmissible")

    for count in range(1, 11):
        changes(queues, f"{1000 + count}m")
        within("settle", large.is_suspended)

    within("settle", lambda: metrics.shows_attempts_since(before, 1), clause="a")
    always(large.is_suspended, clause="c")
    within("settle", lambda: metrics.shows_attempts_since(before, 1, MOST), clause="b")
    always(lambda: metrics.shows_attempts_since(in_vain, 1, MOST, "inadmissible"), clause="f")
    always(lambda: metrics.has_attempts_of_at_most(60), clause="d")
    always(lambda: metrics.shows("admission_cycle_preemption_skips", 0), clause="e")


@scenario(
    "QUE-275",
    "a preemption that is skipped, because its victim is preempted for another, is counted and has a message",
    requirement="queueing#metrics",
    shows="Q-227 MT-003 M-023",
    since="0.19",
    without_gates=("RecomputeAssignmentUponPreemptionTargetsOverlap",),
    level="may",
    needs=(METRICS,),
    clauses={
        "a": "for the one that is skipped",
        "b": "not counted for the one that goes first",
        "c": "it has the message",
        "d": "afterwards both are admitted",
    },
)
def test_skipped_preemptions_are_counted(kueue_cluster):
    queues = kueue_cluster.make_topology(
        "all 1 { a 1 reclaim=LowerPriority, b 1 reclaim=LowerPriority, bank 2 }"
    )
    queues.submit_in_turn("bank: x(5)5")
    queues.submit_all("a: first(2)1; b: second(1)1")
    for name in ("first", "second"):
        within("settle", lambda name=name: queues.has_tried(name))
    a, b = (kueue_cluster.metrics_of(queues[name]) for name in "ab")
    kueue_cluster.release.pods_are_held = True
    queues.workloads["x"].set_priority(0)

    queues.set_cohort_quota("all", "1500m")

    within("evict", queues.workloads["x"].is_evicted)
    within("settle", lambda: b.shows("admission_cycle_preemption_skips", 1), clause="a")
    always(lambda: a.shows("admission_cycle_preemption_skips", 0), clause="b")
    text = "Workload has overlapping preemption targets with another workload"
    second = queues.workloads["second"]
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text(second.reason("QuotaReserved"), second, text),
        clause="c",
    )
    kueue_cluster.release.pods_are_held = False
    within("admit", lambda: queues.has_reserved("first", "second"), clause="d")


@scenario(
    "QUE-332",
    "a Workload that no longer fits after another queue took the quota is no skipped preemption, and has a message",
    requirement="queueing#metrics",
    shows="Q-228 MT-003 M-024",
    since="0.19",
    level="may",
    needs=(METRICS,),
    clauses={"a": "the older one is admitted", "b": "the other has a message", "c": "and not counted"},
)
def test_what_no_longer_fits_is_not_skipped(kueue_cluster):
    queues = kueue_cluster.make_topology("all { a 0, b 0, bank 2 }")
    queues.submit_in_turn("bank: x(0)2")
    older, newer = queues.submit_all("b: older(0)2; a: newer(0)2")
    within("settle", lambda: queues.has_tried("older", "newer"))

    queues.delete_workloads("x")

    within("admit", older.is_admitted, clause="a")
    text = "Workload no longer fits after processing another workload"
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text(newer.reason("QuotaReserved"), newer, text),
        clause="b",
    )
    metrics = kueue_cluster.metrics_of(queues["a"])
    always(lambda: metrics.shows("admission_cycle_preemption_skips", 0), clause="c")


UNCONCERNED = {
    "another label of its namespace": lambda stage, _queues: stage.label_namespace(
        {"example.com/other": "label"}
    ),
    "a label of its flavor": lambda stage, queues: stage.existing_object(
        "ResourceFlavor", queues.flavors["default"]
    ).try_to_change(metadata={"labels": {"example.com/other": "label"}}),
    "a flavor that it has not": lambda stage, _queues: stage.make_flavor(),
    "a check that is not asked": lambda stage, _queues: stage.make_check(),
    "a label of its check": lambda stage, queues: stage.existing_object(
        "AdmissionCheck", queues["q"].checks[0].name
    ).try_to_change(metadata={"labels": {"example.com/other": "label"}}),
    "a RuntimeClass that no pod names": lambda stage, _queues: stage.make_object(
        "RuntimeClass", handler="kata"
    ),
    "a label of its queue": lambda stage, queues: stage.existing_object(
        "ClusterQueue", queues["q"].cluster_queue
    ).try_to_change(metadata={"labels": {"example.com/other": "label"}}),
    "the end of its cohort": lambda _stage, queues: queues.delete_cohort("all"),
    "a label of its LocalQueue": lambda stage, queues: stage.existing_object(
        "LocalQueue", queues["q"].name
    ).try_to_change(metadata={"labels": {"example.com/other": "label"}}),
    "another LocalQueue": lambda stage, queues: stage.make_second_local_queue(queues["q"]),
    "a label of what waits": lambda _stage, queues: queues.workloads["large"].touch(),
    "a label of what has quota": lambda _stage, queues: queues.workloads["small"].touch(),
    "quota of another tree": lambda _stage, queues: queues.set_quotas("other 3"),
    "the end of a Workload of another tree": lambda _stage, queues: queues.delete_workloads("elsewhere"),
}
"""What happens, and gives a Workload that waits nothing (Q-051, Q-066)."""


@scenario(
    "QUE-340",
    "an inadmissible Workload is not tried again by changes that free no quota for it",
    requirement="queueing#metrics",
    shows="Q-050 Q-051 Q-066 MT-001",
    since="0.19",
    level="may",
    needs=(METRICS,),
    cases=rows("change", *((example,) for example in UNCONCERNED)),
    clauses={"a": "it is not tried", "b": "it is when there is more quota"},
)
def test_what_is_not_looked_at_again(kueue_cluster, clock, change):
    queues = kueue_cluster.make_topology(
        "all 1 { q 2, beside 1 }, other 2", checks={"q": [kueue_cluster.make_check()]}
    )
    queues.submit_in_turn("q: small(0)1; other: elsewhere(0)1")
    large = queues.submit("q: large(0)9")
    within("settle", lambda: large.has_condition("QuotaReserved", "False"))
    clock.advance_budget("react")  # what the queues' own creation has tried again is tried
    metrics = kueue_cluster.metrics_of(queues["q"])
    before = metrics.attempts()

    UNCONCERNED[change](kueue_cluster, queues)

    clock.advance_budget("react")
    always(lambda: metrics.shows_attempts_since(before, 0, 0), clause="a")
    queues.set_quotas("q 3")
    within("react", lambda: metrics.shows_attempts_since(before, 1), clause="b")
