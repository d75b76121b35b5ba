"""VSB: the order of the list, which is that of the queue (KEP-168-2, story 2; VIS-512a…514)."""

from kueue_conformance import always, cross, rows, scenario, within

NEEDS = ("pending-workloads API",)
IN_TIME, FIRST_DELAY = 1800, 60
"""Seconds that Kueue gives the pods of a Workload,
and those that it waits after the first time (Q-480, Q-341).
"""


@scenario(
    "VSB-003",
    "Workloads created at the same moment are listed in the order of their uids, in every answer",
    requirement=("kep-168-2#comparable-positions", "visibility-api#order"),
    shows="VIS-512e VIS-514 VIS-D09 VIS-R08 VIS-T31",
    needs=NEEDS,
    since="0.19",
    also=("kep993",),
    clauses={"a": "by age, then by uid", "b": "the same when asked again"},
)
def test_order_of_uids(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    workloads = [queue.submit(cpu="1", priority=3) for _ in range(8)]
    line = sorted(workloads, key=lambda workload: workload.age)

    within("settle", lambda: queue.pending().lists(*line), clause="a")
    within("settle", lambda: queue.pending_locally().lists(*line), clause="a")
    always(lambda: queue.pending().lists(*line), clause="b")


@scenario(
    "VSB-004",
    "a Workload without a priority has 0: behind those of 1, before those of -1",
    requirement=("kep-168-2#list-cluster-queue", "kep-168-2#fields"),
    shows="VIS-205 VIS-512c VIS-R18 VIS-T22 VIS-T23 VIS-D11",
    needs=NEEDS,
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "it stands between them",
        "b": "its priority is 0 in the list",
        "c": "the others' as they are",
    },
)
def test_no_priority(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="0")
    low, none, high = (
        queue.submit(cpu="1", **spec) for spec in clock.tick_between([{"priority": -1}, {}, {"priority": 1}])
    )

    within("settle", lambda: queue.pending().lists(high, none, low), clause="a")
    within("settle", lambda: queue.pending().shows_fields(none, priority=0), clause="b")
    within("settle", lambda: queue.pending().shows_fields(low, priority=-1), clause="c")
    within("settle", lambda: queue.pending_locally().shows_fields(high, priority=1), clause="c")


@scenario(
    "VSB-005",
    "priority counts before age, over all LocalQueues and namespaces",
    requirement=("kep-168-2#list-cluster-queue", "kep-168-2#administrators"),
    shows="VIS-512c VIS-512d VIS-520 VIS-T02 VIS-T53 VIS-T56",
    needs=NEEDS,
    clauses={"a": "they stand by priority, then by age", "b": "each with its own LocalQueue"},
    cases=cross().also_drawn(),
)
def test_order_over_local_queues(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="0")
    beside = kueue_cluster.make_second_local_queue(queue)
    elsewhere = kueue_cluster.make_second_local_queue(queue, namespace=kueue_cluster.make_namespace())
    submissions = [(queue, 1), (elsewhere, 4), (beside, 3), (elsewhere, 3), (beside, 9)]

    first, two, three, four, five = (
        queue_of_workload.submit(cpu="1", priority=high)
        for queue_of_workload, high in clock.tick_between(submissions)
    )

    within("settle", lambda: queue.pending().lists(five, two, three, four, first), clause="a")
    within("settle", lambda: queue.pending().shows_fields(two, localQueueName=elsewhere.name), clause="b")
    within("settle", lambda: queue.pending().shows_fields(five, localQueueName=beside.name), clause="b")


@scenario(
    "VSB-006",
    "among Workloads of one priority the oldest stands first, whatever their names are",
    requirement="kep-168-2#list-cluster-queue",
    shows="VIS-512d VIS-520",
    needs=NEEDS,
    clauses={"a": "by age, in both lists", "b": "it stays so"},
)
def test_order_of_age(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="0")
    names = [kueue_cluster.names.name("workload") for _ in range(4)]

    line = [queue.submit(cpu="1", priority=7, name=name) for name in clock.tick_between(reversed(names))]

    within("settle", lambda: queue.pending().lists(*line), clause="a")
    within("settle", lambda: queue.pending_locally().lists(*line), clause="a")
    always(lambda: queue.pending().lists(*line), clause="b")


