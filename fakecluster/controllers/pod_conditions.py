"""The condition DisruptionTarget of a pod that a controller deletes (FK-487, FK-496)."""

from __future__ import annotations

from ..base.json_types import Json


def disruption_status(pod: Json, reason: str, message: str, current_time: str) -> Json:
    """Return the status of a pod that is deleted for a reason."""
    status = pod.get("status", {})
    condition = {
        "type": "DisruptionTarget",
        "status": "True",
        "lastProbeTime": None,
        "lastTransitionTime": current_time,
        "reason": reason,
        "message": message,
        "observedGeneration": pod["metadata"].get("generation", 0),
    }
    conditions = [other for other in status.get("conditions") or () if other["type"] != "DisruptionTarget"]
    return {**status, "conditions": [*conditions, condition]}
