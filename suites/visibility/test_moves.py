"""VSB: Workloads that go to another LocalQueue while they wait (VIS-526, VC-29)."""

from kueue_conformance import cross, scenario, within

NEEDS = ("pending-workloads API",)
FORMS = ("workload", "job")


def submit(kueue_cluster, form, queue):
    """Return a Workload that waits, and what its user changes to move it:
    its own spec, or the label of its Job.
    """
    workload = queue.submit(form, cpu="1", **({"priority": 5} if form == "workload" else {}))
    return workload, kueue_cluster.job_of(workload) if form == "job" else workload


@scenario(
    "VSB-030",
    "a Workload that is moved to another LocalQueue of its ClusterQueue is listed there",
    requirement=("kep-168-2#no-delay", "kep-168-2#list-local-queue"),
    shows="VIS-525 VIS-526 VC-29",
    needs=NEEDS,
    since="0.19",
    level="should",
    cases=cross(form=FORMS),
    clauses={
        "a": "not in the old one any more",
        "b": "in the new one",
        "c": "at its place in the ClusterQueue",
    },
)
def test_moved_beside(kueue_cluster, form):
    queue = kueue_cluster.make_queue(cpu="0")
    beside = kueue_cluster.make_second_local_queue(queue)
    first, stays = beside.submit(cpu="1", priority=9), queue.submit(cpu="1", priority=-1)
    workload, movable = submit(kueue_cluster, form, queue)
    within("settle", lambda: queue.pending_locally().lists(workload, stays))

    movable.set_queue(beside)

    within("prompt", lambda: queue.pending_locally().lists(stays), clause="a")
    within("settle", lambda: beside.pending_locally().lists(first, workload), clause="b")
    within("settle", lambda: queue.pending().has_at(workload, 1, 1), clause="c")
    within("settle", lambda: stays.is_at(2, locally=0), clause="c")
    within("settle", lambda: queue.pending().shows_fields(workload, localQueueName=beside.name), clause="b")


@scenario(
    "VSB-031",
    "a Workload that is moved to the LocalQueue of another ClusterQueue is listed there alone",
    requirement=("kep-168-2#no-delay", "kep-168-2#list-cluster-queue"),
    shows="VIS-526 VC-29",
    needs=NEEDS,
    since="0.19",
    level="should",
    cases=cross(form=FORMS),
    clauses={"a": "not in its old lists", "b": "in both of the new ones", "c": "the others move up"},
)
def test_moved_away(kueue_cluster, form):
    queue, other = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_queue(cpu="0")
    there, stays = other.submit(cpu="1", priority=-1), queue.submit(cpu="1", priority=-1)
    workload, movable = submit(kueue_cluster, form, queue)
    within("settle", lambda: queue.pending().lists(workload, stays))

    movable.set_queue(other)

    within("prompt", lambda: queue.pending().lists(stays), clause="a")
    within("settle", lambda: queue.pending_locally().lists(stays), clause="a")
    within("settle", lambda: other.pending().lists(workload, there), clause="b")
    within("settle", lambda: other.pending_locally().has_at(there, 1, 1), clause="b")
    within("settle", lambda: stays.is_at(0, locally=0), clause="c")


@scenario(
    "VSB-032",
    "a Workload that is moved to a missing LocalQueue is listed nowhere, and returns to its place",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-501 VIS-526 VC-29",
    needs=NEEDS,
    since="0.19",
    level="should",
    clauses={
        "a": "not in the old lists",
        "b": "there is no list of the new one",
        "c": "listed where it was when it is moved back",
    },
)
def test_moved_nowhere(kueue_cluster):
    queue, nowhere = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_queue_without_local()
    workload, other = queue.submit(cpu="1", priority=5), queue.submit(cpu="1", priority=1)
    within("settle", lambda: queue.pending().lists(workload, other))

    workload.set_queue(nowhere)

    within("prompt", lambda: queue.pending().lists(other), clause="a")
    within("settle", lambda: queue.pending_locally().lists(other), clause="a")
    within("settle", lambda: nowhere.pending_locally().is_refused(404, "NotFound"), clause="b")
    within("settle", nowhere.pending().lists_nothing, clause="b")
    workload.set_queue(queue)
    within("prompt", lambda: queue.pending().lists(workload, other), clause="c")
