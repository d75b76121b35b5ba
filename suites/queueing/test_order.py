"""QUE: in which order the Workloads of a queue are tried,
and whom a strict queue holds up (Q-020…Q-026, Q-041…Q-045).
"""

from kueue_conformance import always, cross, rows, scenario, within


@scenario(
    "QUE-001",
    "pending Workloads of a stopped queue get quota by priority when the queue is resumed",
    requirement=("kueue-docs#queueing-order", "kueue-docs#stop-policy"),
    shows="S-006 S-008 Q-021 Q-060 Q-061 Q-062",
    since="0.8",
    also=("kep993",),
    cases=rows("queue_kind", ("cluster-queue",), ("local-queue",)).also_drawn().also_beside_namesakes(),
    clauses={
        "a": "the ClusterQueue counts its pending Workloads, but not those of a stopped LocalQueue",
        "b": "the highest two are admitted",
        "c": "then the next two",
        "d": "then the last",
    },
)
def test_stopped_queue(kueue_cluster, queue_kind):
    queues = kueue_cluster.make_topology("q 5")
    queue, waiting = queues["q"], {"cluster-queue": 5, "local-queue": 0}[queue_kind]
    queue.set_stop_policy(queue_kind, "Hold")
    within("react", lambda: queue.is_stopped(queue_kind))
    queues.submit_all("q: none(0)2 ten(10)2 ten2(10)2 most(100)2 most2(100)2")
    within("settle", lambda: queue.shows_counts(pending=waiting, reserving=0), clause="a")

    queue.resume_queue(queue_kind)

    within("admit", lambda: queues.has_reserved("most", "most2"), clause="b")
    always(lambda: queues.has_reserved("most", "most2"), clause="b")
    queues.delete_workloads("most", "most2")
    within("admit", lambda: queues.has_reserved("ten", "ten2"), clause="c")
    always(lambda: queues.has_reserved("ten", "ten2"), clause="c")
    queues.delete_workloads("ten", "ten2")
    within("admit", lambda: queues.has_reserved("none"), clause="d")


@scenario(
    "QUE-002",
    "a Workload that does not fit holds up those behind it in a strict queue",
    requirement="kueue-docs#strict-fifo",
    shows="S-038 S-041 Q-042 Q-043",
    clauses={
        "a": "the first is admitted",
        "b": "the second waits",
        "c": "the third waits",
        "d": "both are counted",
        "e": "the second is admitted when it fits",
        "f": "then the third",
    },
)
def test_strict_queue(kueue_cluster):
    queues = kueue_cluster.make_topology("q 5 StrictFIFO")
    queues.submit_in_turn("q: first(100)2")
    second, third = queues.submit_all("q: second(10)5 third(1)1")

    within("settle", lambda: second.has_condition("QuotaReserved", "False"), clause="b")
    always(lambda: queues.has_reserved("first"), clause="a")
    always(third.is_suspended, clause="c")
    within("settle", lambda: queues["q"].shows_counts(pending=2, reserving=1), clause="d")
    queues.delete_workloads("first")
    within("admit", lambda: queues.has_reserved("second"), clause="e")
    always(lambda: queues.has_reserved("second"), clause="e")
    queues.delete_workloads("second")
    within("admit", third.is_admitted, clause="f")


@scenario(
    "QUE-003",
    "the strategy of a queue may change while Workloads wait in it",
    requirement=("kueue-docs#strict-fifo", "kueue-docs#best-effort-fifo"),
    shows="S-039 Q-025 Q-051",
    clauses={
        "a": "in a strict queue no Workload overtakes",
        "b": "after the change a fitting Workload is admitted",
        "c": "after the change back no Workload overtakes again",
        "d": "all that waits is counted",
    },
)
def test_changed_strategy(kueue_cluster):
    queues = kueue_cluster.make_topology("q 5 StrictFIFO")
    queue = queues["q"]
    queues.submit_in_turn("q: first(100)2")
    queues.submit_all("q: large(10)5 small(1)1")
    within("settle", lambda: queue.shows_counts(pending=2), clause="d")
    always(lambda: queues.has_reserved("first"), clause="a")

    queue.try_to_change(queueingStrategy="BestEffortFIFO")
    within("admit", lambda: queues.has_reserved("first", "small"), clause="b")
    queue.try_to_change(queueingStrategy="StrictFIFO")
    queues.submit_all("q: late(1)1")

    within("settle", lambda: queue.shows_counts(pending=2), clause="d")
    always(lambda: queues.has_reserved("first", "small"), clause="c")


@scenario(
    "QUE-631",
    "a Workload that was preempted, drained or deactivated keeps its place before younger ones",
    requirement="kueue-docs#queueing-order",
    shows="Q-006 Q-007 AC-319",
    since="0.19",
    cases=cross(cause=("preempted", "drained", "deactivated")),
    clauses={"a": "it is admitted before the younger one", "b": "which waits"},
)
def test_place_after_an_eviction(kueue_cluster, clock, cause):
    queues = kueue_cluster.make_topology(f"q 1 within={'LowerPriority' if cause == 'preempted' else 'Never'}")
    (older,) = queues.submit_in_turn("q: older(0)1")
    younger, high = (queues.submit(text) for text in clock.tick_between(["q: younger(0)1", "q: high(5)1"]))
    stop, resume = {
        "preempted": (lambda: None, lambda: None),
        "drained": (queues["q"].hold_and_drain, queues["q"].resume),
        "deactivated": (older.deactivate, older.reactivate),
    }[cause]
    clock.tick()
    stop()
    within("evict", older.was_released)
    resume()
    within("requeue", lambda: queues.has_reserved("high") and older.has_condition("Requeued", "True"))

    high.delete()

    within("admit", older.is_admitted, clause="a")
    always(younger.is_suspended, clause="b")


@scenario(
    "QUE-026",
    "a Workload behind the head of a strict queue has no message, since it was never tried",
    requirement=("kueue-docs#strict-fifo", "queueing#status"),
    shows="S-041 Q-243 T-05",
    until="<0.20.0-devel",
    without_gates=("UnadmittedWorkloadsObservability",),
    level="should",
    clauses={"a": "the one before it has a message", "b": "it has no message about quota"},
)
def test_never_tried(kueue_cluster):
    queues = kueue_cluster.make_topology("q 5 StrictFIFO")

    large, behind = queues.submit_all("q: large(10)6 behind(1)1")

    within("settle", lambda: large.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: behind.has_no_condition("QuotaReserved"), clause="b")
