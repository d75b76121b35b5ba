"""ADM: the order in which pending Workloads are admitted (AC-319, AC-441, Q-001…Q-032)."""

from kueue_conformance import always, cross, rows, scenario, within


@scenario(
    "ADM-245",
    "a strict queue does not let a small Workload overtake a large one",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-441 Q-001",
    cases=rows("strategy", ("StrictFIFO",), ("BestEffortFIFO",)),
    clauses={"a": "the small one waits only in the strict queue"},
)
def test_queueing_strategy(make_queue, strategy):
    queue = make_queue(checks=0, cpu="2", queueingStrategy=strategy)
    running = queue.submit(cpu="1")
    within("admit", running.is_admitted)
    large = queue.submit(cpu="2", priority=10)
    always(large.is_suspended)

    small = queue.submit(cpu="1")

    expected = {"StrictFIFO": small.is_suspended, "BestEffortFIFO": small.is_admitted}[strategy]
    within("settle", expected, clause="a")
    always(expected, clause="a")


@scenario(
    "ADM-401",
    "among Workloads of equal priority the oldest is admitted first",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-006 Q-021",
    clauses={"a": "one after the other, in the order of their creation"},
)
def test_order_of_age(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1", stopPolicy="Hold")
    line = [
        queue.submit(cpu="1", name=name)
        for name in clock.tick_between(kueue_cluster.names.name("workload") for _ in range(6))
    ]
    always(lambda: line[0].is_suspended() and line[-1].is_suspended())

    queue.resume()

    for next_one in line:
        within("admit", next_one.is_admitted, clause="a")
        next_one.finish()


@scenario(
    "ADM-402",
    "the priority of a pending Workload can be raised",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-005 Q-021 Q-032 AC-098",
    clauses={"a": "it is admitted first", "b": "the other waits"},
)
def test_raised_priority(make_queue):
    queue = make_queue(cpu="1")
    running = queue.submit(cpu="1")
    within("admit", running.is_admitted)
    high, low = queue.submit(cpu="1", priority=10), queue.submit(cpu="1", priority=1)
    within(
        "settle",
        lambda: high.has_condition("QuotaReserved", "False") and low.has_condition("QuotaReserved", "False"),
    )
    low.set_priority(100)
    always(lambda: high.is_suspended() and low.is_suspended())

    running.finish()

    within("admit", low.is_admitted, clause="a")
    always(high.is_suspended, clause="b")


@scenario(
    "ADM-410",
    "a Workload that a check evicted is queued behind those of equal priority",
    requirement="docs-2024#four-states",
    shows="Q-007 AC-319",
    since="0.9",
    level="should",
    revision=2,
    clauses={"a": "the younger one is reserved", "b": "the one that was sent back waits"},
)
def test_place_after_a_retry(make_queue, clock):
    queue, older, younger = _one_admitted_one_waiting(make_queue, clock)

    queue.requeue(older, "retry")

    within("requeue", younger.is_prechecked, clause="a")
    always(older.is_suspended, clause="b")


@scenario(
    "ADM-492",
    "a Workload that a stop policy evicted keeps its place before younger ones",
    requirement="docs-2024#four-states",
    shows="Q-007 AC-319",
    since="0.19",
    level="should",
    revision=2,
    cases=cross(queue_kind=("cluster-queue-stopped", "local-queue-stopped")),
    clauses={"a": "it is reserved again", "b": "the younger one waits"},
)
def test_place_after_a_stop(make_queue, clock, queue_kind):
    queue, older, younger = _one_admitted_one_waiting(make_queue, clock)
    # The older one is queued once its Requeued=True is written, the younger one at once:
    # quota comes after both.
    queue.set_quota("0")
    queue.requeue(older, queue_kind)
    within("requeue", lambda: older.has_condition("Requeued", "True"))
    clock.settle()

    queue.set_quota("1")

    within("requeue", older.is_prechecked, clause="a")
    always(younger.is_suspended, clause="b")


def _one_admitted_one_waiting(make_queue, clock):
    queue = make_queue(checks=1, cpu="1")
    older = queue.submit_until("admitted", cpu="1")
    clock.tick()
    younger = queue.submit(cpu="1")
    within("settle", lambda: younger.has_condition("QuotaReserved", "False"))
    clock.advance_budget("react")
    return queue, older, younger
