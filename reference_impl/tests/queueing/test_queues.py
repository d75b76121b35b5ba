"""All queues together: which LocalQueue feeds which ClusterQueue, and what comes back after a cycle (Q-022,
Q-036, Q-041, Q-044, Q-060…Q-067, P-036).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.kueue.queueing.last_assignment import LastAssignment
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.queueing.strategies import RequeueReason, Strategy

from ..scheduling.queue_side import Cluster, group
from .test_pending_queue import EVERYBODY, NOW, counts, names, pending

SIGHT = (1, frozenset({"ns/a"}))


def queues_of(*waiting: Any, strategy: Strategy = Strategy.BEST_EFFORT_FIFO) -> Queues:
    """Return LocalQueue lq, which has these Workloads, and its ClusterQueue cq."""
    queues = Queues()
    queues.set_cluster_queue("cq", strategy)
    queues.set_local_queue("ns/lq", "cq", waiting)
    return queues


def cluster_queue(queues: Queues) -> Any:
    return queues.cluster_queues["cq"]


def test_a_cluster_queue_may_change_its_strategy_q_025() -> None:
    queues = queues_of(pending("a"), strategy=Strategy.BEST_EFFORT_FIFO)

    queues.set_cluster_queue("cq", Strategy.STRICT_FIFO)

    assert cluster_queue(queues).requeue(cluster_queue(queues).pop(), RequeueReason.NO_FIT, NOW)


USED = {"ns/lq": 2.0, "ns/other": 1.0}


def test_usage_decides_from_the_beginning_or_from_a_change_on_q_021() -> None:
    queues = Queues()
    queues.set_local_queue("ns/lq", "cq", [pending("a", priority=9)])
    queues.set_local_queue("ns/other", "cq", [pending("b", queue="other")])
    events = []
    for usage in (USED.__getitem__, None, USED.__getitem__):
        queues.set_cluster_queue("cq", Strategy.STRICT_FIFO, usage)
        events.append((names(cluster_queue(queues)), cluster_queue(queues).head().workload.name))

    assert events == [(["b", "a"], "b"), (["a", "b"], "a"), (["b", "a"], "b")]


def test_what_local_queues_hold_survives_a_deleted_cluster_queue_q_064() -> None:
    queues = queues_of(pending("a"))

    queues.remove_cluster_queue("cq")
    queues.push(pending("b"), NOW)
    assert (queues.cluster_queues, queues.waiting_in("ns/lq"), queues.parked_in("ns/lq")) == ({}, 2, 0)

    queues.set_cluster_queue("cq", Strategy.STRICT_FIFO)
    assert names(cluster_queue(queues)) == ["a", "b"]


def test_a_cluster_queue_that_is_set_again_keeps_what_is_parked_q_064() -> None:
    queues = queues_of(pending("a"))
    cluster_queue(queues).requeue(cluster_queue(queues).pop(), RequeueReason.NO_FIT, NOW)

    queues.set_cluster_queue("cq", Strategy.BEST_EFFORT_FIFO)
    queues.set_local_queue("ns/lq", "cq", [pending("a")])

    assert counts(cluster_queue(queues)) == (0, 1)


def test_a_workload_of_a_local_queue_that_is_gone_may_wait_in_another_q_061() -> None:
    queues = queues_of(pending("a"), pending("b"))
    queues.set_local_queue("ns/other", "cq", [])
    queues.remove_local_queue("ns/lq")

    queues.push(pending("a", queue="other"), NOW)
    queues.set_local_queue("ns/lq", "cq", [pending("b")])

    assert names(cluster_queue(queues)) == ["a", "b"]
    assert [queues.waiting_in(local_queue) for local_queue in ("ns/lq", "ns/other")] == [1, 1]
    queues.delete("ns/a")
    queues.delete("ns/unknown")
    assert [queues.waiting_in(local_queue) for local_queue in ("ns/lq", "ns/other")] == [1, 0]


GONE = {
    "the LocalQueue": lambda queues: queues.remove_local_queue("ns/lq"),
    "the ClusterQueue": lambda queues: queues.remove_cluster_queue("cq"),
}


@pytest.mark.parametrize("goes", GONE.values(), ids=GONE)
def test_what_comes_back_from_a_cycle_to_a_queue_that_is_gone_waits_nowhere_q_041(goes: Any) -> None:
    queues = queues_of(pending("a"))
    popped = cluster_queue(queues).pop()
    queue = cluster_queue(queues)
    goes(queues)

    queues.requeue(popped, RequeueReason.GENERIC, NOW, SIGHT)

    assert queue.head() is None


SCAN = LastAssignment({("main", "cpu"): 0}, 1, 1, SIGHT)
BACK = {
    "it stands first again": (0, RequeueReason.PENDING_PREEMPTION, SIGHT, None, True),
    "another one stands first": (9, RequeueReason.FAILED_AFTER_NOMINATION, SIGHT, None, False),
    "it is parked": (0, RequeueReason.NO_FIT, SIGHT, None, False),
    "it saw nothing": (0, RequeueReason.PENDING_PREEMPTION, None, None, False),
    "it has flavors left": (0, RequeueReason.PENDING_PREEMPTION, SIGHT, SCAN, False),
}


@pytest.mark.parametrize(("priority", "reason", "sight", "scan", "blocks"), BACK.values(), ids=BACK)
def test_a_head_that_comes_back_needs_no_other_look_at_the_same_p_036(
    priority: int, reason: RequeueReason, sight: Any, scan: Any, blocks: bool
) -> None:
    queues = queues_of(pending("a"))
    popped = cluster_queue(queues).pop()
    queues.push(pending("b", cpu="2", priority=priority), NOW)

    queues.requeue(replace(popped, last_assignment=scan), reason, NOW, sight)

    assert cluster_queue(queues).is_blocked(sight) is blocks


def test_what_comes_back_from_a_cycle_is_what_its_local_queue_holds_from_then_on_q_036() -> None:
    queues = queues_of(pending("a"), pending("b"))
    cluster_queue(queues).pop()
    queues.requeue(pending("a", priority=-1), RequeueReason.GENERIC, NOW, SIGHT)

    queues.remove_cluster_queue("cq")
    queues.set_cluster_queue("cq", Strategy.BEST_EFFORT_FIFO)

    assert names(cluster_queue(queues)) == ["b", "a"]


def test_a_preemptor_stands_first_until_its_evictions_failed_q_044() -> None:
    queues = queues_of(*(pending(name) for name in "abc"))
    assert (queues.sticky("cq"), queues.sticky("unknown")) == (None, None)

    cluster_queue(queues).stick("ns/c")
    assert (queues.sticky("cq"), names(cluster_queue(queues))) == ("ns/c", ["c", "a", "b"])

    cluster_queue(queues).stick("ns/b")
    queues.unstick("cq", "ns/b", "ns/c")
    assert (queues.sticky("cq"), names(cluster_queue(queues))) == ("ns/c", ["c", "a", "b"])

    queues.unstick("cq", "ns/c", None)
    assert (queues.sticky("cq"), names(cluster_queue(queues))) == (None, ["a", "b", "c"])


UNSTUCK = {
    "another one is first by now": ("cq", "ns/a", "ns/b", "ns/c"),
    "in an unknown ClusterQueue": ("unknown", "ns/c", "ns/b", "ns/c"),
    "the one before has left": ("cq", "ns/c", "ns/gone", None),
    "there was none before": ("cq", "ns/c", None, None),
}


@pytest.mark.parametrize(("name", "key", "before", "sticky"), UNSTUCK.values(), ids=UNSTUCK)
def test_which_preemptor_stands_first_after_failed_evictions_q_044(
    name: str, key: str, before: str | None, sticky: str | None
) -> None:
    queues = queues_of(*(pending(name) for name in "abc"))
    cluster_queue(queues).stick("ns/c")

    queues.unstick(name, key, before)

    assert queues.sticky("cq") == sticky


def test_parked_workloads_of_a_cluster_queue_are_woken_q_050() -> None:
    queues = queues_of(pending("a"))
    cluster_queue(queues).requeue(cluster_queue(queues).pop(), RequeueReason.GENERIC, NOW)

    queues.wake("unknown", EVERYBODY, NOW)
    assert queues.parked_in("ns/lq") == 1
    queues.wake("cq", EVERYBODY, NOW)
    assert (queues.parked_in("ns/lq"), queues.waiting_in("ns/lq")) == (0, 1)


def test_cycles_that_had_a_head_are_counted_q_179() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 1)

    assert cluster.queue_manager.queues.cycles == 0
    cluster.run_all()
    assert cluster.queue_manager.queues.cycles == 1
