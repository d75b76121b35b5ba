"""VSB: lists of stopped, inactive, deleted and recreated queues (VIS-103…108, VIS-509…511)."""

from kueue_conformance import always, cross, rows, scenario, within

NEEDS = ("pending-workloads API",)
POLICIES = ("Hold", "HoldAndDrain")


def two_local_queues(kueue_cluster):
    """Return two LocalQueues of one ClusterQueue without quota,
    each with a Workload: the first one's stands first.
    """
    queue = kueue_cluster.make_queue(cpu="0")
    beside = kueue_cluster.make_second_local_queue(queue)
    first, other = queue.submit(cpu="1", priority=5), beside.submit(cpu="1", priority=4)
    within("settle", lambda: queue.pending().lists(first, other))
    return queue, beside, first, other


@scenario(
    "VSB-116",
    "pending Workloads of a stopped ClusterQueue are listed, and so are new ones",
    requirement=("kep-168-2#no-delay", "visibility-api#queues"),
    shows="VIS-108 VIS-510 VIS-D22",
    needs=NEEDS,
    cases=cross(policy=POLICIES),
    clauses={
        "a": "still listed",
        "b": "new ones at their places",
        "c": "deleted ones are not",
        "d": "the rest when the first is admitted",
    },
)
def test_stopped_cluster_queue(kueue_cluster, policy):
    queue = kueue_cluster.make_queue(cpu="1", stopPolicy="Hold")
    first, two = queue.submit(cpu="1", priority=5), queue.submit(cpu="1", priority=4)
    within("settle", lambda: queue.pending().lists(first, two), clause="a")

    queue.set_stop_policy("cluster-queue", policy)

    always(lambda: queue.is_stopped("cluster-queue") and queue.pending().lists(first, two), clause="a")
    new = queue.submit(cpu="1", priority=7)
    within("settle", lambda: queue.pending().lists(new, first, two), clause="b")
    within("settle", lambda: queue.pending_locally().lists(new, first, two), clause="b")
    first.delete()
    within("settle", lambda: queue.pending().lists(new, two), clause="c")
    queue.resume()
    within("admit", lambda: new.is_admitted() and queue.pending().lists(two), clause="d")


@scenario(
    "VSB-117",
    "Workloads that a drained ClusterQueue evicts are listed, and those that hold quota are not",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-506 VIS-510",
    needs=NEEDS,
    clauses={
        "a": "Hold lets the admitted one run, unlisted",
        "b": "HoldAndDrain has it listed",
        "c": "before a Workload of lower priority",
    },
)
def test_drained_cluster_queue(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    runs = queue.submit_until("admitted", cpu="1", priority=9)
    waits = queue.submit(cpu="1", priority=1)
    within("settle", lambda: queue.pending().lists(waits))
    queue.hold()
    always(lambda: runs.is_admitted() and queue.pending().lists(waits), clause="a")

    queue.hold_and_drain()

    within("evict", lambda: runs.is_suspended() and queue.pending().has(runs), clause="b")
    within("settle", lambda: queue.pending().lists(runs, waits), clause="c")


@scenario(
    "VSB-118",
    "pending Workloads of a stopped LocalQueue are not listed until it resumes",
    requirement=("kep-168-2#no-delay", "visibility-api#queues"),
    shows="VIS-107 VIS-509 VK-10",
    needs=NEEDS,
    since="0.9",
    level="should",
    cases=cross(policy=POLICIES),
    clauses={
        "a": "the LocalQueue has no list",
        "b": "its Workloads are not in the ClusterQueue's, where others move up",
        "c": "new ones are not listed either",
        "d": "all are listed in their order when it is resumed",
    },
)
def test_stopped_local_queue(kueue_cluster, policy):
    queue, beside, first, other = two_local_queues(kueue_cluster)

    queue.set_stop_policy("local-queue", policy)

    within("prompt", lambda: queue.pending().lists(other) and other.is_at(0, locally=0), clause="b")
    within("settle", lambda: queue.pending_locally().is_refused(404, "NotFound"), clause="a")
    new = queue.submit(cpu="1", priority=7)
    always(lambda: queue.pending().lists(other), clause="c")
    queue.resume_queue("local-queue")
    within("prompt", lambda: queue.pending().lists(new, first, other), clause="d")
    within("settle", lambda: queue.pending_locally().lists(new, first), clause="d")
    within("settle", lambda: beside.pending_locally().has_at(other, 2, 0), clause="d")


@scenario(
    "VSB-119",
    "no Workload of a stopped or deleted LocalQueue stays in the list, not even the last one that was tried",
    requirement="visibility-api#queues",
    shows="VIS-509 VC-26 VIS-R27 VIS-R21",
    needs=NEEDS,
    since="0.9",
    level="should",
    cases=cross(strategy=("StrictFIFO", "BestEffortFIFO"), end=("stopped", "deleted")),
    clauses={
        "a": "the ClusterQueue lists no Workload",
        "b": "and continues so",
        "c": "but what another LocalQueue brings",
    },
)
def test_last_one_tried(kueue_cluster, strategy, end):
    queue = kueue_cluster.make_queue(cpu="0", queueingStrategy=strategy)
    beside = kueue_cluster.make_second_local_queue(queue)
    tried = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(tried) and tried.has_condition("QuotaReserved", "False"))

    {"stopped": queue.hold_local, "deleted": queue.delete_local}[end]()

    within("prompt", queue.pending().lists_nothing, clause="a")
    always(queue.pending().lists_nothing, clause="b")
    other = beside.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(other), clause="c")


