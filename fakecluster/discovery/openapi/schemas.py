"""Schemas as OpenAPI publishes them: those of kinds and their lists, of custom resources,
and every built-in message they need (FK-371).

Version 2 knows fewer words, and what it cannot say is left open; it also names groups that
are not served (FK-374).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial

from ...api.kind import Kind
from ...base.json_types import Json
from ...gotypes.types import message_of, schemas
from .builtin import NUMBER_OR_TEXT, message_schema
from .meta import Page
from .names import public, schema_name
from .operations import PathItem

LIST_META, RAW = "meta.v1.ListMeta", "runtime.RawExtension"
PATCH, WATCH_EVENT = "meta.v1.Patch", "meta.v1.WatchEvent"
KINDS_OF_EVERY_GROUP = {"meta.v1.DeleteOptions": "DeleteOptions", WATCH_EVENT: "WatchEvent"}
"""Messages that are kinds of every group and version."""
OBJECTS: Mapping[str, tuple[str, str, str]] = {
    "authentication.v1.TokenRequest": ("authentication.k8s.io", "v1", "TokenRequest"),
    "autoscaling.v1.Scale": ("autoscaling", "v1", "Scale"),
    "core.v1.PersistentVolumeClaim": ("", "v1", "PersistentVolumeClaim"),
    "policy.v1.Eviction": ("policy", "v1", "Eviction"),
    **{
        f"meta.v1.{kind}": ("", "v1", kind)
        for kind in ("APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status")
    },
}
"""Messages that are kinds beside those of their document."""
SCHEMA_NAME = "name of a published schema"
"""Stands where `$ref` would name a message."""
_VERSIONS: Mapping[str, tuple[str, ...]] = {
    "": ("v1",),
    "admission.k8s.io": ("v1", "v1beta1"),
    "admissionregistration.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "apiextensions.k8s.io": ("v1", "v1beta1"),
    "apiregistration.k8s.io": ("v1", "v1beta1"),
    "apps": ("v1", "v1beta1", "v1beta2"),
    "authentication.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "authorization.k8s.io": ("v1", "v1beta1"),
    "autoscaling": ("v1", "v2"),
    "batch": ("v1", "v1beta1"),
    "certificates.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "coordination.k8s.io": ("v1", "v1alpha2", "v1beta1"),
    "discovery.k8s.io": ("v1", "v1beta1"),
    "events.k8s.io": ("v1", "v1beta1"),
    "extensions": ("v1beta1",),
    "flowcontrol.apiserver.k8s.io": ("v1", "v1beta1", "v1beta2", "v1beta3"),
    "imagepolicy.k8s.io": ("v1alpha1",),
    "internal.apiserver.k8s.io": ("v1alpha1",),
    "networking.k8s.io": ("v1", "v1beta1"),
    "node.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "policy": ("v1", "v1beta1"),
    "rbac.authorization.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "resource.k8s.io": ("v1", "v1alpha3", "v1beta1", "v1beta2"),
    "scheduling.k8s.io": ("v1", "v1alpha2", "v1beta1"),
    "storage.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "storagemigration.k8s.io": ("v1beta1",),
}
UNKNOWN_TO_CLIENTS = (
    "admission.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "imagepolicy.k8s.io",
)
GROUP_VERSIONS = tuple((group, version) for group, versions in _VERSIONS.items() for version in versions)
CLIENT_GROUP_VERSIONS = tuple(pair for pair in GROUP_VERSIONS if pair[0] not in UNKNOWN_TO_CLIENTS)
"""Those that documents of custom resources name."""
TEXT = {"type": "string"}
OBJECT_META = {"$ref": "meta.v1.ObjectMeta"}
OBJECT_FIELDS = {"apiVersion": TEXT, "kind": TEXT, "metadata": {"allOf": [OBJECT_META]}}
UNKNOWN_TO_V2 = ("anyOf", "allOf", "oneOf", "not", "default", "nullable")
UNCHECKED_KEYWORDS = ("type", "properties", "items", "additionalProperties", "required")


def schema_names(items: Iterable[PathItem], pages: Iterable[Page]) -> set[str]:
    """Return the published schemas that operations and pages name."""
    bodies = {"": "", "patch": public(PATCH), "options": public("meta.v1.DeleteOptions")}
    operations = [operation for item in items for operation in item.operations]
    return {
        *(operation.result for operation in operations),
        *(bodies.get(operation.body, operation.body) for operation in operations),
        *(public(page.result) for page in pages if page.result),
    } - {""}


def collect(kinds: Iterable[Kind], roots: Iterable[str], prefix: str, *, simple: bool) -> dict[str, Json]:
    """Return the published schemas that `roots` name and all that they refer to, with references that begin
    with `prefix`; `simple` is the form of version 2.
    """
    rows = tuple(kinds)
    own, versions = _of_kinds(rows, simple=simple), GROUP_VERSIONS if simple else _versions(rows)
    published: dict[str, Json] = {}
    unvisited = list(roots)
    # Only what is referred to is published: a group's document does not name the types of all others.
    while unvisited:
        name = unvisited.pop()
        if name not in published:
            make = own.get(name) or partial(_of_message, _messages()[name], versions, simple=simple)
            published[name] = with_published_references(make(), prefix)
            _collect(published[name], lambda reference: unvisited.append(reference.removeprefix(prefix)))
    return dict(sorted(published.items()))


@cache
def _messages() -> Mapping[str, str]:
    """Return the messages by their published names."""
    return {public(name): name for name in (*schemas(), PATCH, WATCH_EVENT)}


def _of_kinds(kinds: Iterable[Kind], *, simple: bool) -> dict[str, Callable[[], Json]]:
    """Return what makes the schemas of kinds and their lists, by published name."""
    makers: dict[str, Callable[[], Json]] = {}
    for kind in kinds:
        name = schema_name(kind)
        makers[name] = partial(_of_kind, kind, simple=simple)
        makers[f"{name}List"] = partial(_of_list, kind, name, simple=simple)
    return makers


def _versions(kinds: Iterable[Kind]) -> tuple[tuple[str, str], ...]:
    """Return the groups and versions whose options and events the document of these kinds means."""
    # Documents of definitions are made with the scheme of client-go.
    if all(kind.custom for kind in kinds):
        return CLIENT_GROUP_VERSIONS
    return tuple(sorted({("", "v1"), *((kind.group, kind.version) for kind in kinds)}))


def _of_message(name: str, versions: Iterable[tuple[str, str]], *, simple: bool) -> Json:
    if name == PATCH:
        return {"description": "A patch of any of the forms.", "type": "object"}
    schema = _watch_event(simple=simple) if name == WATCH_EVENT else message_schema(name, simple=simple)
    if name in KINDS_OF_EVERY_GROUP:
        marks = [(group, version, KINDS_OF_EVERY_GROUP[name]) for group, version in versions]
        return {**schema, **_kind_extension(*marks)}
    return {**schema, **(_kind_extension(OBJECTS[name]) if name in OBJECTS else {})}


def _watch_event(*, simple: bool) -> Json:
    kind = TEXT if simple else {**TEXT, "default": ""}
    raw = {"$ref": RAW} if simple else {"allOf": [{"$ref": RAW}]}
    return {
        "description": "An event of a watch.",
        "type": "object",
        "required": ["type", "object"],
        "properties": {"type": kind, "object": raw},
    }


def _of_kind(kind: Kind, *, simple: bool) -> Json:
    if kind.custom:
        schema = custom_schema(kind.schema.structural.raw, simple=simple)
    else:
        schema = message_schema(message_of(kind), simple=simple)
    says = {} if schema.get("description") else {"description": f"{kind.kind} of {kind.api_version}."}
    return {**says, **schema, **_kind_extension((kind.group, kind.version, kind.kind)), **_selectable(kind)}


def _selectable(kind: Kind) -> Json:
    if not kind.custom or not kind.presentation.selectable:
        return {}
    return {"x-kubernetes-selectable-fields": [{"fieldPath": path} for path in kind.presentation.selectable]}


def _of_list(kind: Kind, name: str, *, simple: bool) -> Json:
    empty: Json = {} if kind.custom else {"default": {}}
    item = {SCHEMA_NAME: name} if simple or kind.custom else {"allOf": [{SCHEMA_NAME: name}], **empty}
    return {
        "description": f"{kind.kind}List is a list of {kind.kind}",
        "type": "object",
        "required": ["items"],
        "properties": {
            "apiVersion": TEXT,
            "kind": TEXT,
            "metadata": {"$ref": LIST_META} if simple else {"allOf": [{"$ref": LIST_META}], **empty},
            "items": {"type": "array", "items": item},
        },
        **_kind_extension((kind.group, kind.version, f"{kind.kind}List")),
        **_selectable(kind),
    }


def _kind_extension(*kinds: tuple[str, str, str]) -> Json:
    marks = [{"group": group, "version": version, "kind": kind} for group, version, kind in kinds]
    return {"x-kubernetes-group-version-kind": marks}


def with_published_references(schema: Json, prefix: str) -> Json:
    """Return a schema whose references name published schemas."""
    if isinstance(schema, list):
        return [with_published_references(item, prefix) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    if SCHEMA_NAME in schema:
        return {"$ref": f"{prefix}{schema[SCHEMA_NAME]}"}
    return {
        key: f"{prefix}{public(value)}"
        if key == "$ref" and isinstance(value, str)
        else with_published_references(value, prefix)
        for key, value in schema.items()
    }


def _collect(schema: Json, add: Callable[[str], None]) -> None:
    """Report every schema that a schema refers to."""
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            add(reference)
        for value in schema.values():
            _collect(value, add)
    elif isinstance(schema, list):
        for value in schema:
            _collect(value, add)


def custom_schema(structural: Json, *, simple: bool) -> Json:
    """Return the schema of a custom resource; `simple` is the form of version 2."""
    if simple and structural.get("x-kubernetes-preserve-unknown-fields"):
        return {"type": "object"}  # with members, kubectl would refuse all others
    raw = (simplify if simple else complete)(structural)
    meta = {**OBJECT_FIELDS, "metadata": OBJECT_META} if simple else OBJECT_FIELDS
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
        schema_out["properties"] = {**(schema_out.get("properties") or {}), **OBJECT_FIELDS}
    return {key: _inside(key, value, complete) for key, value in schema_out.items()}


def simplify(schema: Json) -> Json:
    """Return a structural schema in the words of version 2: what it cannot say is left open."""
    simple_schema = dict(schema)
    open_ended = simple_schema.get("x-kubernetes-preserve-unknown-fields") or simple_schema.get("nullable")
    # kubectl validates against version 2 as a closed schema, so what it cannot say is left open.
    for word in (*UNKNOWN_TO_V2, *(UNCHECKED_KEYWORDS if open_ended else ())):
        simple_schema.pop(word, None)
    if simple_schema.get("x-kubernetes-int-or-string"):
        simple_schema.pop("type", None)
    return {key: _inside(key, value, simplify) for key, value in simple_schema.items()}


def _inside(key: str, value: Json, change: Callable[[Json], Json]) -> Json:
    """Return a member of a schema whose own schemas are changed."""
    if key == "properties":
        return {name: change(child) for name, child in value.items()}
    return change(value) if key in {"items", "additionalProperties"} and isinstance(value, Mapping) else value
