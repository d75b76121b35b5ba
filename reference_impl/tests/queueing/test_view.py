"""What is read of the queues: pending Workloads of a ClusterQueue or of a LocalQueue (VIS-501…535)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.queueing.heads import Head, pop_heads
from reference_impl.kueue.queueing.last_assignment import LastAssignment
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.queueing.strategies import Strategy
from reference_impl.kueue.queueing.view import QueueView

from ..scheduling.queue_side import Cluster, group
from .test_pending_queue import pending


def make_view() -> QueueView:
    """Show ClusterQueue cq with LocalQueues lq and other,
    and LocalQueue lost, whose ClusterQueue is not there.
    """
    queues = Queues()
    queues.set_cluster_queue("cq", Strategy.STRICT_FIFO)
    queues.set_local_queue("ns/lq", "cq", [pending("a"), pending("c")])
    queues.set_local_queue("ns/other", "cq", [pending("b", queue="other")])
    queues.set_local_queue("ns/lost", "gone", [pending("d", queue="lost")])
    return QueueView(queues)


def rows(queue: Any, offset: int = 0, limit: int = 9) -> list[Any]:
    return [(workload.workload.name, *workload[1:]) for workload in queue.page(offset, limit)]


def test_a_cluster_queue_shows_all_that_wait_in_it() -> None:
    queue = make_view().cluster_queue("cq")

    assert queue is not None
    assert rows(queue) == [("a", 0, 0), ("b", 1, 0), ("c", 2, 1)]
    assert rows(queue, 1, 1) == [("b", 1, 0)]
    assert (len(queue), queue.find("ns/c"), queue.find("ns/d")) == (3, next(queue.page(2, 1)), None)
    assert make_view().cluster_queue("gone") is None


def test_a_local_queue_shows_its_own_at_their_positions() -> None:
    queue = make_view().local_queue("ns", "lq")

    assert queue is not None
    assert rows(queue) == [("a", 0, 0), ("c", 2, 1)]
    assert rows(queue, 1, 1) == [("c", 2, 1)]
    assert (len(queue), queue.find("ns/c"), queue.find("ns/b")) == (2, next(queue.page(1, 1)), None)
    assert queue.find("ns/unknown") is None
    assert make_view().local_queue("ns", "unknown") is None


def test_a_local_queue_whose_cluster_queue_is_not_there_shows_nothing() -> None:
    queue = make_view().local_queue("ns", "lost")

    assert queue is not None
    assert (len(queue), rows(queue), queue.find("ns/d"), queue.generation) == (0, [], None, 0)


def test_all_views_of_a_cluster_queue_are_of_one_generation_that_grows() -> None:
    view = make_view()
    queues = view._queues

    def generations() -> set[int]:
        return {
            queue.generation for queue in (view.cluster_queue("cq"), view.local_queue("ns", "lq")) if queue
        }

    (before,) = generations()
    queues.delete("ns/b")

    (after,) = generations()
    assert after > before


def test_heads_see_the_tree_and_the_heads_beside_them_p_036() -> None:
    cluster = Cluster().flavors()
    cluster.queue("empty", group("cpu", default=[1]), cohortName="all")
    cluster.queue("one", group("cpu", default=[1]), cohortName="all")
    cluster.queue("stopped", group("cpu", default=[1]), cohortName="all", stopPolicy="Hold")
    cluster.queue("two", group("cpu", default=[1]), cohortName="all")
    cluster.queue("alone", group("cpu", default=[1]))
    for name in ("one", "stopped", "two", "alone"):
        cluster.cpu(f"in-{name}", 1, queue=name)
    manager = cluster.queue_manager

    heads = pop_heads(manager.queues, manager.catalogue, manager.ledger.cohort_trees)

    beside = frozenset({"ns/in-one", "ns/in-two"})
    assert [
        (head.cluster_queue, head.pending.key, head.tree_state[1], head.cycle, head.is_blocked)
        for head in heads
    ] == [
        ("one", "ns/in-one", beside, 1, False),
        ("two", "ns/in-two", beside, 1, False),
        ("alone", "ns/in-alone", frozenset({"ns/in-alone"}), 1, False),
    ]


SIGHT, OTHER = (1, frozenset({"ns/a"})), (2, frozenset({"ns/a"}))
SCANS = {
    "no search goes on": (None, SIGHT),
    "one goes on from this sight": (LastAssignment({}, 1, 1, SIGHT), SIGHT),
    "one goes on from another": (LastAssignment({}, 1, 1, OTHER), None),
}


@pytest.mark.parametrize(("scan", "expected"), SCANS.values(), ids=SCANS)
def test_a_head_has_seen_what_its_search_for_flavors_began_with_p_036(scan: Any, expected: Any) -> None:
    assert Head("cq", pending("a").with_last_assignment(scan), SIGHT).evaluated_state == expected
