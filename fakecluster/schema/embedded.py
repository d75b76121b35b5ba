"""Objects inside objects: where a schema embeds whole resources (FK-260)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import fields
from .fields import FieldError

Json = Any
Find = Callable[[Json, str], Iterator[tuple[str, Any]]]
"""(value, path) → the embedded resources with their paths."""
Replace = Callable[[Json, str], Json]
"""(resource, path) → what shall stand in its place."""


def compile_find(raw: Mapping[str, Json]) -> Find | None:
    """Return how to find the embedded resources below the root; None when there are none."""
    return _below(raw)


def _node(raw: Mapping[str, Json]) -> Find | None:
    below = _below(raw)
    if not raw.get("x-kubernetes-embedded-resource"):
        return below

    def find(value: Json, path: str) -> Iterator[tuple[str, Any]]:
        if type(value) is dict:
            yield path, value
        if below:
            yield from below(value, path)

    return find


def _below(raw: Mapping[str, Json]) -> Find | None:
    members = {name: _node(child) for name, child in (raw.get("properties") or {}).items()}
    known = {name: find for name, find in members.items() if find}
    extra, items = raw.get("additionalProperties"), raw.get("items")
    others = _node(extra) if isinstance(extra, Mapping) else None
    each = _node(items) if isinstance(items, Mapping) else None
    if not known and not others and not each:
        return None

    def find(value: Json, path: str) -> Iterator[tuple[str, Any]]:
        if type(value) is list and each:
            for i, item in enumerate(value):
                yield from each(item, f"{path}[{i}]")
        elif type(value) is dict:
            for name, child in value.items():
                inner = known.get(name) or (others if name not in members else None)
                if inner:
                    yield from inner(child, f"{path}.{name}" if path else name)

    return find


def type_meta_errors(value: Json, path: str) -> Iterator[FieldError]:
    """Return what is wrong with apiVersion and kind of an embedded resource."""
    version, kind = value.get("apiVersion"), value.get("kind")
    if not version:
        yield fields.required(f"{path}.apiVersion")
    elif str(version).count("/") > 1:
        yield fields.invalid(f"{path}.apiVersion", version, f"unexpected GroupVersion string: {version}")
    if not kind:
        yield fields.required(f"{path}.kind")
