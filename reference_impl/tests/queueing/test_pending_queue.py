"""The pending Workloads of one ClusterQueue (Q-020…Q-045, Q-050) and of LocalQueues (Q-060…Q-067)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queues import Queues, UnknownLocalQueueError
from reference_impl.kueue.queueing.strategies import IMMEDIATE_V0_6, RequeueReason, Strategy
from reference_impl.kueue.workload.view import Workload

NOW = 1_700_000_000.0
EVERYBODY = lambda pending: True  # noqa: E731


def pending(name, *, priority=0, cpu="1", minute=0, queue="lq", generation=1, **status):
    container = {"resources": {"requests": {"cpu": cpu}}}
    pod_set = {"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}
    stamp = f"2023-11-14T22:{minute:02d}:00Z"
    return PendingWorkload.of(
        Workload(
            {
                "metadata": {
                    "name": name,
                    "namespace": "ns",
                    "uid": name,
                    "creationTimestamp": stamp,
                    "generation": generation,
                },
                "spec": {"queueName": queue, "priority": priority, "podSets": [pod_set]},
                "status": status,
            }
        ),
        frozenset(),
    )


def queue_of(*waiting, strategy=Strategy.BEST_EFFORT_FIFO):
    queue = ClusterQueue(strategy)
    for workload in waiting:
        queue.push(workload, NOW)
    return queue


def names(queue):
    return [workload.workload.name for workload in queue.order.page(0, len(queue.order))]


def counts(queue):
    return queue.active, queue.pending - queue.active


class TestOrder:
    def test_priority_then_age_then_uid_q_021(self):
        old, young = pending("old", priority=1), pending("young", minute=9)
        queue = queue_of(pending("b"), pending("a"), old, young)

        assert names(queue) == ["old", "a", "b", "young"]

    def test_order_counts_parked_and_popped_ones_q_381(self):
        queue = queue_of(pending("a"), pending("b", cpu="2"))
        queue.requeue(queue.pop(), RequeueReason.NO_FIT, NOW)
        queue.pop()

        assert names(queue) == ["a", "b"]
        assert counts(queue) == (1, 1)

    def test_a_changed_priority_moves_it_q_026(self):
        queue = queue_of(pending("a"), pending("b"))

        queue.push(pending("b", priority=5), NOW)

        assert names(queue) == ["b", "a"]

    def test_the_last_preemptor_stands_first_q_022(self):
        queue = queue_of(pending("a"), pending("b", cpu="2"))
        queue.requeue(queue.pop(), RequeueReason.PENDING_PREEMPTION, NOW)
        queue.push(pending("important", priority=9), NOW)

        assert names(queue) == ["a", "important", "b"]

    def test_only_one_preemptor_stands_first_q_022(self):
        queue = queue_of(pending("a"), pending("b", cpu="2"))
        first, second = queue.pop(), queue.pop()
        queue.requeue(first, RequeueReason.PENDING_PREEMPTION, NOW)
        queue.requeue(second, RequeueReason.PENDING_PREEMPTION, NOW)

        assert names(queue) == ["b", "a"]


IMMEDIATE = {
    f"{strategy} {reason.name}": (strategy, reason, at_once)
    for strategy, reasons in {
        Strategy.STRICT_FIFO: {
            RequeueReason.NO_FIT: True,
            RequeueReason.GENERIC: True,
            RequeueReason.NAMESPACE_MISMATCH: False,
        },
        Strategy.BEST_EFFORT_FIFO: {
            RequeueReason.NO_FIT: False,
            RequeueReason.GENERIC: False,
            RequeueReason.PREEMPTION_NO_CANDIDATES: False,
            RequeueReason.NAMESPACE_MISMATCH: False,
            RequeueReason.FAILED_AFTER_NOMINATION: True,
            RequeueReason.PENDING_PREEMPTION: True,
            RequeueReason.PREEMPTION_FAILED: True,
        },
    }.items()
    for reason, at_once in reasons.items()
}


@pytest.mark.parametrize(("strategy", "reason", "at_once"), IMMEDIATE.values(), ids=IMMEDIATE)
def test_who_is_tried_again_at_once_q_043(strategy, reason, at_once):
    queue = queue_of(pending("a"), strategy=strategy)

    assert queue.requeue(queue.pop(), reason, NOW) is at_once


@pytest.mark.parametrize(
    ("reason", "at_once"),
    [
        (RequeueReason.NO_FIT, False),
        (RequeueReason.FAILED_AFTER_NOMINATION, True),
        (RequeueReason.PENDING_PREEMPTION, True),
        (RequeueReason.PREEMPTION_FAILED, False),
    ],
)
def test_who_is_tried_again_at_once_in_v0_6_q_503(reason, at_once):
    assert (reason in IMMEDIATE_V0_6[Strategy.BEST_EFFORT_FIFO]) is at_once


@pytest.mark.parametrize(
    ("reason", "at_once"), [(RequeueReason.NO_FIT, True), (RequeueReason.NAMESPACE_MISMATCH, False)]
)
def test_a_strict_queue_of_v0_6_tries_again_as_of_now_q_503(reason, at_once):
    assert (reason in IMMEDIATE_V0_6[Strategy.STRICT_FIFO]) is at_once


class TestParking:
    @pytest.mark.parametrize("reason", [RequeueReason.NO_FIT, RequeueReason.PREEMPTION_NO_CANDIDATES])
    def test_equals_share_the_fate_q_045(self, reason):
        queue = queue_of(pending("a"), pending("b"), pending("other", cpu="2"))

        queue.requeue(queue.pop(), reason, NOW)

        assert counts(queue) == (1, 2)

    def test_newcomers_of_a_doomed_shape_are_parked_q_034(self):
        queue = queue_of(pending("a"))
        queue.requeue(queue.pop(), RequeueReason.NO_FIT, NOW)

        queue.push(pending("b"), NOW)

        assert counts(queue) == (0, 2)

    def test_other_reasons_are_not_shared_q_045(self):
        queue = queue_of(pending("a"), pending("b"))

        queue.requeue(queue.pop(), RequeueReason.GENERIC, NOW)

        assert counts(queue) == (1, 1)

    def test_an_event_during_the_cycle_is_not_lost_q_042(self):
        queue = queue_of(pending("a"))
        popped = queue.pop()
        queue.queue_inadmissible_workloads(EVERYBODY, NOW)

        assert queue.requeue(popped, RequeueReason.NO_FIT, NOW) is True

    def test_waking_passes_by_who_is_in_backoff_q_050(self):
        later = pending("later", requeueState={"requeueAt": "2033-01-01T00:00:00Z"})
        queue = queue_of(pending("a"), later)
        queue.requeue(queue.pop(), RequeueReason.NO_FIT, NOW)

        queue.queue_inadmissible_workloads(EVERYBODY, NOW)

        assert counts(queue) == (1, 1)

    def test_what_is_in_flight_is_not_touched_q_031(self):
        queue = queue_of(pending("a"))
        queue.pop()

        queue.push(pending("a", priority=9), NOW)

        assert queue.head() is None


def requeue(status):
    condition = {
        "type": "Requeued",
        "status": status,
        "reason": "r",
        "message": "",
        "lastTransitionTime": "x",
    }
    return [condition]


CHANGES = {
    "another generation": ({"generation": 2}, 1),
    "another priority": ({"priority": 1}, 1),
    "reclaimed pods": ({"reclaimablePods": [{"name": "main", "count": 1}]}, 1),
    "requeued": ({"conditions": requeue("True")}, 1),
    "still held back": ({"conditions": requeue("False")}, 0),
    "a check": ({"admissionChecks": [{"name": "c", "state": "Ready"}]}, 0),
    "nothing": ({}, 0),
}


@pytest.mark.parametrize(("change", "active"), CHANGES.values(), ids=CHANGES)
def test_what_brings_a_parked_workload_back_q_032(change, active):
    queue = queue_of(pending("a", cpu="4"))
    queue.requeue(queue.pop(), RequeueReason.GENERIC, NOW)

    queue.push(pending("a", **{"cpu": "4", **change}), NOW)

    assert queue.active == active


class TestLocalQueues:
    def test_a_workload_waits_for_its_local_queue_q_030(self):
        with pytest.raises(UnknownLocalQueueError):
            Queues().push(pending("a"), NOW)

    def test_objects_may_come_in_any_order_s_027(self):
        queues = Queues()
        queues.set_local_queue("ns/lq", "cq", [])
        queues.push(pending("a"), NOW)
        queues.set_cluster_queue("cq", Strategy.STRICT_FIFO)

        assert queues.cluster_queues["cq"].active == 1

    def test_a_removed_local_queue_takes_its_workloads_away_q_061(self):
        queues = Queues()
        queues.set_cluster_queue("cq", Strategy.STRICT_FIFO)
        queues.set_local_queue("ns/lq", "cq", [pending("a")])

        queues.remove_local_queue("ns/lq")

        assert (queues.cluster_queues["cq"].pending, queues.waiting_in("ns/lq")) == (0, 0)

    def test_a_local_queue_may_change_its_cluster_queue_q_063(self):
        queues = Queues()
        for name in ("one", "two"):
            queues.set_cluster_queue(name, Strategy.STRICT_FIFO)
        queues.set_local_queue("ns/lq", "one", [pending("a")])

        queues.set_local_queue("ns/lq", "two", [pending("a")])

        assert [queues.cluster_queues[name].pending for name in ("one", "two")] == [0, 1]

    def test_a_workload_may_change_its_queue_q_067(self):
        queues = Queues()
        for name in ("one", "two"):
            queues.set_cluster_queue(name, Strategy.STRICT_FIFO)
            queues.set_local_queue(f"ns/{name}", name, [])
        queues.push(pending("a", queue="one"), NOW)

        queues.push(pending("a", queue="two"), NOW)

        assert [queues.cluster_queues[name].pending for name in ("one", "two")] == [0, 1]

    def test_the_one_in_flight_is_not_counted_q_023(self):
        queues = Queues()
        queues.set_cluster_queue("cq", Strategy.STRICT_FIFO)
        queues.set_local_queue("ns/lq", "cq", [pending("a"), pending("b")])
        queues.cluster_queues["cq"].pop()

        assert (queues.waiting_in("ns/lq"), queues.cluster_queues["cq"].pending) == (1, 2)
