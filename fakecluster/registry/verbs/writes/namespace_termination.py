"""Namespaces that terminate: their finalizers, and writes of objects in them (FK-073, FK-340…FK-345)."""

from __future__ import annotations

from ....api import status
from ....base.json_types import Json
from ....meta import metadata
from ...action import Action

NAMESPACES = ("", "namespaces")
UNDELETABLE_OBJECTS = {
    NAMESPACES: (("default", "kube-system", "kube-public"), "this namespace may not be deleted"),
    ("scheduling.k8s.io", "priorityclasses"): (
        ("system-cluster-critical", "system-node-critical"),
        "this is a system priority class and cannot be deleted",
    ),
}
"""Namespaces that cannot be deleted, and the text of the refusal."""
NAME_LABEL = "kubernetes.io/metadata.name"


def is_namespace(obj: Json) -> bool:
    """Whether an object is a namespace."""
    return (obj.get("apiVersion"), obj.get("kind")) == ("v1", "Namespace")


def finalizers(obj: Json) -> list[str]:
    """Return the finalizers in a namespace's spec; other objects have none there."""
    return list((obj.get("spec") or {}).get("finalizers") or ()) if is_namespace(obj) else []


def check_deletable(action: Action) -> None:
    """Check that the object is not one of the namespaces or priority classes that stay. Raises 403."""
    names, why = UNDELETABLE_OBJECTS.get(action.kind.stored_as, ((), ""))
    if action.name in names:
        raise status.forbidden(*action.kind.stored_as, action.name, why)


def terminating(obj: Json, when: str) -> Json:
    """Return a namespace with deletionTimestamp and phase Terminating (FK-342)."""
    marked = metadata.with_metadata(obj, deletionTimestamp=when)
    return {**marked, "status": {**marked.get("status", {}), "phase": "Terminating"}}


def only_finalizers(new: Json, old: Json) -> Json:
    """Return a namespace as `/finalize` may change it: its metadata and the finalizers in its spec."""
    spec = {key: value for key, value in (new.get("spec") or {}).items() if key == "finalizers" and value}
    return {**old, "metadata": new["metadata"], "spec": spec}