@scenario(
    "VSB-120",
    "the Workloads of a deleted LocalQueue leave the list, and are listed again when it is recreated",
    requirement=("kep-168-2#no-delay", "visibility-api#queues"),
    shows="VIS-104 VIS-509 VK-10",
    needs=NEEDS,
    clauses={
        "a": "it has no list",
        "b": "the ClusterQueue lists the others",
        "c": "as before when it exists again",
    },
)
def test_deleted_local_queue(kueue_cluster):
    queue, beside, first, other = two_local_queues(kueue_cluster)

    queue.delete_local()

    within("prompt", lambda: queue.pending().lists(other) and other.is_at(0, locally=0), clause="b")
    within("settle", lambda: queue.pending_locally().is_refused(404, "NotFound"), clause="a")
    always(lambda: beside.pending_locally().has_at(other, 0, 0), clause="b")
    kueue_cluster.make_local_queue_for(queue)
    within("settle", lambda: queue.pending().lists(first, other), clause="c")
    within("settle", lambda: queue.pending_locally().lists(first), clause="c")


@scenario(
    "VSB-121",
    "a LocalQueue that is recreated for another ClusterQueue lists its Workloads there",
    requirement=("kep-168-2#no-delay", "visibility-api#queues"),
    shows="VIS-104 VIS-526 VK-10",
    needs=NEEDS,
    clauses={
        "a": "the old ClusterQueue lists the others alone",
        "b": "the new one lists them among its own",
        "c": "and the LocalQueue lists them",
    },
)
def test_local_queue_of_another(kueue_cluster):
    queue, _, first, stays = two_local_queues(kueue_cluster)
    other = kueue_cluster.make_queue(cpu="0")
    theirs = other.submit(cpu="1", priority=9)
    queue.delete_local()
    within("settle", lambda: queue.pending().lists(stays))

    moved = kueue_cluster.make_local_queue_of(queue, other)

    within("settle", lambda: other.pending().lists(theirs, first), clause="b")
    within("settle", lambda: moved.pending_locally().has_at(first, 1, 0), clause="c")
    always(lambda: queue.pending().lists(stays), clause="a")


@scenario(
    "VSB-122",
    "a deleted ClusterQueue has no list, and the same list when it is recreated",
    requirement=("kep-168-2#no-delay", "visibility-api#queues"),
    shows="VIS-103 VIS-106 VIS-511 VK-10",
    needs=NEEDS,
    clauses={
        "a": "no list of the ClusterQueue",
        "b": "an empty one of its LocalQueue",
        "c": "Workloads created meanwhile are not listed",
        "d": "all are listed in their order",
    },
)
def test_deleted_cluster_queue(kueue_cluster):
    queue, beside, first, other = two_local_queues(kueue_cluster)

    queue.delete()

    within("settle", lambda: queue.is_gone() and queue.pending().is_refused(404, "NotFound"), clause="a")
    within("settle", queue.pending_locally().lists_nothing, clause="b")
    new = queue.submit(cpu="1", priority=7)
    always(
        lambda: queue.pending_locally().lists_nothing() and beside.pending_locally().lists_nothing(),
        clause="c",
    )
    kueue_cluster.make_cluster_queue_for(queue, [], cpu="0")
    within("settle", lambda: queue.pending().lists(new, first, other), clause="d")
    within("settle", lambda: queue.pending_locally().has_at(first, 1, 1), clause="d")


@scenario(
    "VSB-123",
    "a ClusterQueue that is created later lists the Workloads that waited for it",
    requirement="visibility-api#queues",
    shows="VIS-103 VIS-106",
    needs=NEEDS,
    clauses={
        "a": "before it is created its LocalQueue lists no Workload",
        "b": "and there is no list of it",
        "c": "then they are listed in their order",
    },
)
def test_late_cluster_queue(kueue_cluster):
    queue = kueue_cluster.make_queue_without_cluster_queue()
    low, high = queue.submit(cpu="1", priority=1), queue.submit(cpu="1", priority=2)
    within("settle", lambda: queue.pending().is_refused(404, "NotFound"), clause="b")
    always(queue.pending_locally().lists_nothing, clause="a")

    kueue_cluster.make_cluster_queue_for(queue, [], cpu="0")

    within("settle", lambda: queue.pending().lists(high, low), clause="c")
    within("settle", lambda: queue.pending_locally().lists(high, low), clause="c")


