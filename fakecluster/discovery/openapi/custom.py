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
    raw = (simplify if simple else complete)(structural)
    meta = {**META, "metadata": OBJECT_META} if simple else META
    return {**raw, "properties": {**(raw.get("properties") or {}), **meta}}


def complete(schema: Json) -> Json:
    """Return a structural schema with what its extensions imply."""
    schema_out = dict(schema)
    if schema_out.get("x-kubernetes-int-or-string"):
        schema_out.setdefault("anyOf", NUMBER_OR_TEXT)
    if schema_out.get("x-kubernetes-embedded-resource"):
        schema_out["required"] = list(
            dict.fromkeys([*(schema_out.get("required") or ()), "kind", "apiVersion"])
        )
        schema_out["properties"] = {**(schema_out.get("properties") or {}), **META}
    return {key: _inside(key, value, complete) for key, value in schema_out.items()}


def simplify(schema: Json) -> Json:
    """Return a structural schema in the words of version 2: what it cannot say is left open."""
    simple_schema = dict(schema)
    open_ended = simple_schema.get("x-kubernetes-preserve-unknown-fields") or simple_schema.get("nullable")
    # kubectl validates against version 2 as a closed schema, so what it cannot say is left open.
    for word in (*UNKNOWN_TO_V2, *(FREE if open_ended else ())):
        simple_schema.pop(word, None)
    if simple_schema.get("x-kubernetes-int-or-string"):
        simple_schema.pop("type", None)
    return {key: _inside(key, value, simplify) for key, value in simple_schema.items()}


def _inside(key: str, value: Json, change: Callable[[Json], Json]) -> Json:
    """Return a member of a schema whose own schemas are changed."""
    if key == "properties":
        return {name: change(child) for name, child in value.items()}
    return change(value) if key in {"items", "additionalProperties"} and isinstance(value, Mapping) else value