@scenario(
    "VSB-007",
    "the Workload of a Job stands where its WorkloadPriorityClass puts it",
    requirement=("kep-168-2#list-cluster-queue", "kep-168-2#fields"),
    shows="VIS-512c VIS-T53 VC-30",
    needs=NEEDS,
    clauses={"a": "by the values of the classes, without one as 0", "b": "the value is its priority"},
)
def test_priority_classes(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    classes = [kueue_cluster.make_priority_class(value) for value in (10, 1000)]
    low, high = (
        queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": name}) for name in classes
    )
    none = queue.submit("job", cpu="1")

    within("settle", lambda: queue.pending().lists(high, low, none), clause="a")
    within("settle", lambda: queue.pending().shows_fields(high, priority=1000), clause="b")


def _raises(kueue_cluster, how, queue):
    """Return a Workload of priority 10, and what raises that to 30: its `spec`, its Job's `class`, or the
    `value` of the class.
    """
    if how == "spec":
        workload = queue.submit(cpu="1", priority=10)
        return workload, lambda: workload.set_priority(30)
    ten, thirty = (kueue_cluster.make_priority_class(value) for value in (10, 30))
    workload = queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": ten})
    job = kueue_cluster.job_of(workload)
    return workload, {
        "class": lambda: job.set_priority_class(thirty),
        "value": lambda: kueue_cluster.change_priority_class(ten, 30),
    }[how]


@scenario(
    "VSB-008",
    "a Workload whose priority is raised while it waits moves to its new place",
    requirement=("kep-168-2#no-delay", "visibility-api#order"),
    shows="VIS-512c VC-30",
    needs=NEEDS,
    since="0.19",
    level="should",
    cases=rows("how", ("spec",), ("class",), ("value",)),
    clauses={
        "a": "first in its old place",
        "b": "then before the others",
        "c": "the new priority is in the list",
        "d": "and the others step back",
    },
)
def test_raised_priority(kueue_cluster, how):
    queue = kueue_cluster.make_queue(cpu="0")
    workload, happens = _raises(kueue_cluster, how, queue)
    other = queue.submit(cpu="1", priority=20)
    within("settle", lambda: queue.pending().lists(other, workload), clause="a")

    happens()

    within("prompt", lambda: queue.pending().lists(workload, other), clause="b")
    within("settle", lambda: queue.pending_locally().shows_fields(workload, priority=30), clause="c")
    within("settle", lambda: other.is_at(1, locally=1), clause="d")


@scenario(
    "VSB-009",
    "the order of the list is that of admission, one by one",
    requirement=("kep-168-2#position-of-mine", "visibility-api#order"),
    shows="VIS-513 VIS-520 VIS-T50",
    needs=NEEDS,
    cases=cross(strategy=("StrictFIFO", "BestEffortFIFO")),
    clauses={
        "a": "all are listed",
        "b": "the first in the list is admitted first",
        "c": "the others move up",
        "d": "in the end the list is empty",
    },
)
def test_order_of_admission(kueue_cluster, strategy):
    queue = kueue_cluster.make_queue(cpu="1", queueingStrategy=strategy, stopPolicy="Hold")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    workloads = [queue.submit(cpu="1", priority=priority) for priority in (2, 7, 2)]
    workloads += [other.submit(cpu="1", priority=priority) for priority in (5, 7)]
    within("settle", lambda: queue.pending().has_length(5), clause="a")
    line = queue.pending().order_of(workloads)

    queue.resume()

    while line:
        within("admit", line[0].is_admitted, clause="b")
        always(lambda: all(workload.is_suspended() for workload in line[1:]), clause="b")
        within("settle", lambda: queue.pending().lists(*line[1:]), clause="c")
        line.pop(0).finish()
    within("settle", queue.pending().lists_nothing, clause="d")


@scenario(
    "VSB-010",
    "a Workload that does not fit keeps its place when another overtakes it",
    requirement=("kep-168-2#no-delay", "visibility-api#order"),
    shows="VIS-502 VIS-513",
    needs=NEEDS,
    clauses={"a": "the small one is admitted", "b": "the large one stays first"},
)
def test_overtaken(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="2", queueingStrategy="BestEffortFIFO")
    running = queue.submit(cpu="1")
    within("admit", running.is_admitted)
    large, later = queue.submit(cpu="2", priority=10), queue.submit(cpu="2", priority=5)
    within("settle", lambda: queue.pending().lists(large, later), clause="b")

    small = queue.submit(cpu="1")

    within("admit", small.is_admitted, clause="a")
    within("settle", lambda: queue.pending().lists(large, later), clause="b")
    always(lambda: large.is_at(0, locally=0) and later.is_at(1, locally=1), clause="b")


@scenario(
    "VSB-011",
    "the head of a strict queue that does not fit stays at 0, and what it holds up behind it",
    requirement=("kep-168-2#no-delay", "visibility-api#order"),
    shows="VIS-503 VIS-513 VIS-D10 VIS-R07",
    needs=NEEDS,
    since="0.19",
    also=("kep993",),
    clauses={"a": "all are listed by priority", "b": "in every list", "c": "also when it is tried again"},
)
def test_blocked_head(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="3", queueingStrategy="StrictFIFO")
    big = queue.submit(cpu="5", priority=50)
    within("settle", lambda: queue.pending().lists(big), clause="a")
    small, medium = queue.submit(cpu="1", priority=10), queue.submit(cpu="2", priority=20)

    within("settle", lambda: queue.pending().lists(big, medium, small), clause="a")
    always(lambda: queue.pending().lists(big, medium, small), clause="b")
    queue.set_quota("4")
    within("settle", lambda: queue.pending().lists(big, medium, small), clause="c")
    always(lambda: queue.pending_locally().lists(big, medium, small), clause="c")


@scenario(
    "VSB-012",
    "an inadmissible Workload is listed among the others, at its place",
    requirement=("kep-168-2#list-cluster-queue", "visibility-api#membership"),
    shows="VIS-502 VIS-512c",
    needs=NEEDS,
    cases=rows("cause", ("too large",), ("foreign namespace",)),
    clauses={"a": "it is listed", "b": "where its priority puts it", "c": "it stays there"},
)
def test_inadmissible(kueue_cluster, cause):
    spec = {
        "foreign namespace": {"namespaceSelector": {"matchLabels": {"example.com/team": "another"}}},
        "too large": {},
    }
    queue = kueue_cluster.make_queue(cpu="4", **spec[cause])
    tried = queue.submit(cpu="5", priority=5)
    within("settle", lambda: tried.has_condition("QuotaReserved", "False"))
    within("settle", lambda: queue.pending().lists(tried), clause="a")

    before, behind = queue.submit(cpu="5", priority=9), queue.submit(cpu="5", priority=1)

    within("settle", lambda: queue.pending().lists(before, tried, behind), clause="b")
    always(lambda: queue.pending_locally().lists(before, tried, behind), clause="c")


@scenario(
    "VSB-013",
    "a Workload that a check evicted is queued behind those of equal priority, and before later ones",
    requirement=("kep-168-2#list-cluster-queue", "visibility-api#order"),
    shows="VIS-507 VIS-512d VC-27 Q-007",
    needs=NEEDS,
    since="0.9",
    level="should",
    clauses={
        "a": "not listed while it runs",
        "b": "behind the one that waited",
        "c": "before one that came afterwards",
    },
)
def test_sent_back_by_a_check(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    older = queue.submit_until("admitted", cpu="1")
    clock.tick()
    younger = queue.submit(cpu="1")
    queue.hold()
    within("settle", lambda: queue.pending().lists(younger), clause="a")
    clock.tick()

    queue.checks[0].answer(older, "Retry")

    within("requeue", lambda: queue.pending().lists(younger, older), clause="b")
    clock.tick()
    last = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(younger, older, last), clause="c")


@scenario(
    "VSB-014",
    "a Workload that a stop policy evicted is listed by its creation time",
    requirement=("kep-168-2#list-cluster-queue", "visibility-api#order"),
    shows="VIS-507 VIS-510 VIS-512d Q-007",
    needs=NEEDS,
    since="0.9",
    level="should",
    cases=cross(form=("workload", "job")),
    revision=2,
    clauses={
        "a": "before the one that waited",
        "b": "and stays so when the queue is resumed and has no quota",
        "c": "so that it is admitted first",
    },
)
def test_sent_back_by_a_stop(kueue_cluster, clock, form):
    queue = kueue_cluster.make_queue(cpu="1")
    older = queue.submit_until("admitted", form, cpu="1")
    clock.tick()
    younger, last = (queue.submit(form, cpu="1") for _ in clock.tick_between(range(2)))
    within("settle", lambda: queue.pending().lists(younger, last))

    queue.hold_and_drain()

    within("evict", lambda: queue.pending().lists(older, younger, last), clause="a")
    queue.set_quota("0")  # no Workload is admitted before the evicted one may be tried again
    queue.resume()
    within("requeue", lambda: older.has_condition("Requeued", "True"))
    always(lambda: queue.pending().lists(older, younger, last), clause="b")
    queue.set_quota("1")
    within("admit", lambda: older.is_admitted() and queue.pending().lists(younger, last), clause="c")


@scenario(
    "VSB-015",
    "a Workload whose pods were not ready in time is listed after its back-off, by the time of its eviction",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-507 VIS-512d VC-24 Q-006",
    needs=(*NEEDS, "virtual time"),
    since="0.19",
    level="should",
    clauses={
        "a": "not listed while the delay runs",
        "b": "behind the one that waited",
        "c": "before one that came later",
    },
)
def test_back_off(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1")
    late = queue.submit_until("admitted", cpu="1")
    queue.hold()
    clock.tick()
    waits = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(waits))

    clock.advance(IN_TIME - 1)
    within("evict", lambda: late.was_released() and late.is_waiting_for_requeue())
    clock.advance_while(FIRST_DELAY, lambda: queue.pending().lists(waits), clause="a")

    within("prompt", lambda: queue.pending().lists(waits, late), clause="b")
    last = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(waits, late, last), clause="c")


