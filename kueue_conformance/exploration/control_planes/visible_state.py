"""What users see of a story at one moment, as it can be compared with another run of it (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...base.json_types import Json
from ...base.objects import Condition
from ...stage.workloads.view import WorkloadView
from .snapshot import Snapshot

VisibleState = Mapping[str, Mapping[str, Any]]
"""What users see: by object, such as `Workload w1`, its fields with their values."""
_COUNTERS = ("pendingWorkloads", "reservingWorkloads", "admittedWorkloads")
_UID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_WITH_TEXTS = ("message of ", "updates of ")


def visible_state(snapshot: Snapshot, short_names: Mapping[str, str]) -> VisibleState:
    """Return what users see of a state, with short names in place of those of the run."""

    def short(name: str) -> str:
        return short_names.get(name, name)

    result: dict[str, Mapping[str, Any]] = {}
    for workload in snapshot.workloads():
        owners = [owner["name"] for owner in workload.object["metadata"].get("ownerReferences", ())]
        name = short(owners[0] if owners else workload.object["metadata"]["name"])
        result[f"Workload {name}"] = _of_workload(workload, short)
    for name, job in sorted(snapshot.objects["Job"].items()):
        result[f"Job {short(name)}"] = {
            "suspend": job["spec"].get("suspend"),
            "parallelism": job["spec"].get("parallelism"),
            "node selector": job["spec"]["template"]["spec"].get("nodeSelector", {}),
            "completions": job["spec"].get("completions"),
            "tolerations": job["spec"]["template"]["spec"].get("tolerations", []),
            "labels": _own(job["spec"]["template"], "labels"),
            "annotations": _own(job["spec"]["template"], "annotations"),
        }
    for kind in ("ClusterQueue", "LocalQueue", "Cohort"):
        for name, queue in sorted(snapshot.objects[kind].items()):
            result[f"{kind} {short(name)}"] = _of_queue(queue, short)
    for name, reasons in sorted(snapshot.events.items()):
        owner = snapshot.owners.get(name)
        result[f"Events {f'Workload of {short(owner)}' if owner else short(name)}"] = dict(reasons)
    for kind in ("AdmissionCheck", "ResourceFlavor"):
        for name, stored in sorted(snapshot.objects[kind].items()):
            finalizers = {"finalizers": stored["metadata"].get("finalizers", [])}
            result[f"{kind} {short(name)}"] = {**finalizers, **_conditions(stored.get("status"))}
    return _with_comparable_texts(result, snapshot, short_names)


def _conditions(status: Any) -> Mapping[str, Any]:
    """Return what the conditions of a status say, by their types."""
    conditions = (status or {}).get("conditions") or ()
    messages = {f"message of {condition['type']}": condition.get("message", "") for condition in conditions}
    return {**messages, **{condition["type"]: _condition(condition) for condition in conditions}}


def _own(template: Json, field: str) -> Mapping[str, str]:
    """Return the labels or annotations of pods that no controller of Jobs has put there: those have UIDs."""
    pairs = template["metadata"].get(field, {})
    return {key: value for key, value in pairs.items() if key.startswith("example.com/")}


def _of_workload(workload: WorkloadView, short: Any) -> Mapping[str, Any]:
    status, spec = workload.status, workload.object["spec"]
    assignments = (workload.admission or {}).get("podSetAssignments", ())
    pods = [pod_set["template"]["spec"] for pod_set in spec["podSets"]]
    requests = [
        [container.get("resources") for container in (*item.get("initContainers", ()), *item["containers"])]
        for item in pods
    ]
    fields: dict[str, Any] = {
        "requests": requests,
        "overhead": [item.get("overhead") for item in pods],
        "tolerations": [item.get("tolerations") for item in pods],
        "node selector": [item.get("nodeSelector") for item in pods],
        "active": spec.get("active", True),
        "priority": spec.get("priority"),
        "queue": short((workload.admission or {}).get("clusterQueue", "")),
        "assignments": [
            (
                assignment["name"],
                {resource: short(flavor) for resource, flavor in assignment.get("flavors", {}).items()},
                assignment.get("resourceUsage", {}),
                assignment.get("count"),
            )
            for assignment in assignments
        ],
        "pods": [(pod_set["count"], pod_set.get("minCount")) for pod_set in spec["podSets"]],
        "check order": sorted(map(short, workload.checks)),
        "requeues": status.get("requeueState", {}).get("count"),
        "requeueAt": status.get("requeueState", {}).get("requeueAt"),
        "time spent": status.get("accumulatedPastExecutionTimeSeconds"),
        "time limit": spec.get("maximumExecutionTimeSeconds"),
        "reclaimable": status.get("reclaimablePods"),
        "evictions": _evictions(status),
        "finalizers": workload.object["metadata"].get("finalizers", []),
    }
    for name, entry in workload.checks.items():
        fields[f"check {short(name)}"] = entry.get("state"), entry.get("retryCount")
        fields[f"message of {short(name)}"] = entry.get("message", "")
        fields[f"updates of {short(name)}"] = entry.get("podSetUpdates", [])
    return {**fields, **_conditions(status)}


def _evictions(status: Any) -> Any:
    counts = status.get("schedulingStats", {}).get("evictions", ())
    return sorted(
        (item.get("reason", ""), item.get("underlyingCause", ""), item.get("count")) for item in counts
    )


def _condition(condition: Condition) -> tuple[str, str]:
    return condition["status"], condition.get("reason", "")


def _of_queue(queue: Json, short: Any) -> Mapping[str, Any]:
    status = queue.get("status") or {}
    fields: dict[str, Any] = {counter: status.get(counter) for counter in _COUNTERS}
    for section in ("flavorsReservation", "flavorsUsage"):
        fields[section] = sorted(
            (short(usage["name"]), resource["name"], resource.get("total"), resource.get("borrowed", "0"))
            for usage in status.get(section) or ()
            for resource in usage.get("resources", ())
        )
    fields["share"] = status.get("fairSharing", {}).get("weightedShare")
    return {**fields, **_conditions(status)}


def _with_comparable_texts(
    state: VisibleState, snapshot: Snapshot, short_names: Mapping[str, str]
) -> VisibleState:
    """Return what users see without UIDs, and with the Jobs in place of the names of their Workloads: these
    end with a part of a hash of the UID.
    """
    names = {
        name: f"<Workload of {short_names.get(owner, owner)}>" for name, owner in snapshot.owners.items()
    }
    return {
        name: {
            field: _comparable(value, names) if field.startswith(_WITH_TEXTS) else value
            for field, value in fields.items()
        }
        for name, fields in state.items()
    }


def _comparable(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value with other texts: lists and mappings have those of their members."""
    if isinstance(value, str):
        for name, replacement in names.items():
            value = value.replace(name, replacement)
        return _UID.sub("<UID>", value)
    if isinstance(value, list):
        return [_comparable(member, names) for member in value]
    if isinstance(value, dict):
        return {key: _comparable(member, names) for key, member in value.items()}
    return value
