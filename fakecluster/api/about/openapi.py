"""OpenAPI v3: an index with a hash for each group and version, and one document each, made when asked for (FK-371…375).

A document holds what clients use: schemas by name, and for every resource the operations with their query parameters and
`x-kubernetes-group-version-kind`. kubectl decides by the parameters of PATCH whether validation may be left to the server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...store import encode
from ..builtins.types import schemas
from ..kinds import Kind
from ..registry import Registry

Json = Any
PACKAGES = {
    "meta": "io.k8s.apimachinery.pkg.apis.meta",
    "runtime": "io.k8s.apimachinery.pkg.runtime",
    "resource_q": "io.k8s.apimachinery.pkg.api.resource",
    "intstr": "io.k8s.apimachinery.pkg.util.intstr",
    "apiextensions": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
    "apiregistration": "io.k8s.kube-aggregator.pkg.apis.apiregistration",
}
OBJECT_META = "meta.v1.ObjectMeta"
LIST_META = "meta.v1.ListMeta"
DELETE_OPTIONS = "meta.v1.DeleteOptions"
STATUS = "meta.v1.Status"
TEXT, NUMBER, SWITCH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
QUERY_TYPES: Mapping[str, Json] = {
    "allowWatchBookmarks": SWITCH, "continue": TEXT, "dryRun": TEXT, "fieldManager": TEXT, "fieldSelector": TEXT,
    "fieldValidation": TEXT, "force": SWITCH, "gracePeriodSeconds": NUMBER, "labelSelector": TEXT, "limit": NUMBER,
    "orphanDependents": SWITCH, "pretty": TEXT, "propagationPolicy": TEXT, "resourceVersion": TEXT,
    "resourceVersionMatch": TEXT, "sendInitialEvents": SWITCH, "timeoutSeconds": NUMBER, "watch": SWITCH,
}  # fmt: skip
WRITE = ("dryRun", "fieldManager", "fieldValidation")
DELETE = ("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy")
LIST = (
    "allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion",
    "resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch",
)  # fmt: skip
PATCHES = ("json-patch+json", "merge-patch+json", "apply-patch+yaml")
STRATEGIC = "strategic-merge-patch+json"


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of a path: the verb it needs, what x-kubernetes-action calls it, its query parameters."""

    method: str
    verb: str
    action: str
    query: tuple[str, ...]
    body: str = ""


ITEM = (
    Operation("get", "get", "get", ()),
    Operation("put", "update", "put", WRITE, "object"),
    Operation("patch", "patch", "patch", (*WRITE, "force"), "patch"),
    Operation("delete", "delete", "delete", DELETE, "options"),
)
COLLECTION = (
    Operation("get", "list", "list", LIST),
    Operation("post", "create", "post", WRITE, "object"),
    Operation("delete", "deletecollection", "deletecollection", (*DELETE, *LIST), "options"),
)
SUBRESOURCE = ITEM[:3]
EVERYWHERE = COLLECTION[:1]


class OpenApi:
    """The documents of one registry."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._documents: dict[str, tuple[tuple[Kind, ...], str, bytes]] = {}

    def index(self) -> bytes:
        """Return the list of documents."""
        paths = {path: {"serverRelativeURL": self.location(path)} for path in self._paths()}
        return encode({"paths": paths})

    def location(self, path: str) -> str:
        """Return where a document is found, hash included."""
        return f"/openapi/v3/{path}?hash={self.hash(path)}"

    def hash(self, path: str) -> str:
        """Return what changes whenever the document does; empty when there is no such document."""
        kinds = self._kinds(path)
        return fingerprint(kinds) if kinds else ""

    def document(self, path: str) -> bytes:
        """Return the document of a group and version such as `apis/apps/v1`."""
        kinds = self._kinds(path)
        found = self._documents.get(path)
        if found is None or found[0] != kinds:
            found = self._documents[path] = (kinds, self.hash(path), encode(document(kinds)))
        return found[2]

    def _paths(self) -> list[str]:
        found = {_path(kind) for kind in self._registry.kinds()}
        return sorted(found)

    def _kinds(self, path: str) -> tuple[Kind, ...]:
        root, *rest = path.split("/")
        group, version = ["", *rest][-2:] if root == "api" else [*rest, "", ""][:2]
        return self._registry.of_group(group, version) if len(rest) == (1 if root == "api" else 2) else ()


def fingerprint(kinds: Iterable[Kind]) -> str:
    """Return a hash over everything a document is made from."""
    content = [[kind.kind, kind.plural, sorted(kind.subresources), kind.schema.raw] for kind in kinds]
    return hashlib.sha512(encode(content)).hexdigest().upper()


def document(kinds: tuple[Kind, ...]) -> Json:
    """Return the OpenAPI document of the kinds of one group and version."""
    found: dict[str, Json] = {}
    for kind in kinds:
        found |= _schemas_of(kind)
    needed = [OBJECT_META, LIST_META, DELETE_OPTIONS, STATUS]
    for schema in tuple(found.values()):
        _collect(schema, needed)
    known = {_public(name): _published(schemas()[name]) for name in _closure(needed)}
    return {
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": "v1.36.3"},
        "paths": {path: item for kind in kinds for path, item in _paths_of(kind).items()},
        "components": {"schemas": {**known, **{name: _published(schema) for name, schema in found.items()}}},
    }


def schema_name(kind: Kind) -> str:
    """Return the name of a kind's schema."""
    if not kind.custom:
        return _public(f"{kind.group.partition('.')[0] or 'core'}.{kind.version}.{kind.kind}")
    return ".".join([*reversed(kind.group.split(".")), kind.version, kind.kind])


