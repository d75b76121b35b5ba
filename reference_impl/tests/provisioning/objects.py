"""Workloads, requests and configurations as the tests of the provisioning check want them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reference_impl.kueue import defects, dialects
from reference_impl.kueue.provisioning.config import ProvisioningConfig
from reference_impl.kueue.provisioning.request import Request
from reference_impl.kueue.provisioning.snapshot import ProvisioningCheck, WorkloadSnapshot
from reference_impl.kueue.workload.view import Workload

RULES = dialects.dialect("v0.19").provisioning
CORRECTED = defects.find("v0.19", defects=False).provisioning
CLASS = "check-capacity.autoscaling.x-k8s.io"
TIME = "2026-01-01T00:00:00Z"
FLAVORS = {"f1": {"metadata": {"name": "f1"}, "spec": {"nodeLabels": {"pool": "f1"}}}}


def pod_set(name: str = "main", count: int = 1, requests: Any = None, **spec: Any) -> Any:
    """Return a podSet of one container."""
    resources = {"resources": {"requests": requests or {"cpu": "1"}}}
    container = {"name": "c", "image": "i", **resources}
    return {"name": name, "count": count, "template": {"spec": {"containers": [container], **spec}}}


def assigned(name: str = "main", count: int = 1, flavor: str = "f1") -> Any:
    """Return what a podSet was given."""
    return {"name": name, "count": count, "flavors": {"cpu": flavor}}


def entry(name: str = "c1", state: str = "Pending", message: str = "", **fields: Any) -> Any:
    """Return an answer."""
    return {"name": name, "state": state, "message": message, "lastTransitionTime": TIME, **fields}


def workload(
    *conditions: str,
    entries: Any = None,
    pod_sets: Any = None,
    assignments: Any = None,
    deleted: bool = False,
    **fields: Any,
) -> Workload:
    """Return a Workload with the named conditions True; with quota unless conditions are named."""
    pod_sets = [pod_set()] if pod_sets is None else pod_sets
    inputs = [assigned(pod_set["name"], pod_set["count"]) for pod_set in pod_sets]
    written = [
        {"type": condition, "status": "True", "reason": condition, "message": "", "lastTransitionTime": TIME}
        for condition in conditions or ("QuotaReserved",)
    ]
    return Workload(
        {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Workload",
            "metadata": {
                "name": "wl",
                "namespace": "ns",
                "uid": "wl-uid",
                "resourceVersion": "7",
                "creationTimestamp": TIME,
                "annotations": fields.pop("annotations", {}),
                **({"deletionTimestamp": TIME} if deleted else {}),
            },
            "spec": {"queueName": "lq", "podSets": pod_sets, **fields},
            "status": {
                "conditions": written,
                "admission": {
                    "clusterQueue": "cq",
                    "podSetAssignments": inputs if assignments is None else assignments,
                },
                "admissionChecks": [entry()] if entries is None else entries,
            },
        }
    )


def condition(kind: str, status: str = "True", message: str = "") -> Any:
    """Return a condition of a request."""
    return {"type": kind, "status": status, "reason": "R", "message": message, "lastTransitionTime": TIME}


def request(*conditions: Any, name: str = "wl-c1-1", owner: Any = None, **fields: Any) -> Request:
    """Return a request of the Workload."""
    owner = owner or {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "name": "wl",
        "uid": "wl-uid",
        "controller": True,
    }
    status = {"conditions": list(conditions), **fields.pop("status", {})}
    pod_sets = [{"podTemplateRef": {"name": f"ppt-{name}-main"}, "count": 1}]
    spec = {"provisioningClassName": CLASS, "parameters": {}, "podSets": pod_sets, **fields}
    metadata = {"name": name, "namespace": "ns", "uid": f"{name}-uid", "ownerReferences": [owner]}
    return Request(
        {
            "apiVersion": "autoscaling.x-k8s.io/v1",
            "kind": "ProvisioningRequest",
            "metadata": metadata,
            "spec": spec,
            "status": status,
        }
    )


def snapshot(of: Workload, *requests: Request, configs: Any = None, **fields: Any) -> WorkloadSnapshot:
    """Return a snapshot in which each listed check has the named configuration, or a plain one."""
    configs = {} if configs is None else configs
    checks = tuple(
        ProvisioningCheck(
            entry["name"], entry, configs.get(entry["name"], ProvisioningConfig(class_name=CLASS))
        )
        for entry in of.checks.entries
    )
    plain = WorkloadSnapshot(workload=of, checks=checks, requests=requests, flavors=FLAVORS)
    return replace(plain, **fields)
