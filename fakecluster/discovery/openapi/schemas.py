"""Schemas as OpenAPI publishes them: those of kinds and their lists, and every built-in message they need
(FK-371).

Custom resources are written down differently in version 2, which knows fewer words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...api.kind import Kind
from ...gotypes.types import message_of, schemas
from ..subresources import subresource
from .names import public, schema_name

Json = Any
OBJECT_META = "meta.v1.ObjectMeta"
LIST_META = "meta.v1.ListMeta"
ALWAYS = (OBJECT_META, LIST_META, "meta.v1.DeleteOptions", "meta.v1.Status")
TEXT = {"type": "string"}
META = {"apiVersion": TEXT, "kind": TEXT, "metadata": {"$ref": OBJECT_META}}
PATCH_BODY = {"description": "A patch of any of the forms.", "type": "object"}
WATCH_EVENT = {"description": "An event of a watch.", "type": "object", "required": ["type", "object"],
               "properties": {"type": TEXT, "object": {"type": "object"}}}  # fmt: skip
NUMBER_OR_TEXT = [{"type": "integer"}, {"type": "string"}]
EXTRA: Mapping[str, Json] = {
    "intstr.IntOrString": {"format": "int-or-string", "oneOf": NUMBER_OR_TEXT},
    "meta.v1.Patch": PATCH_BODY, "meta.v1.WatchEvent": WATCH_EVENT,
}  # fmt: skip
"""Messages that no type of the data file is, or is otherwise."""
UNKNOWN_TO_V2 = ("anyOf", "allOf", "oneOf", "not", "default", "nullable")
OWN = "name of a published schema"
"""Stands where `$ref` would name a message."""
FREE = ("type", "properties", "items", "additionalProperties", "required")


def collected(kinds: Iterable[Kind], prefix: str, *, simple: bool) -> dict[str, Json]:
    """Return the schemas of kinds and all that they refer to, with references that begin with `prefix`.

    `simple` leaves out of custom resources what version 2 cannot say.
    """
    rows = tuple(kinds)
    own: dict[str, Json] = {}
    for kind in rows:
        own |= _of_kind(kind, simple=simple)
    needed = [*ALWAYS, *EXTRA, *_referred(own.values()), *(one for kind in rows for one in below(kind))]
    messages = {public(name): _message(name) for name in _closure(needed)}
    return {name: referring(schema, prefix) for name, schema in sorted({**messages, **own}.items())}


def below(kind: Kind) -> Iterable[str]:
    """Return the messages of a kind's subresources that are not the message of the kind."""
    for name in kind.subresources:
        (group, version, shown), _ = subresource(kind, name)
        if shown != kind.kind:
            yield f"{group.partition('.')[0] or 'core'}.{version or kind.version}.{shown}"


def referring(schema: Json, prefix: str) -> Json:
    """Return a schema whose references name published schemas."""
    if isinstance(schema, list):
        return [referring(one, prefix) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    if OWN in schema:
        return {"$ref": f"{prefix}{schema[OWN]}"}
    return {
        key: f"{prefix}{public(value)}"
        if key == "$ref" and isinstance(value, str)
        else referring(value, prefix)
        for key, value in schema.items()
    }


def _of_kind(kind: Kind, *, simple: bool) -> dict[str, Json]:
    name = schema_name(kind)
    found = {
        name: _described(kind, _custom(kind, simple=simple) if kind.custom else schemas()[message_of(kind)])
    }
    if "list" in kind.verbs:
        found[f"{name}List"] = _list_of(kind, name)
    return found


def _described(kind: Kind, schema: Json) -> Json:
    says = {} if schema.get("description") else {"description": f"{kind.kind} of {kind.api_version}."}
    return {**says, **schema, **_marked(kind, kind.kind)}


def _marked(kind: Kind, name: str) -> Json:
    return {"x-kubernetes-group-version-kind": [{"group": kind.group, "version": kind.version, "kind": name}]}


def _custom(kind: Kind, *, simple: bool) -> Json:
    raw = (simplified if simple else complete)(kind.schema.structural.raw)
    properties = raw.get("properties")
    return {**raw, "properties": {**(properties or {}), **META}} if properties or not simple else raw


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


def _list_of(kind: Kind, name: str) -> Json:
    properties = {
        "apiVersion": TEXT,
        "kind": TEXT,
        "metadata": {"$ref": LIST_META},
        "items": {"type": "array", "items": {OWN: name}},
    }
    return {
        "description": f"{kind.kind}List is a list of {kind.kind}", "type": "object", "required": ["items"],
        "properties": properties, **_marked(kind, f"{kind.kind}List"),
    }  # fmt: skip


def _message(name: str) -> Json:
    return EXTRA.get(name) or schemas()[name]


def _referred(found: Iterable[Json]) -> list[str]:
    names: list[str] = []
    for schema in found:
        _collect(schema, names.append)
    return names


def _collect(schema: Json, add: Callable[[str], None]) -> None:
    """Report every message that a schema refers to."""
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            add(reference)
        for value in schema.values():
            _collect(value, add)
    elif isinstance(schema, list):
        for value in schema:
            _collect(value, add)


def _closure(names: list[str]) -> list[str]:
    """Return the messages and all those they need."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen and (name in schemas() or name in EXTRA):
            seen.add(name)
            _collect(_message(name), waiting.append)
    return sorted(seen)