@scenario(
    "VSB-016",
    "a Workload that changes during its back-off is listed at once",
    requirement="visibility-api#membership",
    shows="VC-24",
    needs=(*NEEDS, "virtual time"),
    since="0.19",
    level="may",
    clauses={
        "a": "not listed while the delay runs",
        "b": "listed after a change without effect",
        "c": "and it stays",
    },
)
def test_touched_while_it_backs_off(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1")
    late = queue.submit_until("admitted", cpu="1")
    queue.hold()
    clock.advance(IN_TIME)
    within("evict", lambda: late.was_released() and late.is_waiting_for_requeue())
    always(queue.pending().lists_nothing, clause="a")

    late.touch()

    within("prompt", lambda: queue.pending().lists(late), clause="b")
    always(lambda: queue.pending().lists(late), clause="c")


@scenario(
    "VSB-017",
    "a Workload with a Retry with a delay is listed when the delay is over",
    requirement="visibility-api#membership",
    shows="VIS-505 VIS-507 VC-27",
    needs=NEEDS,
    since="0.15",
    until="<0.19.14, 0.20.7",
    level="should",
    clauses={
        "a": "not listed while the delay runs, since it holds its quota",
        "b": "listed afterwards, and the one behind it is admitted",
    },
)
def test_retry_delay(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    delayed = queue.submit_until("prechecked", cpu="1")
    clock.tick()
    waits = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(waits))

    queue.checks[0].answer(delayed, "Retry", delay=clock.hold)
    clock.advance_while(clock.hold, lambda: queue.pending().lists(waits), clause="a")

    within("prompt", lambda: queue.pending().lists(delayed) and waits.is_prechecked(), clause="b")
