"""The objects that exist after changes, by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import TypeAlias

from ..base.json_types import Json
from .story import Change

ObjectKey: TypeAlias = tuple[str, str, str]
"""Kind, namespace (empty where the kind has none) and name."""


def apply_change(objects: MutableMapping[ObjectKey, Json], change: Change) -> None:
    """Bring objects up to the state after a change of one of them."""
    key = change.kind, change.namespace, change.name
    if change.after is None:
        objects.pop(key, None)
    else:
        objects[key] = change.after


def present_objects(changes: Iterable[Change]) -> dict[ObjectKey, Json]:
    """Return the objects that exist after changes, the oldest first."""
    objects: dict[ObjectKey, Json] = {}
    for change in changes:
        apply_change(objects, change)
    return objects