def _path(kind: Kind) -> str:
    return f"apis/{kind.group}/{kind.version}" if kind.group else f"api/{kind.version}"


def _public(message: str) -> str:
    package, _, rest = message.partition(".")
    return f"{PACKAGES.get(package, f'io.k8s.api.{package}')}.{rest}"


def _schemas_of(kind: Kind) -> Json:
    gvk = [{"group": kind.group, "version": kind.version, "kind": kind.kind}]
    raw = dict(kind.schema.raw)
    if kind.custom:
        meta = {"apiVersion": TEXT, "kind": TEXT, "metadata": {"$ref": OBJECT_META}}
        raw = {**raw, "properties": {**(raw.get("properties") or {}), **meta}}
    name = schema_name(kind)
    found = {name: {**raw, "x-kubernetes-group-version-kind": gvk}}
    if "list" in kind.verbs:
        found[f"{name}List"] = _list_of(kind, name)
    return found


def _list_of(kind: Kind, name: str) -> Json:
    properties = {
        "apiVersion": TEXT,
        "kind": TEXT,
        "metadata": {"$ref": LIST_META},
        "items": {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}},
    }
    gvk = [{"group": kind.group, "version": kind.version, "kind": f"{kind.kind}List"}]
    return {
        "type": "object", "required": ["items"], "properties": properties, "x-kubernetes-group-version-kind": gvk,
    }  # fmt: skip


def _collect(schema: Json, names: list[str]) -> None:
    """Append every message that a schema refers to."""
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            names.append(reference)
        for value in schema.values():
            _collect(value, names)
    elif isinstance(schema, list):
        for value in schema:
            _collect(value, names)


def _closure(names: list[str]) -> list[str]:
    """Return the messages and all those they need."""
    seen: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen and name in schemas():
            seen[name] = None
            _collect(schemas()[name], waiting)
    return sorted(seen)


def _published(schema: Json) -> Json:
    """Return a schema with its references in OpenAPI's form."""
    if isinstance(schema, Mapping):
        return {
            key: _reference(value) if key == "$ref" else _published(value) for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_published(value) for value in schema]
    return schema


def _reference(value: Json) -> Json:
    if not isinstance(value, str) or value.startswith("#"):
        return value
    return f"#/components/schemas/{_public(value)}"


def _paths_of(kind: Kind) -> Json:
    base = f"/{_path(kind)}"
    scoped = f"{base}/namespaces/{{namespace}}/{kind.plural}" if kind.namespaced else f"{base}/{kind.plural}"
    items = {scoped: _path_item(kind, COLLECTION, ("namespace",) * kind.namespaced)}
    if {"get", "delete"} & set(kind.verbs):
        items[f"{scoped}/{{name}}"] = _path_item(kind, ITEM, ("name", *("namespace",) * kind.namespaced))
    if kind.namespaced and "list" in kind.verbs:
        items[f"{base}/{kind.plural}"] = _path_item(kind, EVERYWHERE, ())
    for name in sorted(kind.subresources & {"status", "scale"}):
        items[f"{scoped}/{{name}}/{name}"] = _path_item(
            kind, SUBRESOURCE, ("name", *("namespace",) * kind.namespaced)
        )
    return items


def _path_item(kind: Kind, operations: Iterable[Operation], places: tuple[str, ...]) -> Json:
    served = {one.method: _operation(kind, one, places) for one in operations if one.verb in kind.verbs}
    where = [{"name": place, "in": "path", "required": True, "schema": TEXT} for place in places]
    return {**served, "parameters": [*where, _query("pretty")]}


def _operation(kind: Kind, one: Operation, places: tuple[str, ...]) -> Json:
    scope = "Namespaced" if "namespace" in places else ""
    group = "".join(part.capitalize() for part in (kind.group.partition(".")[0] or "core").split("-"))
    body = {"requestBody": {"content": _content(kind, one.body)}} if one.body else {}
    result = f"{schema_name(kind)}List" if one.verb == "list" else schema_name(kind)
    return {
        "description": f"{one.verb} {kind.kind}",
        "operationId": f"{one.verb}{group}{kind.version.capitalize()}{scope}{kind.kind}",
        "parameters": [_query(name) for name in one.query],
        **body,
        "responses": {"200": {"description": "OK", "content": _json(f"#/components/schemas/{result}")}},
        "tags": [f"{kind.group.partition('.')[0] or 'core'}_{kind.version}"],
        "x-kubernetes-action": one.action,
        "x-kubernetes-group-version-kind": {"group": kind.group, "version": kind.version, "kind": kind.kind},
    }


def _query(name: str) -> Json:
    return {"name": name, "in": "query", "schema": {**QUERY_TYPES[name], "uniqueItems": True}}


def _content(kind: Kind, body: str) -> Json:
    if body == "patch":
        types = PATCHES if kind.custom else (*PATCHES, STRATEGIC)
        return {f"application/{one}": {"schema": {"type": "object"}} for one in types}
    return _json(
        _reference(DELETE_OPTIONS) if body == "options" else f"#/components/schemas/{schema_name(kind)}"
    )


def _json(reference: str) -> Json:
    return {"application/json": {"schema": {"$ref": reference}}}
