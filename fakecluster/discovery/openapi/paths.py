"""The paths of a kind and their operations (FK-371, FK-372)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...api.kind import Kind
from ...base.json_types import Json
from ..subresources import subresource
from .connections import connections_of
from .names import group_title, path_of, public, schema_name, tag, version_title
from .operations import (
    COLLECTION_METHODS,
    DELETE_COLLECTION,
    ITEM_METHODS,
    LIST,
    LOG_PARAMETERS,
    OF_CUSTOM,
    SUBRESOURCE_METHODS,
    WATCH,
    WATCH_LIST,
    Method,
    Operation,
    PathItem,
)

STATUS, WATCH_EVENT = "meta.v1.Status", "meta.v1.WatchEvent"
LOG_MEDIA_TYPES = (
    "text/plain",
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
)
"""Media types of a log, which is text in all of them."""


def paths_of(kind: Kind) -> dict[str, PathItem]:
    """Return the paths of a kind."""
    base = f"/{path_of(kind.group, kind.version)}"
    inside = ("namespace",) * kind.namespaced
    scope = "/namespaces/{namespace}" if kind.namespaced else ""
    collection_path, scoped = f"{base}{scope}/{kind.plural}", "Namespaced" * kind.namespaced
    items = {collection_path: _item(kind, COLLECTION_METHODS, inside, scoped)}
    if "get" in kind.verbs:
        items[f"{collection_path}/{{name}}"] = _item(kind, ITEM_METHODS, ("name", *inside), scoped)
    if kind.namespaced and "list" in kind.verbs:
        items[f"{base}/{kind.plural}"] = _item(kind, (LIST,), (), "", "ForAllNamespaces")
    for name in sorted(kind.subresources):
        below = f"{collection_path}/{{name}}/{name}"
        items |= connections_of(kind, name, below, ("name", *inside), scoped) or {
            below: _below(kind, name, ("name", *inside), scoped)
        }
    # Definitions are younger than the old paths of watches.
    if not kind.custom:
        items |= _watches(kind, base, scope)
    # A kind without list or create has paths without any operation, which are not published.
    return {path: item for path, item in items.items() if item.operations}


def _watches(kind: Kind, base: str, scope: str) -> dict[str, PathItem]:
    """Return the old paths of watches."""
    inside, scoped = ("namespace",) * kind.namespaced, "Namespaced" * kind.namespaced
    all_namespaces_path, collection_path = f"{base}/watch/{kind.plural}", f"{base}/watch{scope}/{kind.plural}"
    return {
        all_namespaces_path: _item(kind, (WATCH_LIST,), (), "", "ListForAllNamespaces"),
        collection_path: _item(kind, (WATCH_LIST,), inside, scoped, "List"),
        f"{collection_path}/{{name}}": _item(kind, (WATCH,), ("name", *inside), scoped),
    }


def _item(
    kind: Kind, methods: Iterable[Method], places: tuple[str, ...], scope: str, end: str = ""
) -> PathItem:
    return PathItem(
        places, tuple(_of_kind(kind, method, scope, end) for method in methods if method.verb in kind.verbs)
    )


def _fitting(kind: Kind, method: Method) -> Method:
    return replace(method, **OF_CUSTOM.get(method, {})) if kind.custom else method


def _of_kind(kind: Kind, method: Method, scope: str, end: str) -> Operation:
    many = "Collection" if method is DELETE_COLLECTION else ""
    method = _fitting(kind, method)
    name = schema_name(kind)
    status = name if kind.strategy.returns_deleted and method.action == "delete" else public(STATUS)
    result = {"list": f"{name}List", "status": status, "event": public(WATCH_EVENT)}
    return Operation(
        method=method,
        id=_id(kind, method, f"{many}{scope}{kind.kind}{end}"),
        description=method.says.format(kind.kind),
        tag=tag(kind.group, kind.version),
        gvk=_gvk(kind.group, kind.version, kind.kind),
        result=result.get(method.result, name),
        body=name if method.body == "object" else method.body,
        custom=kind.custom,
    )


def _below(kind: Kind, name: str, places: tuple[str, ...], scope: str) -> PathItem:
    """Return a subresource's path."""
    (group, version, shown), verbs = subresource(kind, name)
    group, version = (group, version) if version else (kind.group, kind.version)
    schema = (
        schema_name(kind)
        if shown == kind.kind
        else public(f"{group.partition('.')[0] or 'core'}.{version}.{shown}")
    )
    end = f"{scope}{kind.kind}{name[:1].upper()}{name[1:]}"
    operations = tuple(
        Operation(
            method=_fitting(kind, method),
            id=_id(kind, method, end),
            tag=tag(kind.group, kind.version),
            description=method.says.replace("the specified", f"{name} of the specified").format(kind.kind),
            gvk=_gvk(kind.group, kind.version, kind.kind) if kind.custom else _gvk(group, version, shown),
            result=schema,
            body=schema if method.body == "object" else method.body,
            custom=kind.custom,
        )
        for method in SUBRESOURCE_METHODS
        if method.verb in verbs
    )
    if name == "log":
        operations = tuple(_logging(operation) for operation in operations)
    return PathItem(places, operations)


def _logging(operation: Operation) -> Operation:
    return replace(
        operation, method=replace(operation.method, query=LOG_PARAMETERS), result="", text=LOG_MEDIA_TYPES
    )


def _gvk(group: str, version: str, kind: str) -> Json:
    return {"group": group, "version": version, "kind": kind}


def _id(kind: Kind, method: Method, end: str) -> str:
    return f"{method.word}{group_title(kind.group)}{version_title(kind.version)}{end}"
