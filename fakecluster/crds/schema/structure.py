"""What makes a schema structural (FK-259): a type everywhere,
junctors that only restrict, metadata left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ...schema.patterns import pattern_problem
from .dialect import is_there
from .goschema import is_set

Level = Literal["root", "item", "field"]
TYPE_REQUIRED: Mapping[Level, str] = {
    "root": "must not be empty at the root",
    "item": "must not be empty for specified array items",
    "field": "must not be empty for specified object fields",
}
INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
DROPPED_WHEN_EMPTY = frozenset({"enum", "allOf", "anyOf", "oneOf", "items"})
"""Keywords whose empty lists the structural form does not keep."""
FORBIDDEN_NESTED: tuple[tuple[str, Callable[[Json], bool], str], ...] = (
    ("type", bool, "must be empty to be structural"),
    ("additionalProperties", lambda value: value not in (None, False), "must be undefined to be structural"),
    ("default", is_there, "must be undefined to be structural"),
    ("title", bool, "must be empty to be structural"),
    ("description", bool, "must be empty to be structural"),
    ("nullable", bool, "must be false to be structural"),
    ("x-kubernetes-preserve-unknown-fields", bool, "must be false to be structural"),
    ("x-kubernetes-embedded-resource", bool, "must be false to be structural"),
    ("x-kubernetes-int-or-string", bool, "must be false to be structural"),
    ("x-kubernetes-list-map-keys", bool, "must be empty to be structural"),
    ("x-kubernetes-list-type", is_there, "must be undefined to be structural"),
    ("x-kubernetes-map-type", is_there, "must be undefined to be structural"),
    ("x-kubernetes-validations", bool, "must be empty to be structural"),
)
"""What a junctor may not say, and with which values it says so."""


def structural_errors(schema: Json, path: str) -> list[FieldError]:
    """Return what keeps a schema from being structural, sorted by its text."""
    errors = [*_invariants(schema, "root", path), *_completeness(schema, schema, path, path)]
    return sorted(errors, key=str)


def _invariants(node: Json, level: Level, path: str) -> Iterator[FieldError]:
    items = node.get("items")
    if isinstance(items, dict):
        yield from _invariants(items, "item", f"{path}.items")
    elif node.get("type") == "array":
        yield fields.required(f"{path}.items", "must be specified")
    for name, child in (node.get("properties") or {}).items():
        yield from _invariants(child, "field", f"{path}.properties[{name}]")
    yield from _additional(node, level, path)
    yield from _exclusive_extensions(node, path)
    yield from _junctors(node, path, exempt=_exempt(node))
    yield from _type(node, level, path)
    yield from _object_fields(node, level, path)


def _additional(node: Json, level: Level, path: str) -> Iterator[FieldError]:
    extra = node.get("additionalProperties")
    if extra is None:
        return
    if level == "root":
        yield fields.forbidden(f"{path}.additionalProperties", "must not be used at the root")
    if isinstance(extra, dict):
        yield from _invariants(extra, "field", f"{path}.additionalProperties")


def _exclusive_extensions(node: Json, path: str) -> Iterator[FieldError]:
    if not node.get("x-kubernetes-int-or-string"):
        return
    for name in ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"):
        if node.get(name):
            yield fields.invalid(
                f"{path}.{name}", True, "must be false if x-kubernetes-int-or-string is true"
            )


def _exempt(node: Json) -> tuple[str, ...]:
    """The one place where a junctor may name types: integer or string, whether or not the node is both."""
    if node.get("anyOf") == INT_OR_STRING:
        return ("anyOf",)
    first: Json = next(iter(node.get("allOf") or ()), {})
    return ("allOf.anyOf",) if first.get("anyOf") == INT_OR_STRING else ()


def _junctors(node: Json, path: str, *, exempt: tuple[str, ...] = ()) -> Iterator[FieldError]:
    for name in ("anyOf", "allOf", "oneOf"):
        if name in exempt:
            continue
        for i, nested in enumerate(node.get(name) or ()):
            inner = ("anyOf",) if i == 0 and f"{name}.anyOf" in exempt else ()
            yield from _in_junctor(nested, f"{path}.{name}[{i}]", inner)
    if node.get("not") is not None:
        yield from _in_junctor(node["not"], f"{path}.not", ())
    if problem := pattern_problem(node.get("pattern") or ""):
        why = f"must be a valid regular expression, but isn't: {problem}"
        yield fields.invalid(f"{path}.pattern", node["pattern"], why)


def _in_junctor(node: Json, path: str, exempt: tuple[str, ...]) -> Iterator[FieldError]:
    """What stands inside a junctor may only restrict values."""
    yield from _junctors(node, path, exempt=exempt)
    if isinstance(node.get("items"), dict):
        yield from _in_junctor(node["items"], f"{path}.items", ())
    for name, child in (node.get("properties") or {}).items():
        yield from _in_junctor(child, f"{path}.properties[{name}]", ())
    for name, is_said, why in FORBIDDEN_NESTED:
        if is_said(node.get(name)):
            yield fields.forbidden(f"{path}.{name}", why)
    if "metadata" in (node.get("properties") or {}):
        yield fields.forbidden(f"{path}.properties[metadata]", "must not be specified in a nested context")


def _type(node: Json, level: Level, path: str) -> Iterator[FieldError]:
    kind, embedded = node.get("type") or "", bool(node.get("x-kubernetes-embedded-resource"))
    free = node.get("x-kubernetes-int-or-string") or node.get("x-kubernetes-preserve-unknown-fields")
    if embedded and kind != "object":
        why = "must be object if x-kubernetes-embedded-resource is true"
        yield fields.invalid(f"{path}.type", kind, why) if kind else fields.required(f"{path}.type", why)
    elif not kind and not free:
        yield fields.required(f"{path}.type", TYPE_REQUIRED[level])
    if embedded and node.get("additionalProperties") is not None:
        why = "must not be used if x-kubernetes-embedded-resource is set"
        yield fields.forbidden(f"{path}.additionalProperties", why)
    if level == "root" and kind and kind != "object":
        yield fields.invalid(f"{path}.type", kind, "must be object at the root")


def _object_fields(node: Json, level: Level, path: str) -> Iterator[FieldError]:
    """apiVersion, kind and metadata of whole objects have their own meaning."""
    properties = node.get("properties") or {}
    embedded = bool(node.get("x-kubernetes-embedded-resource"))
    if level == "root" or embedded:
        for name in ("kind", "apiVersion"):
            if name in properties and properties[name].get("type") != "string":
                where = f"{path}.properties[{name}].type"
                yield fields.invalid(where, properties[name].get("type") or "", "must be string")
    if "metadata" in properties:
        where = f"{path}.properties[metadata]"
        yield from _metadata(properties["metadata"], where, level, is_resource=level == "root" or embedded)
    if embedded and not node.get("x-kubernetes-preserve-unknown-fields") and not properties:
        why = (
            "must not be empty if x-kubernetes-embedded-resource is true"
            " without x-kubernetes-preserve-unknown-fields"
        )
        yield fields.required(f"{path}.properties", why)


def _metadata(node: Json, path: str, level: Level, *, is_resource: bool) -> Iterator[FieldError]:
    if is_resource and node.get("type") != "object":
        yield fields.invalid(f"{path}.type", node.get("type") or "", "must be object")
    if level != "root":
        return
    named = set(node.get("properties") or {}) <= {"name", "generateName"}
    keys = {key for key in node if is_set(node, key) and (node[key] or key not in DROPPED_WHEN_EMPTY)}
    if not named or keys - {"type", "properties", "default"}:
        why = (
            "must not specify anything other than name and generateName, but metadata is implicitly specified"
        )
        yield fields.forbidden(path, why)


def _completeness(node: Json, schema: Json | None, path: str, where: str) -> Iterator[FieldError]:
    """What a junctor of the root mentions must be specified outside of it."""
    for name in ("allOf", "anyOf", "oneOf"):
        for i, nested in enumerate(node.get(name) or ()):
            yield from _complete_nested(nested, schema, path, f"{where}.{name}[{i}]")
    if node.get("not") is not None:
        yield from _complete_nested(node["not"], schema, path, f"{where}.not")


def _complete_nested(node: Json, schema: Json | None, path: str, where: str) -> Iterator[FieldError]:
    if schema is None:
        yield fields.required(path, f"because it is defined in {where}")
        return
    yield from _completeness(node, schema, path, where)
    if isinstance(node.get("items"), dict):
        yield from _complete_nested(node["items"], schema.get("items"), f"{path}.items", f"{where}.items")
    for name, child in (node.get("properties") or {}).items():
        outside = (schema.get("properties") or {}).get(name)
        step = f"properties[{name}]"
        yield from _complete_nested(child, outside, f"{path}.{step}", f"{where}.{step}")
