"""Objects inside objects: where a schema embeds whole resources (FK-260)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..base.json_types import Json
from . import fields
from .fields import FieldError

Visit = Callable[[Json, str], Json]
"""(resource, path) → what shall stand in its place."""
Walk = Callable[[Json, str, Visit], Json]
"""(value, path, visit) → the value with every embedded resource as `visit` leaves it, outer ones first."""


def compile_walk(raw: Mapping[str, Json]) -> Walk | None:
    """Return how to visit the embedded resources below the root; None when there are none."""
    members = {name: compile_node_walk(child) for name, child in (raw.get("properties") or {}).items()}
    walks = {name: walk for name, walk in members.items() if walk}
    extra, items = raw.get("additionalProperties"), raw.get("items")
    extra_walk = compile_node_walk(extra) if isinstance(extra, dict) else None
    item_walk = compile_node_walk(items) if isinstance(items, dict) else None
    if not walks and not extra_walk and not item_walk:
        return None

    def walk(value: Json, path: str, visit: Visit) -> Json:
        if type(value) is list and item_walk:
            return [item_walk(item, f"{path}[{i}]", visit) for i, item in enumerate(value)]
        if type(value) is not dict:
            return value
        changed = {}
        for name, child in value.items():
            inner = walks.get(name) or (extra_walk if name not in members else None)
            if inner:
                changed[name] = inner(child, f"{path}.{name}" if path else name, visit)
        return {**value, **changed}

    return walk


def compile_node_walk(raw: Mapping[str, Json]) -> Walk | None:
    """Return how to visit the embedded resources of a node, itself among them; None when there are none."""
    below = compile_walk(raw)
    if not raw.get("x-kubernetes-embedded-resource"):
        return below

    def walk(value: Json, path: str, visit: Visit) -> Json:
        visited = visit(value, path) if type(value) is dict else value
        return below(visited, path, visit) if below else visited

    return walk


def type_meta_errors(value: Json, path: str) -> Iterator[FieldError]:
    """Return the errors of apiVersion and kind of an embedded resource."""
    for name in ("apiVersion", "kind"):
        if name not in value:
            yield fields.required(f"{path}.{name}")
        elif not value[name]:
            yield fields.invalid(f"{path}.{name}", value[name], "must not be empty")
    version = str(value.get("apiVersion") or "")
    if version.count("/") > 1:
        yield fields.invalid(f"{path}.apiVersion", version, f"unexpected GroupVersion string: {version}")
