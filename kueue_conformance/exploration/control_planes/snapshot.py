"""The objects of a story at one moment, and the part of them that users see (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...base.json_types import Json
from ...base.objects import Condition
from ...history.story import Change
from ...stage.workloads.view import WorkloadView

Seen = Mapping[str, Mapping[str, Any]]
"""What users see: by object, such as `Workload w1`, its fields with their values."""
_KINDS = ("Workload", "Job", "ClusterQueue", "LocalQueue", "Cohort", "AdmissionCheck", "ResourceFlavor")
_OF_PODS = ("RuntimeClass", "LimitRange", "PodTemplate", "Namespace")
_KEPT = (
    *(*_KINDS, *_OF_PODS),
    *("WorkloadPriorityClass", "ProvisioningRequestConfig", "ProvisioningRequest"),
)
_COUNTERS = ("pendingWorkloads", "reservingWorkloads", "admittedWorkloads")


@dataclass
class Snapshot:
    """The newest state of each object of some kinds, read from the story as it goes on."""

    objects: dict[str, dict[str, Json]] = field(default_factory=lambda: {kind: {} for kind in _KEPT})
    """By kind and name: a story has one namespace."""
    events: dict[str, dict[str, int]] = field(default_factory=dict)
    """How many events of each type and reason there are, by the name of the object."""
    owners: dict[str, str] = field(default_factory=dict)
    """The name of its Job, by that of a Workload: also of one that is gone."""
    default_requests: Mapping[str, str] = field(init=False)
    """What containers request by default in the namespace, by resource."""

    def __post_init__(self) -> None:
        self.default_requests = self._read_defaults()

    def take(self, changes: Sequence[Change]) -> None:
        """Take changes in, in their order."""
        for change in changes:
            if change.kind == "Event" and change.after is not None and change.before is None:
                regarding = (change.after.get("regarding") or change.after["involvedObject"])["name"]
                reasons = self.events.setdefault(regarding, {})
                reason = f"{change.after['reason']} ({change.after.get('type')})"
                reasons[reason] = reasons.get(reason, 0) + 1
            if change.kind not in self.objects:
                continue
            for owner in (change.after or {}).get("metadata", {}).get("ownerReferences", ()):
                self.owners[change.name] = owner["name"]
            if change.after is None:
                self.objects[change.kind].pop(change.name, None)
            else:
                self.objects[change.kind][change.name] = change.after
            if change.kind == "LimitRange":
                self.default_requests = self._read_defaults()

    def _read_defaults(self) -> Mapping[str, str]:
        return {
            resource: amount
            for limits in self.objects["LimitRange"].values()
            for limit in limits["spec"]["limits"]
            for resource, amount in limit.get("defaultRequest", {}).items()
        }

    def copy(self) -> Snapshot:
        """Return a snapshot that later changes do not reach."""
        return Snapshot(
            {kind: dict(objects) for kind, objects in self.objects.items()}, self.events, self.owners
        )

    def workloads(self) -> Iterator[WorkloadView]:
        """Yield the Workloads that are not being deleted, in order of their names."""
        for _, workload in sorted(self.objects["Workload"].items()):
            if "deletionTimestamp" not in workload["metadata"]:
                yield WorkloadView(workload)

    def namespace_labels(self) -> Mapping[str, str]:
        """Return the labels of the namespace; none before the first one was set."""
        return next(
            (item["metadata"].get("labels") or {} for item in self.objects["Namespace"].values()),
            {},
        )

    def get(self, kind: str, name: str) -> Json:
        """Return an object; an empty one where there is none."""
        return self.objects[kind].get(name, {})


def seen(snapshot: Snapshot, short_names: Mapping[str, str]) -> Seen:
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
    return result


def _conditions(status: Any) -> Mapping[str, Any]:
    """Return what the conditions of a status say, by their types."""
    conditions = (status or {}).get("conditions") or ()
    said = {f"message of {condition['type']}": condition.get("message", "") for condition in conditions}
    return {**said, **{condition["type"]: _condition(condition) for condition in conditions}}


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
