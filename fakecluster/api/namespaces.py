"""What a namespace means to the objects in it, and its own last moments (FK-073, FK-340…FK-345)."""

from __future__ import annotations

from typing import Any

from ..store import Stored
from . import status
from .action import Action

Json = Any
NAMESPACES = ("", "namespaces")
UNDELETABLE = frozenset({"default", "kube-system", "kube-public"})


def check_exists(action: Action, new: Json) -> None:
    """Check that the namespace of a new object takes new content. Raises 404, or 403 while it is going away."""
    if not action.kind.namespaced:
        return
    found = action.api.store.get(NAMESPACES, ("", action.namespace))
    if found is None:
        raise status.namespace_not_found(action.namespace)
    if found.object["metadata"].get("deletionTimestamp"):
        raise _terminating(action, new)


def check_deletable(action: Action) -> None:
    """Check that the object is not one of the namespaces that stay. Raises 403."""
    if (action.kind.group, action.kind.plural) == NAMESPACES and action.name in UNDELETABLE:
        raise status.forbidden("", "namespaces", action.name, "this namespace may not be deleted")


def terminating(current: Stored, marked: Json) -> Json:
    """Return a namespace that has been told to go: its phase says so (FK-342)."""
    del current
    return {**marked, "status": {**marked.get("status", {}), "phase": "Terminating"}}


def _terminating(action: Action, new: Json) -> status.StatusError:
    cause = {
        "reason": "NamespaceTerminating",
        "message": f"namespace {action.namespace} is being terminated",
        "field": "metadata.namespace",
    }
    why = f"unable to create new content in namespace {action.namespace} because it is being terminated"
    return status.forbidden(
        action.kind.group, action.kind.plural, new["metadata"].get("name", ""), why, [cause]
    )
