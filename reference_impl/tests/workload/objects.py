"""Workloads and worlds for tables: short builders over plain JSON."""

from __future__ import annotations

from typing import Any

from reference_impl.api import instants
from reference_impl.kueue.checks.rules import CheckRule
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import QueueView, WorkloadContext

NOW = 1_800_000_000.0
"""The moment at which tests decide."""
EARLIER = instants.render(NOW - 100)


def condition(kind: str, status: bool = True, reason: str = "ByTest", message: str = "by test") -> Any:
    return {
        "type": kind,
        "status": "True" if status else "False",
        "reason": reason,
        "message": message,
        "lastTransitionTime": EARLIER,
        "observedGeneration": 1,
    }


def check(name: str, state: str = "Pending", message: str = "", **fields: Any) -> Any:
    return {"name": name, "state": state, "message": message, "lastTransitionTime": EARLIER, **fields}


ADMISSION = {
    "clusterQueue": "cq",
    "podSetAssignments": [
        {"name": "main", "flavors": {"cpu": "f1"}, "count": 1, "resourceUsage": {"cpu": "1"}}
    ],
}
RESERVED = condition("QuotaReserved", reason="QuotaReserved", message="Quota reserved in ClusterQueue cq")
ADMITTED = condition("Admitted", reason="Admitted", message="The workload is admitted")


def workload(
    *conditions: Any, checks: Any = (), metadata: Any = None, spec: Any = None, **status: Any
) -> Workload:
    """A Workload in LocalQueue lq; status fields are named, the admission follows from QuotaReserved."""
    fields = {**status}
    if conditions:
        fields["conditions"] = list(conditions)
    if checks:
        fields["admissionChecks"] = list(checks)
    if RESERVED in conditions:
        fields.setdefault("admission", ADMISSION)
    return Workload(
        {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Workload",
            "metadata": {
                "name": "w",
                "namespace": "ns",
                "uid": "u",
                "resourceVersion": "7",
                "generation": 1,
                "creationTimestamp": EARLIER,
                **(metadata or {}),
            },
            "spec": {"active": True, "queueName": "lq", **(spec or {})},
            "status": fields,
        }
    )


def world(*rules: str | CheckRule, **fields: Any) -> WorkloadContext:
    """LocalQueue lq and ClusterQueue cq with flavor f1, both running, asking for these checks."""
    context = {
        "local_queue": QueueView("lq"),
        "cluster_queue": QueueView("cq"),
        "cluster_queue_name": "cq",
        "is_queue_known": True,
        "is_cluster_queue_active": True,
        "flavors": frozenset({"f1"}),
        "check_rules": tuple(CheckRule(rule) if isinstance(rule, str) else rule for rule in rules),
    }
    return WorkloadContext(**{**context, **fields})
