"""Who owns an object (FK-070, FK-120)."""

from __future__ import annotations

from ..base.json_types import Json


def references(obj: Json) -> list[Json]:
    """Return all ownerReferences."""
    return obj["metadata"].get("ownerReferences") or []


def controller_of(obj: Json) -> Json:
    """Return the ownerReference of the managing controller, None when there is none."""
    return next((reference for reference in references(obj) if reference.get("controller")), None)


def reference_to(owner: Json) -> Json:
    """Return the ownerReference by which `owner` controls something."""
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
