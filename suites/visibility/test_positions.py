"""VSB: positions, as users and administrators compare them (KEP-168-2, stories 1 and 2; VIS-520…525)."""

from kueue_conformance import always, cross, scenario, within

NEEDS = ("pending-workloads API",)
FORMS = ("workload", "job")


@scenario(
    "VSB-001",
    "pending Workloads are listed by priority, and by age among equals",
    requirement="kep-168-2#list-cluster-queue",
    shows="VIS-101 VIS-512c VIS-512d VIS-520 VIS-T01",
    needs=NEEDS,
    cases=cross(form=FORMS).also_drawn().also_beside_namesakes(),
    clauses={"a": "the higher priority stands before the lower", "b": "the older stands before the younger"},
)
def test_order(kueue_cluster, form):
    queue = kueue_cluster.make_queue(cpu="0")
    first = queue.submit("workload", cpu="1", priority=5)
    within("react", lambda: queue.pending().lists(first))

    low = queue.submit("workload", cpu="1", priority=1)
    high = queue.submit("workload", cpu="1", priority=9)
    within("react", lambda: queue.pending().lists(high, first, low), clause="a")
    last = queue.submit(form, cpu="1")
    within("settle", lambda: queue.pending().lists(high, first, low, last), clause="b")
    always(lambda: queue.pending().lists(high, first, low, last), clause="b")


