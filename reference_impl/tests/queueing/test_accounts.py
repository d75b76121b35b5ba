"""What queues and the ledger keep of Workloads as objects come and go (Q-009, Q-050, Q-132)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.quota.problems import CheckStatus

from ..scheduling.queue_side import Cluster, group, pod_set


def make_cluster() -> Cluster:
    return Cluster().flavors().queue("cq", group("cpu", default=[4]))


def test_a_deleted_cluster_queue_takes_its_quota_along_q_132() -> None:
    cluster = make_cluster()

    cluster.notes.cluster_queue({"metadata": {"name": "cq"}}, None)

    manager = cluster.queue_manager
    assert (
        manager.ledger.cohort_trees.queues,
        manager.catalogue.cluster_queues,
        manager.queues.cluster_queues,
    ) == ({}, {}, {})


def test_a_deleted_cohort_without_queues_is_forgotten_q_130() -> None:
    cluster = make_cluster()
    cluster.notes.cohort(None, {"metadata": {"name": "all"}})
    assert [*cluster.queue_manager.ledger.cohort_trees.cohorts] == ["all"]

    cluster.notes.cohort({"metadata": {"name": "all"}}, None)

    assert cluster.queue_manager.ledger.cohort_trees.cohorts == {}


CHECKS: dict[str, Any] = {
    "AC-404 active": ({"spec": {"controllerName": "c"}, "status": {"conditions": [{"type": "Active", "status": "True"}]}}, CheckStatus("c", True)),
    "AC-404 not active": ({"status": {"conditions": [{"type": "Active", "status": "False"}]}}, CheckStatus("", False)),
    "AC-404 something else is True": ({"status": {"conditions": [{"type": "Other", "status": "True"}]}}, CheckStatus("", False)),
    "AC-404 it says nothing": ({}, CheckStatus("", False)),
    "AC-442 it delays preemptions": ({"spec": {"preemptionPolicy": "AfterCheckPassedOrOnDemand"}}, CheckStatus("", False, "AfterCheckPassedOrOnDemand")),
}  # fmt: skip


@pytest.mark.parametrize(("obj", "status"), CHECKS.values(), ids=CHECKS)
def test_what_is_known_of_a_check(obj: Any, status: CheckStatus) -> None:
    cluster = make_cluster()

    cluster.notes.check(None, {"metadata": {"name": "a"}, **obj})

    assert cluster.queue_manager.catalogue.checks == {"a": status}


def test_a_workload_whose_backoff_is_over_waits_in_its_queue_ac_322() -> None:
    cluster = make_cluster().cpu("w", 1)
    cluster.queue_manager.queues.delete("ns/w")

    cluster.queue_manager.requeue(cluster.objects["ns/w"])

    assert cluster.pending() == (1, 0)


def test_parked_workloads_of_a_local_queue_are_counted() -> None:
    cluster = make_cluster().cpu("large", 9).cpu("small", 1)
    cluster.run()

    assert [cluster.queue_manager.queues.parked_in(key) for key in ("ns/cq", "ns/other")] == [1, 0]


SHAPES: dict[str, Any] = {
    "nodeSelector": {"a": "b"},
    "affinity": {"nodeAffinity": {}},
    "tolerations": [{"operator": "Exists"}],
    "runtimeClassName": "kata",
    "overhead": {"cpu": "0"},
    "resourceClaims": [{"name": "c"}],
}


@pytest.mark.parametrize(("name", "value"), SHAPES.items(), ids=SHAPES)
def test_pods_that_differ_have_another_shape_q_009(name: str, value: Any) -> None:
    cluster = make_cluster().workload("one", pod_set()).workload("other", pod_set(**{name: value}))
    shapes = {
        PendingWorkload.of(workload, frozenset()).scheduling_hash for workload in cluster.objects.values()
    }

    assert len(shapes) == 2
