"""The condition DisruptionAllowed of a PodDisruptionBudget (FK-487)."""

from __future__ import annotations

from ...base.json_types import Json

TYPE = "DisruptionAllowed"


def condition_of(status: Json) -> Json:
    """Return the condition of a budget's status, empty when there is none."""
    return next((condition for condition in status.get("conditions") or () if condition["type"] == TYPE), {})


def with_condition(status: Json, time: str, *, reason: str = "", message: str = "") -> Json:
    """Return a status with the condition DisruptionAllowed; `reason` stands in place of the counted one.

    Its time is that of the last change from yes to no or back.
    """
    before = condition_of(status)
    reason = reason or ("SufficientPods" if status.get("disruptionsAllowed", 0) > 0 else "InsufficientPods")
    verdict = "True" if reason == "SufficientPods" else "False"
    condition = {
        "type": TYPE,
        "status": verdict,
        "reason": reason,
        "message": message,
        "lastTransitionTime": before["lastTransitionTime"] if before.get("status") == verdict else time,
        **({"observedGeneration": status["observedGeneration"]} if status.get("observedGeneration") else {}),
    }
    conditions = status.get("conditions") or []
    if before:
        conditions = [condition if other is before else other for other in conditions]
        return {**status, "conditions": conditions}
    return {**status, "conditions": [*conditions, condition]}
