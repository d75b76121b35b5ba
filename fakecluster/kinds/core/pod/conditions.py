"""Conditions in the status of a Pod."""

from __future__ import annotations

from ....base.json_types import Json


def with_condition(pod: Json, condition: Json) -> Json:
    """Return the Pod with a condition in the place of the one of its type, at its end when there is none.

    Its time of transition stays while its status does.
    """
    status = pod.get("status", {})
    conditions = list(status.get("conditions", []))
    indexes = [index for index, other in enumerate(conditions) if other["type"] == condition["type"]]
    if not indexes:
        return {**pod, "status": {**status, "conditions": [*conditions, condition]}}
    before = conditions[indexes[0]]
    since = before.get("lastTransitionTime") if before["status"] == condition["status"] else None
    conditions[indexes[0]] = {**condition, "lastTransitionTime": since or condition["lastTransitionTime"]}
    return {**pod, "status": {**status, "conditions": conditions}}