@scenario(
    "VSB-124",
    "a LocalQueue that is created later lists the Workloads that waited for it",
    requirement="visibility-api#queues",
    shows="VIS-104 VIS-501",
    needs=NEEDS,
    clauses={
        "a": "it has no list before it is created",
        "b": "the ClusterQueue's is empty",
        "c": "then both list them in their order",
    },
)
def test_late_local_queue(kueue_cluster):
    queue = kueue_cluster.make_queue_without_local()
    queue.set_quota("0")
    low, high = queue.submit(cpu="1", priority=1), queue.submit(cpu="1", priority=2)
    within("settle", lambda: queue.pending_locally().is_refused(404, "NotFound"), clause="a")
    always(queue.pending().lists_nothing, clause="b")

    kueue_cluster.make_local_queue_for(queue)

    within("settle", lambda: queue.pending().lists(high, low), clause="c")
    within("settle", lambda: queue.pending_locally().lists(high, low), clause="c")


@scenario(
    "VSB-125",
    "a ClusterQueue that cannot admit lists its pending Workloads, and new ones",
    requirement=("kep-168-2#no-delay", "visibility-api#queues"),
    shows="VIS-108 VIS-510",
    needs=NEEDS,
    cases=rows("cause", ("a check is inactive",), ("a flavor is missing",)),
    clauses={
        "a": "pending Workloads stay listed",
        "b": "new ones are at their places",
        "c": "and deleted ones are not listed",
    },
)
def test_inactive_cluster_queue(kueue_cluster, cause):
    queue = kueue_cluster.make_queue(checks=1, cpu="0")
    waits = queue.submit(cpu="1", priority=5)
    within("settle", lambda: queue.pending().lists(waits))

    if cause == "a flavor is missing":
        queue.set_flavors(kueue_cluster.names.name("flavor"))
    else:
        queue.checks[0].set_active(False)

    within("settle", queue.is_inactive)
    always(lambda: queue.pending().lists(waits), clause="a")
    new = queue.submit(cpu="1", priority=7)
    within("settle", lambda: queue.pending().lists(new, waits), clause="b")
    within("settle", lambda: queue.pending_locally().lists(new, waits), clause="b")
    waits.delete()
    within("settle", lambda: queue.pending().lists(new), clause="c")


@scenario(
    "VSB-126",
    "the Workloads of a deleted LocalQueue leave the list of a ClusterQueue that was never active",
    requirement="visibility-api#queues",
    shows="VIS-509 VC-26 VIS-R27",
    needs=NEEDS,
    since="0.19",
    level="should",
    clauses={"a": "both are listed", "b": "then the other one alone"},
)
def test_deleted_while_inactive(kueue_cluster):
    queue = kueue_cluster.make_queue(flavors=[kueue_cluster.names.name("flavor")])
    beside = kueue_cluster.make_second_local_queue(queue)
    first, other = queue.submit(cpu="1", priority=9), beside.submit(cpu="1", priority=5)
    within("settle", lambda: queue.is_inactive() and queue.pending().lists(first, other), clause="a")

    queue.delete_local()

    within("prompt", lambda: queue.pending().lists(other), clause="b")
    within("settle", lambda: beside.pending_locally().has_at(other, 0, 0), clause="b")


@scenario(
    "VSB-127",
    "the list is the same after a restart of the control plane",
    requirement=("kep-168-2#comparable-positions", "visibility-api#order"),
    shows="VIS-001 VIS-512e VIS-532 VIS-R19",
    needs=(*NEEDS, "restart of Kueue"),
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the same Workloads at the same positions",
        "b": "in the LocalQueue as well",
        "c": "and it continues",
    },
)
def test_restart(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    names = sorted((kueue_cluster.names.name("workload") for _ in range(5)), reverse=True)
    submissions = zip(names, (1, 3, 3, 3, 2), strict=True)
    workloads = [queue.submit(cpu="1", priority=priority, name=name) for name, priority in submissions]
    within("settle", lambda: queue.pending().has_length(5))
    line = queue.pending().order_of(workloads)

    kueue_cluster.restart_control_plane()

    within("recover", lambda: queue.pending().lists(*line), clause="a")
    within("settle", lambda: queue.pending_locally().lists(*line), clause="b")
    first = queue.submit(cpu="1", priority=9)
    within("settle", lambda: queue.pending().lists(first, *line), clause="c")


@scenario(
    "VSB-128",
    "the list of an empty queue is empty beside a queue with pending Workloads",
    requirement=("kep-168-2#list-cluster-queue", "kep-168-2#list-local-queue"),
    shows="VIS-105 VIS-T09",
    needs=NEEDS,
    clauses={
        "a": "an empty list of the ClusterQueue",
        "b": "and of the LocalQueue",
        "c": "and a new Workload is listed",
    },
    cases=cross().also_drawn(),
)
def test_nothing_waits(kueue_cluster):
    queue, busy = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_queue(cpu="0")
    theirs = busy.submit(cpu="1")
    within("settle", lambda: busy.pending().lists(theirs))

    within("settle", queue.pending().lists_nothing, clause="a")
    within("settle", queue.pending_locally().lists_nothing, clause="b")
    mine = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(mine) and queue.pending_locally().lists(mine), clause="c")
