"""What holds quota, in the order in which it was reserved (VIS-904…908)."""

from reference_impl.kueue.queueing.admitted_view import AdmittedView
from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import Cluster, group


def cluster():
    """Two Workloads that hold quota in cq, the younger one reserved first, and one that waits."""
    found = Cluster().flavors().queue("cq", group("cpu", default=[2]), local="lq")
    found.cpu("old", 1, queue="lq").cpu("young", 1, queue="lq").run_all()
    found.cpu("waits", 1, queue="lq")
    for name, second in (("old", 9), ("young", 1)):
        one = found.objects[f"ns/{name}"]
        conditions = [
            {**each, "lastTransitionTime": f"2023-11-14T23:00:0{second}Z"}
            for each in one.status["conditions"]
        ]
        found.put(Workload({**one.object, "status": {**one.status, "conditions": conditions}}))
    return found


def view(found, *existing):
    return AdmittedView(found.queue_manager.ledger, found.queue_manager.queues, existing.__contains__)


def seen(queue, offset=0, limit=9):
    return [(one.workload.name, *one[1:]) for one in queue.page(offset, limit)]


def test_the_first_reservation_stands_first_vis_906():
    queue = view(cluster()).cluster_queue("cq")

    assert seen(queue) == [("young", 0, 0), ("old", 1, 1)]
    assert seen(queue, 1, 5) == [("old", 1, 1)]
    assert len(queue) == 2


def test_no_workload_is_in_both_views_vis_904():
    found = cluster()
    waiting = {key.partition("/")[2] for key in found.queue_manager.queues.cluster_queues["cq"].entries}

    assert waiting == {"waits"}


def test_a_local_queue_is_known_while_it_holds_or_exists_vis_908():
    found = cluster()
    found.queue_manager.queues.remove_local_queue("ns/lq")

    assert seen(view(found).local_queue("ns", "lq")) == [("young", 0, 0), ("old", 1, 1)]
    assert seen(view(found, "ns/empty").local_queue("ns", "empty")) == []
    assert view(found).local_queue("ns", "empty") is None


def test_asking_for_what_is_not_there_keeps_nothing():
    found = cluster()

    assert view(found).cluster_queue("nowhere") is None
    assert "nowhere" not in found.queue_manager.ledger._of_queue


def test_one_that_holds_quota_is_found_by_its_key():
    queue = view(cluster()).cluster_queue("cq")

    assert queue.find("ns/old").workload.name == "old"
    assert queue.find("ns/young").workload.name == "young"
    assert queue.find("ns/waits") is None


def test_both_views_of_a_cluster_queue_are_of_one_generation():
    found = cluster()
    before = [view(found).cluster_queue("cq").generation, view(found).local_queue("ns", "lq").generation]
    found.cpu("more", 1, queue="lq")
    after = [view(found).cluster_queue("cq").generation, view(found).local_queue("ns", "lq").generation]

    assert before[0] == before[1] < after[0] == after[1]
