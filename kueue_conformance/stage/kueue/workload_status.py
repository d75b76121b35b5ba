"""The status of a Workload as Kueue writes it: pure functions from the present status to the one that is
written (admission.md §2.4, §2.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...base.json_types import Json
from ...base.objects import CheckState, Condition, ConditionStatus, PodSetAssignment, WorkloadStatus

_OWNED = (
    "QuotaReserved",
    "BlockedOnPreemptionGates",
    "Evicted",
    "Admitted",
    "Preempted",
    "Requeued",
    "DeactivationTarget",
    "Finished",
    "PodsReady",
)
_APPLIED = (
    "admission",
    "requeueState",
    "resourceRequests",
    "accumulatedPastExecutionTimeSeconds",
    "schedulingStats",
    "admissionChecks",
)
IN_USE = "kueue.x-k8s.io/resource-in-use"
FULL: Mapping[str, Any] = {
    "requeueState": {"count": 2, "requeueAt": "2026-01-01T00:00:00Z"},
    "accumulatedPastExecutionTimeSeconds": 40,
    "schedulingStats": {"evictions": [{"reason": "Preempted", "underlyingCause": "", "count": 2}]},
    "resourceRequests": [{"name": "main", "resources": {"cpu": "1"}}],
}
"""Every field of a status besides admission, conditions and checks that can be there while quota is held."""


NewConditions: TypeAlias = dict[str, tuple[ConditionStatus, str, str]]
"""Status, reason and message by type."""


def with_conditions(current: Json, new_conditions: NewConditions, current_time: str) -> WorkloadStatus:
    """Return the status with some conditions set (AC-273)."""
    status: WorkloadStatus = current.get("status") or WorkloadStatus()
    conditions = {condition["type"]: condition for condition in status.get("conditions", [])}
    for name, (value, reason, message) in new_conditions.items():
        moved = conditions.get(name, {}).get("status") != value
        # As apimachinery's SetStatusCondition does: the time moves with the status alone.
        since = current_time if moved else conditions[name]["lastTransitionTime"]
        conditions[name] = {
            "type": name,
            "status": value,
            "reason": reason,
            "message": message,
            "lastTransitionTime": since,
            "observedGeneration": current["metadata"]["generation"],
        }
    return {**status, "conditions": list(conditions.values())}


def pending(name: str, message: str, current_time: str) -> CheckState:
    """Return the entry of a check that is undecided."""
    return {"name": name, "state": "Pending", "message": message, "lastTransitionTime": current_time}


def reset(entry: CheckState, current_time: str) -> CheckState:
    """Return an entry as an eviction leaves it: undecided again, a Retry counted (AC-340, AC-345)."""
    # An undecided entry keeps its time and its message.
    if entry["state"] == "Pending":
        return entry
    fresh = pending(
        entry["name"], f"Reset to Pending after eviction. Previously: {entry['state']}", current_time
    )
    if "requeueAfterSeconds" in entry:
        fresh["requeueAfterSeconds"] = entry["requeueAfterSeconds"]
    if entry["state"] == "Retry":
        # Counted when the entry is put back, not when Retry was said (AC-345).
        fresh["retryCount"] = entry.get("retryCount", 0) + 1
    return fresh


def fields_to_apply(status: Json, lacks: Sequence[str]) -> Json:
    """Return what of a status the apply of `kueue-admission` carries (AC-370); `lacks` are fields that the
    release has not.
    """
    applied_fields = {key: status[key] for key in _APPLIED if key in status and key not in lacks}
    if "admissionChecks" in applied_fields:
        entries = [
            {key: entry[key] for key in entry if f"admissionChecks.{key}" not in lacks}
            for entry in applied_fields["admissionChecks"]
        ]
        applied_fields["admissionChecks"] = entries
    # An apply without a field of its manager removes it; conditions of others are not the
    # manager's to send.
    conditions = [condition for condition in status.get("conditions", []) if condition["type"] in _OWNED]
    return {**applied_fields, "conditions": conditions}


def assignment(pods: Json, flavor: str, topology: Json = None) -> PodSetAssignment:
    """Return what one podSet is assigned; `topology` is where its pods go, where they request one."""
    containers = pods["template"]["spec"]["containers"]
    requests: Mapping[str, str] = containers[0].get("resources", {}).get("requests", {})
    assigned: PodSetAssignment = {
        "name": pods["name"],
        "count": pods["count"],
        "flavors": dict.fromkeys(requests, flavor),
        "resourceUsage": dict(requests),
    }
    return {**assigned, "topologyAssignment": topology} if topology else assigned


def count_eviction(status: Json, reason: str) -> Json:
    """Return the statistics with one more eviction for a reason."""
    stats = status.get("schedulingStats") or {}
    evictions: Sequence[Json] = stats.get("evictions", [])
    new: Json = {"underlyingCause": "", "count": 0}
    counter = next((counter for counter in evictions if counter["reason"] == reason), new)
    other_counters = [counter for counter in evictions if counter["reason"] != reason]
    return {
        **stats,
        "evictions": [*other_counters, {**counter, "reason": reason, "count": counter["count"] + 1}],
    }


def condition(workload: Json, name: str) -> Condition:
    """Return a condition, empty when there is none."""
    conditions: Sequence[Condition] = (workload.get("status") or {}).get("conditions", [])
    return next((condition for condition in conditions if condition["type"] == name), Condition())


def waits_for_checks(current: Json) -> bool:
    """Tell whether a Workload holds quota, is not admitted, and lists a check that is not Ready."""
    entries = (current.get("status") or {}).get("admissionChecks", [])
    waits = any(entry["state"] != "Ready" for entry in entries)
    return waits and is_true(current, "QuotaReserved") and not is_true(current, "Admitted")


def is_true(workload: Json, name: str) -> bool:
    """Tell whether a condition is True."""
    return bool(condition(workload, name).get("status") == "True")
