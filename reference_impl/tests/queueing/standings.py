"""Workloads at ranks, for tests of the orders of a ClusterQueue."""

from __future__ import annotations

from hypothesis import strategies as st

from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queue_order import RankedWorkload
from reference_impl.kueue.workload.view import Workload

LOCAL_QUEUES = ("ns/a", "ns/b", "other/a")


def standing(behind_sticky, lower_priority, since, uid, local_queue):
    """Return a Workload of a LocalQueue at a rank."""
    namespace, queue = local_queue.split("/")
    metadata = {"namespace": namespace, "name": uid, "uid": uid, "creationTimestamp": "2026-11-20T10:00:00Z"}
    workload = Workload({"metadata": metadata, "spec": {"queueName": queue}})
    return RankedWorkload(
        behind_sticky, lower_priority, since, uid, PendingWorkload.of(workload, frozenset())
    )


def standings(behind_sticky):
    """Draw Workloads of several LocalQueues, many of them equal but for their uid."""
    return st.builds(
        standing,
        behind_sticky,
        st.integers(-2, 2),
        st.sampled_from((1.0, 1.5, 2.0)),
        st.uuids().map(str),
        st.sampled_from(LOCAL_QUEUES),
    )


def places(order):
    """Return every place in an order with its LocalQueue, by counting."""
    counts, positions = dict.fromkeys(LOCAL_QUEUES, 0), []
    for position, standing in enumerate(order):
        name = standing.pending.local_queue
        positions.append(((standing.pending.workload, position, counts[name]), name))
        counts[name] += 1
    return positions


def is_in_order(line, order, offset, limit):
    """Assert that every reading of a line follows an order."""
    everybody = places(order)
    expected = [position for position, _ in everybody]
    assert list(line.page(offset, limit)) == expected[offset : offset + limit]
    assert len(line) == len(everybody)
    assert [line.place(standing) for standing in order] == expected
    assert line.first() == (order[0] if order else None)
    for name in LOCAL_QUEUES:
        own = [position for position, queue in everybody if queue == name]
        assert list(line.page_of(name, offset, limit)) == own[offset : offset + limit]
        assert line.length(name) == len(own)
