"""What LimitRanges and RuntimeClasses add to the requests of waiting Workloads (Q-051, Q-092)."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

from ..scheduling.queue_side import Cluster
from .queue_events import acts_of, bare_pod_set, make_cluster


def limit_range(cpu: str, **metadata: Any) -> Any:
    limits = [{"type": "Container", "defaultRequest": {"cpu": cpu}}]
    return {"metadata": {"namespace": "ns", "name": "limits", **metadata}, "spec": {"limits": limits}}


def cpu_requests(cluster: Cluster) -> int:
    """Return the CPU that the waiting Workload asks for, in thousandths."""
    (entry,) = cluster.queue_manager.queues.cluster_queues["cq"].entries.values()
    (requests,) = entry.pending.requests
    return requests.requests.get("cpu", 0)


def change_limit_range(cluster: Cluster, old: Any, new: Any) -> None:
    cluster.notes.limit_range(old, new)


def change_runtime_class(cluster: Cluster, old: Any, new: Any) -> None:
    cluster.notes.runtime_class(old, new)


def test_a_limit_range_changes_what_waiting_workloads_ask_for_q_051() -> None:
    bare = {"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "c"}]}}}
    cluster = make_cluster().workload("w", bare, queue="lq")
    totals = [cpu_requests(cluster)]
    steps = (None, limit_range("1"), limit_range("2"), limit_range("2", labels={"a": "b"}), None)
    for old, new in itertools.pairwise(steps):
        acts = acts_of(cluster, partial(change_limit_range, old=old, new=new))
        assert (acts == ["work"]) is (len(totals) != 3)
        totals.append(cpu_requests(cluster))

    assert totals == [0, 1000, 2000, 2000, 0]


def test_a_limit_range_of_another_namespace_changes_nothing_q_051() -> None:
    bare = {"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "c"}]}}}
    cluster = make_cluster().workload("w", bare, queue="lq")

    cluster.notes.limit_range(None, limit_range("1", namespace="other"))

    assert cpu_requests(cluster) == 0


def test_a_runtime_class_changes_what_workloads_that_name_it_ask_for_q_051() -> None:
    cluster = make_cluster().workload("w", bare_pod_set(runtimeClassName="kata"), queue="lq")
    kata = {"metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "500m"}}}
    totals = [cpu_requests(cluster)]
    for old, new in ((None, {**kata, "metadata": {"name": "other"}}), (None, kata), (kata, None)):
        assert acts_of(cluster, partial(change_runtime_class, old=old, new=new)) == ["work"]
        totals.append(cpu_requests(cluster))

    assert totals == [1000, 1000, 1500, 1000]


def test_a_workload_to_which_the_cluster_adds_nothing_waits_as_it_is_q_092() -> None:
    cluster = make_cluster().cpu("w", 1, queue="lq")

    assert cluster.queue_manager.pending(cluster.objects["ns/w"]).workload is cluster.objects["ns/w"]
