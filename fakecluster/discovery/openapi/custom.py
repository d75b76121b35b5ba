"""Schemas of custom resources as OpenAPI publishes them (FK-371, FK-374).

Version 2 knows fewer words: what it cannot say is left open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.json_types import Json
from .builtin import NUMBER_OR_TEXT

TEXT = {"type": "string"}
OBJECT_META = {"$ref": "meta.v1.ObjectMeta"}
META = {"apiVersion": TEXT, "kind": TEXT, "metadata": {"allOf": [OBJECT_META]}}
UNKNOWN_TO_V2 = ("anyOf", "allOf", "oneOf", "not", "default", "nullable")
FREE = ("type", "properties", "items", "additionalProperties", "required")


def custom_schema(structural: Json, *, simple: bool) -> Json:
    """Return the schema of a custom resource; `simple` is the form of version 2."""
    if simple and structural.get("x-kubernetes-preserve-unknown-fields"):
        return {"type": "object"}  # with members, kubectl would refuse all others
    raw = (simplified if simple else complete)(structural)
    meta = {**META, "metadata": OBJECT_META} if simple else META
    return {**raw, "properties": {**(raw.get("properties") or {}), **meta}}


def complete(schema: Json) -> Json:
    """Return a structural schema with what its extensions imply."""
    found = dict(schema)
    if found.get("x-kubernetes-int-or-string"):
        found.setdefault("anyOf", NUMBER_OR_TEXT)
    if found.get("x-kubernetes-embedded-resource"):
        found["required"] = list(dict.fromkeys([*(found.get("required") or ()), "kind", "apiVersion"]))
        found["properties"] = {**(found.get("properties") or {}), **META}
    return {key: _inside(key, value, complete) for key, value in found.items()}


def simplified(schema: Json) -> Json:
    """Return a structural schema in the words of version 2: what it cannot say is left open."""
    left = dict(schema)
    open_ended = left.get("x-kubernetes-preserve-unknown-fields") or left.get("nullable")
    for word in (*UNKNOWN_TO_V2, *(FREE if open_ended else ())):
        left.pop(word, None)
    if left.get("x-kubernetes-int-or-string"):
        left.pop("type", None)
    return {key: _inside(key, value, simplified) for key, value in left.items()}


def _inside(key: str, value: Json, change: Callable[[Json], Json]) -> Json:
    """Return a member of a schema whose own schemas are changed."""
    if key == "properties":
        return {name: change(one) for name, one in value.items()}
    return change(value) if key in {"items", "additionalProperties"} and isinstance(value, Mapping) else value
