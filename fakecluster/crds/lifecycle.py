"""Conditions of a definition's status, and what a DELETE makes of a definition;
the follower does the rest (FK-255, FK-258).
"""

from __future__ import annotations

from ..base.json_types import Json


def find(status: Json, kind: str) -> Json:
    """Return a condition by type, None when it is not there."""
    return next(
        (condition for condition in (status or {}).get("conditions") or () if condition["type"] == kind), None
    )


def is_true(crd: Json, kind: str) -> bool:
    """Whether a condition of a definition is True."""
    condition = find(crd.get("status"), kind)
    return condition is not None and condition["status"] == "True"


def with_condition(status: Json, kind: str, value: str, reason: str, message: str, current_time: str) -> Json:
    """Return the status with a condition set; its time changes only together with its value."""
    old = find(status, kind)
    since = old["lastTransitionTime"] if old and old["status"] == value else current_time
    new = {"type": kind, "status": value, "lastTransitionTime": since, "reason": reason, "message": message}
    rest = list((status or {}).get("conditions") or ())
    replaced = [new if condition["type"] == kind else condition for condition in rest]
    return {**(status or {}), "conditions": replaced if old else [*rest, new]}


FINALIZER = "customresourcecleanup.apiextensions.k8s.io"
DELETION_PENDING = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"


def mark_terminating(crd: Json, current_time: str) -> Json:
    """Return the definition that waits for its objects to be deleted."""
    metadata = crd["metadata"]
    finalizers = [*(metadata.get("finalizers") or ())]
    if FINALIZER not in finalizers:
        finalizers.append(FINALIZER)
    status = with_condition(
        crd.get("status"), "Terminating", "True", "InstanceDeletionPending", DELETION_PENDING, current_time
    )
    marks = {"deletionTimestamp": current_time, "finalizers": finalizers}
    return {**crd, "metadata": {**metadata, **marks}, "status": status}
