"""What holds quota, in the order in which it was reserved (VIS-904…908)."""

from reference_impl.kueue.queueing.admitted_view import AdmittedView
from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import Cluster, group


def make_cluster():
    """Two Workloads that hold quota in cq, the younger one reserved first, and one that waits."""
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[2]), local="lq")
    cluster.cpu("old", 1, queue="lq").cpu("young", 1, queue="lq").run_all()
    cluster.cpu("waits", 1, queue="lq")
    for name, second in (("old", 9), ("young", 1)):
        workload = cluster.objects[f"ns/{name}"]
        conditions = [
            {**condition, "lastTransitionTime": f"2023-11-14T23:00:0{second}Z"}
            for condition in workload.status["conditions"]
        ]
        cluster.put(Workload({**workload.object, "status": {**workload.status, "conditions": conditions}}))
    return cluster


def make_view(cluster, *existing_workloads):
    return AdmittedView(
        cluster.queue_manager.ledger, cluster.queue_manager.queues, existing_workloads.__contains__
    )


def rows(queue, offset=0, limit=9):
    return [(workload.workload.name, *workload[1:]) for workload in queue.page(offset, limit)]


def test_the_first_reservation_stands_first_vis_906():
    queue = make_view(make_cluster()).cluster_queue("cq")

    assert rows(queue) == [("young", 0, 0), ("old", 1, 1)]
    assert rows(queue, 1, 5) == [("old", 1, 1)]
    assert len(queue) == 2


def test_no_workload_is_in_both_views_vis_904():
    cluster = make_cluster()
    waiting = {key.partition("/")[2] for key in cluster.queue_manager.queues.cluster_queues["cq"].entries}

    assert waiting == {"waits"}


def test_a_local_queue_is_known_while_it_holds_or_exists_vis_908():
    cluster = make_cluster()
    cluster.queue_manager.queues.remove_local_queue("ns/lq")

    assert rows(make_view(cluster).local_queue("ns", "lq")) == [("young", 0, 0), ("old", 1, 1)]
    assert rows(make_view(cluster, "ns/empty").local_queue("ns", "empty")) == []
    assert make_view(cluster).local_queue("ns", "empty") is None


def test_asking_for_what_is_not_there_keeps_nothing():
    cluster = make_cluster()

    assert make_view(cluster).cluster_queue("nowhere") is None
    assert "nowhere" not in cluster.queue_manager.ledger._of_queue


def test_one_that_holds_quota_is_found_by_its_key():
    queue = make_view(make_cluster()).cluster_queue("cq")

    assert queue.find("ns/old").workload.name == "old"
    assert queue.find("ns/young").workload.name == "young"
    assert queue.find("ns/waits") is None


def test_both_views_of_a_cluster_queue_are_of_one_generation():
    cluster = make_cluster()
    before = [
        make_view(cluster).cluster_queue("cq").generation,
        make_view(cluster).local_queue("ns", "lq").generation,
    ]
    cluster.cpu("more", 1, queue="lq")
    after = [
        make_view(cluster).cluster_queue("cq").generation,
        make_view(cluster).local_queue("ns", "lq").generation,
    ]

    assert before[0] == before[1] < after[0] == after[1]
