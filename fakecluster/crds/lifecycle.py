"""What a DELETE makes of a definition: a finalizer and a condition; the follower does the rest (FK-258)."""

from __future__ import annotations

from typing import Any

from .conditions import with_condition

Json = Any
FINALIZER = "customresourcecleanup.apiextensions.k8s.io"
PENDING = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"


def marked(crd: Json, now: str) -> Json:
    """Return the definition that waits for its objects to be deleted."""
    metadata = crd["metadata"]
    finalizers = [*(metadata.get("finalizers") or ())]
    if FINALIZER not in finalizers:
        finalizers.append(FINALIZER)
    status = with_condition(crd.get("status"), "Terminating", "True", "InstanceDeletionPending", PENDING, now)
    marks = {"deletionTimestamp": now, "finalizers": finalizers}
    return {**crd, "metadata": {**metadata, **marks}, "status": status}