@scenario(
    "VSB-002",
    "both lists have the same positions of a Workload",
    requirement=("kep-168-2#consistent", "kep-168-2#comparable-positions"),
    shows="VIS-102 VIS-520 VIS-521 VIS-522 VIS-T02 VIS-T70",
    needs=NEEDS,
    since="0.19",
    also=("kep993",),
    clauses={"a": "in the ClusterQueue's list", "b": "in each LocalQueue's list"},
)
def test_same_positions(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    mine, theirs = queue.submit(cpu="1", priority=2), other.submit(cpu="1", priority=9)
    second = queue.submit(cpu="1", priority=1)

    within("settle", lambda: queue.pending().lists(theirs, mine, second), clause="a")
    within("settle", lambda: queue.pending_locally().has_at(mine, 1, 0), clause="b")
    within("settle", lambda: queue.pending_locally().has_at(second, 2, 1), clause="b")
    within("settle", lambda: other.pending_locally().has_at(theirs, 0, 0), clause="b")
    within("settle", lambda: queue.pending().has_at(second, 2, 1), clause="a")


@scenario(
    "VSB-018",
    "a user of one LocalQueue learns how many Workloads of all others are ahead",
    requirement=("kep-168-2#position-of-mine", "kep-168-2#list-local-queue"),
    shows="VIS-207 VIS-520 VIS-T12 VIS-T57 VIS-T72",
    needs=NEEDS,
    cases=cross(form=FORMS).also_drawn().also_beside_namesakes(),
    clauses={
        "a": "the position in the ClusterQueue",
        "b": "that in the LocalQueue",
        "c": "no Workload of the others is in the list",
    },
)
def test_position_of_mine(kueue_cluster, form):
    queue = kueue_cluster.make_queue(cpu="0")
    theirs = kueue_cluster.make_second_local_queue(queue, namespace=kueue_cluster.make_namespace())
    ahead = [theirs.submit(cpu="1", priority=9) for _ in range(2)]
    mine, behind = queue.submit(form, cpu="1"), theirs.submit(cpu="1", priority=-1)

    within("settle", lambda: mine.is_at(2), clause="a")
    within("settle", lambda: mine.is_at(2, locally=0), clause="b")
    within("settle", lambda: queue.pending_locally().lists(mine), clause="c")
    within("settle", lambda: theirs.pending_locally().has_at(behind, 3, 2), clause="a")
    within("settle", lambda: theirs.pending_locally().has_length(len(ahead) + 1), clause="c")


@scenario(
    "VSB-019",
    "a Workload submitted to one LocalQueue moves the positions of others, and its deletion moves them back",
    requirement=("kep-168-2#shifts-others", "kep-168-2#no-delay"),
    shows="VIS-525 VIS-533 VIS-T70 VIS-T71",
    needs=NEEDS,
    cases=cross(where=("beside", "elsewhere")),
    clauses={
        "a": "one further back in the ClusterQueue",
        "b": "not in its own LocalQueue",
        "c": "as before when it is deleted",
    },
)
def test_shifted_by_others(kueue_cluster, where):
    queue = kueue_cluster.make_queue(cpu="0")
    namespace = {"elsewhere": kueue_cluster.make_namespace, "beside": lambda: queue.namespace}[where]()
    other = kueue_cluster.make_second_local_queue(queue, namespace=namespace)
    workload, second = queue.submit(cpu="1", priority=5), queue.submit(cpu="1", priority=4)
    within("settle", lambda: workload.is_at(0, locally=0) and second.is_at(1, locally=1))

    urgent = other.submit(cpu="1", priority=9)

    within("prompt", lambda: workload.is_at(1) and second.is_at(2), clause="a")
    within("settle", lambda: workload.is_at(1, locally=0) and second.is_at(2, locally=1), clause="b")
    urgent.delete()
    within("prompt", lambda: workload.is_at(0, locally=0) and second.is_at(1, locally=1), clause="c")


@scenario(
    "VSB-020",
    "LocalQueues of one name in several namespaces count for themselves, and list their own",
    requirement=("kep-168-2#list-local-queue", "kep-168-2#consistent"),
    shows="VIS-104 VIS-521 VIS-D08 VIS-R11 VIS-R13 VIS-T08 VIS-T14 VIS-T55",
    needs=NEEDS,
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the ClusterQueue's list counts each from 0",
        "b": "each LocalQueue's list tells the same",
        "c": "and no Workload of the others",
    },
)
def test_same_names(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    first_queue, two = (kueue_cluster.make_local_queue_in_other_namespace(queue) for _ in range(2))
    first, third = queue.submit(cpu="1", priority=9), queue.submit(cpu="1", priority=7)
    second, fourth = first_queue.submit(cpu="1", priority=8), first_queue.submit(cpu="1", priority=6)
    last = two.submit(cpu="1", priority=5)

    within("settle", lambda: queue.pending().lists(first, second, third, fourth, last))
    within("settle", lambda: queue.pending().has_at(fourth, 3, 1), clause="a")
    within("settle", lambda: queue.pending().has_at(last, 4, 0), clause="a")
    within("settle", lambda: first_queue.pending_locally().has_at(second, 1, 0), clause="b")
    within("settle", lambda: last.is_at(4, locally=0), clause="b")
    within("settle", lambda: queue.pending_locally().lists(first, third), clause="c")
    within("settle", lambda: first_queue.pending_locally().lists(second, fourth), clause="c")


@scenario(
    "VSB-021",
    "two LocalQueues of one namespace count for themselves, and list their own",
    requirement=("kep-168-2#list-local-queue", "kep-168-2#consistent"),
    shows="VIS-206 VIS-521 VIS-523 VIS-T12 VIS-T13 VIS-T54",
    needs=NEEDS,
    clauses={
        "a": "each list has its own",
        "b": "with positions from 0",
        "c": "and those of the ClusterQueue",
    },
    cases=cross().also_drawn(),
)
def test_two_local_queues(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    beside = kueue_cluster.make_second_local_queue(queue)
    submissions = [(queue, 90), (beside, 80), (beside, 70), (queue, 60), (beside, 50)]

    first, two, three, four, five = (
        queue_of_workload.submit(cpu="1", priority=high) for queue_of_workload, high in submissions
    )

    within("settle", lambda: queue.pending_locally().lists(first, four), clause="a")
    within("settle", lambda: beside.pending_locally().lists(two, three, five), clause="a")
    within("settle", lambda: two.is_at(1, locally=0) and five.is_at(4, locally=2), clause="b")
    within("settle", lambda: queue.pending().has_at(four, 3, 1), clause="c")
    within("settle", lambda: queue.pending().has_at(five, 4, 2), clause="c")


@scenario(
    "VSB-023",
    "ClusterQueues of one cohort have lists of their own",
    requirement=("kep-168-2#list-cluster-queue", "kep-168-2#comparable-positions"),
    shows="VIS-520 VIS-T14 VIS-T15",
    needs=NEEDS,
    clauses={
        "a": "each lists its own",
        "b": "with positions from 0",
        "c": "also a Workload that borrowing would admit",
    },
)
def test_cohort(kueue_cluster):
    cohort = kueue_cluster.names.name("cohort")
    first_queue, other = (kueue_cluster.make_queue(cpu="0", cohortName=cohort) for _ in range(2))
    first, second = first_queue.submit(cpu="1", priority=30), first_queue.submit(cpu="1", priority=10)
    third, fourth = other.submit(cpu="1", priority=50), other.submit(cpu="1", priority=5)

    within("settle", lambda: first_queue.pending().lists(first, second), clause="a")
    within("settle", lambda: other.pending().lists(third, fourth), clause="a")
    within("settle", lambda: first.is_at(0, locally=0) and third.is_at(0, locally=0), clause="b")
    within("settle", lambda: fourth.is_at(1, locally=1), clause="c")


def crowd(kueue_cluster, number):
    """Return three LocalQueues of one ClusterQueue,
    in two namespaces, with so many Workloads of mixed priorities.
    """
    queue = kueue_cluster.make_queue(cpu="0")
    elsewhere = kueue_cluster.make_second_local_queue(queue, namespace=kueue_cluster.make_namespace())
    queues = [queue, kueue_cluster.make_second_local_queue(queue), elsewhere]
    for at in range(number):
        queues[at * at % 7 % 3].submit(cpu="1", priority=at * 5 % 9)
    within("settle", lambda: queue.pending().has_length(number))
    return queues


@scenario(
    "VSB-024",
    "the lists of all LocalQueues and that of their ClusterQueue agree at one moment",
    requirement=("kep-168-2#consistent", "kep-168-2#administrators"),
    shows="VIS-522 VIS-523 VIS-530 VIS-T72",
    needs=NEEDS,
    clauses={"a": "the parts make up the whole", "b": "also after Workloads were created and deleted"},
)
def test_lists_agree(kueue_cluster):
    queues = crowd(kueue_cluster, 12)
    queue, beside, elsewhere = queues
    local_lists = [queue.pending_locally() for queue in queues]
    within("settle", lambda: queue.pending().is_partitioned_by(*local_lists), clause="a")

    urgent, _ = elsewhere.submit(cpu="1", priority=99), beside.submit(cpu="1", priority=4)
    within(
        "settle",
        lambda: queue.pending().has_length(14) and queue.pending().is_partitioned_by(*local_lists),
        clause="b",
    )
    urgent.delete()
    within(
        "settle",
        lambda: queue.pending().has_length(13) and queue.pending().is_partitioned_by(*local_lists),
        clause="b",
    )


@scenario(
    "VSB-025",
    "pages put together are the whole list, with the same positions",
    requirement=("kep-168-2#offset-and-limit", "kep-168-2#dashboards"),
    shows="VIS-133 VIS-207 VIS-524 VIS-T03 VIS-T04 VIS-T05 VIS-T16 VIS-T17 VIS-T18",
    needs=NEEDS,
    cases=cross(limit=(1, 4, 50)),
    clauses={"a": "of the ClusterQueue", "b": "of a LocalQueue"},
)
def test_pages(kueue_cluster, limit):
    queue, beside, elsewhere = crowd(kueue_cluster, 11)

    within("settle", lambda: queue.pending().has_pages_of(limit), clause="a")
    within("settle", lambda: elsewhere.pending_locally().has_pages_of(limit), clause="b")
    within("settle", lambda: beside.pending_locally().has_pages_of(limit), clause="b")


@scenario(
    "VSB-027",
    "positions are unique and have no gap",
    requirement=("kep-168-2#comparable-positions", "kep-168-2#position-of-mine"),
    shows="VIS-520 VIS-521 VIS-523",
    needs=NEEDS,
    clauses={
        "a": "in the ClusterQueue and in every LocalQueue",
        "b": "also after one of the middle was deleted",
    },
)
def test_no_gaps(kueue_cluster):
    queue, _, _ = crowd(kueue_cluster, 9)
    middle = queue.submit(cpu="1", priority=4)
    within("settle", lambda: queue.pending().has(middle))
    within("settle", lambda: queue.pending().has_consecutive_positions(), clause="a")

    middle.delete()

    within(
        "settle",
        lambda: queue.pending().has_length(9) and queue.pending().has_consecutive_positions(),
        clause="b",
    )


@scenario(
    "VSB-028",
    "positions in a queue do not change without events",
    requirement=("kep-168-2#comparable-positions", "kep-168-2#dashboards"),
    shows="VIS-512e VIS-531 VIS-R08",
    needs=NEEDS,
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "the ClusterQueue's list is the same each time",
        "b": "the LocalQueue's as well",
        "c": "later too",
    },
)
def test_idle_queue(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="0")
    workloads = [queue.submit(cpu="1") for _ in range(6)]
    within("settle", lambda: queue.pending().has_length(len(workloads)))
    clock.settle()
    full_list, local = queue.pending().read(), queue.pending_locally().read()

    within(
        "settle",
        lambda: (
            all(queue.pending().is_same_as(full_list) for _ in range(20))
            and queue.pending().is_same_as(full_list)
        ),
        clause="a",
    )
    within("settle", lambda: queue.pending_locally().is_same_as(local), clause="b")
    clock.advance_budget("hold")
    within(
        "settle",
        lambda: queue.pending().is_same_as(full_list) and queue.pending_locally().is_same_as(local),
        clause="c",
    )


@scenario(
    "VSB-029",
    "both versions of the API have the same positions",
    requirement=("visibility-api#representation", "kep-168-2#consistent"),
    shows="VIS-208 VIS-D01 VIS-T50 VIS-T51",
    needs=NEEDS,
    since="0.19",
    level="should",
    cases=cross(version=("v1beta1",)),
    clauses={"a": "of a ClusterQueue", "b": "of a LocalQueue"},
)
def test_versions(kueue_cluster, version):
    queue = kueue_cluster.make_queue(cpu="0")
    low, high = queue.submit(cpu="1", priority=1), queue.submit(cpu="1", priority=2)
    within("settle", lambda: queue.pending().lists(high, low))

    within("settle", lambda: queue.pending(version=version).lists(high, low), clause="a")
    within(
        "settle",
        lambda: queue.pending(version=version).is_partitioned_by(queue.pending_locally()),
        clause="a",
    )
    within("settle", lambda: queue.pending_locally(version=version).has_at(low, 1, 1), clause="b")


@scenario(
    "VSB-045",
    "no object is written when lists are read",
    requirement="kep-168-2#read-only",
    shows="VIS-118",
    needs=NEEDS,
    revision=2,
    clauses={"a": "no write", "b": "the next write is seen, so that one would have been"},
)
def test_nothing_is_written(kueue_cluster, history, clock):
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(workload))
    # The list is there before the counters of both queues are written.
    within("settle", lambda: queue.shows_counts(pending=1) and queue.shows_counts_locally(pending=1))
    clock.settle()
    known_events, before = _event_keys(history), _count_writes(history)

    within("settle", lambda: queue.pending().lists(workload) and queue.pending_locally().lists(workload))
    within("settle", lambda: queue.pending().lists_on_page(offset="1", limit="1"))
    always(lambda: _count_writes(history, known_events) == before, clause="a")
    workload.touch()
    within("settle", lambda: _count_writes(history, known_events) > before, clause="b")


def _event_keys(history):
    """Return what was told by Events, and about what."""
    return {_event(change) for change in history if change.kind == "Event"}


def _count_writes(history, known_events=None):
    """Count the writes, but for Events that tell what was told before: a scheduler that tries a Workload
    again does, at any time.
    """
    event_keys = _event_keys(history) if known_events is None else known_events
    return sum(change.kind != "Event" or _event(change) not in event_keys for change in history)


def _event(change):
    event = change.after or change.before
    about = event.get("regarding") or event.get("involvedObject") or {}
    return event.get("reason"), about.get("kind"), about.get("name")
