"""Which operations a kind has, as data: paths, methods, ids, parameters, bodies, results (FK-371, FK-372).

kubectl decides by the query parameters of PATCH whether validation may be left to the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...api.kind import Kind
from ..subresources import subresource
from .names import group_title, path_of, public, schema_name, tag

Json = Any
TEXT, NUMBER, SWITCH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
QUERY: Mapping[str, tuple[Json, str]] = {
    "allowWatchBookmarks": (SWITCH, "Send BOOKMARK events too."),
    "continue": (TEXT, "Where the page before this one ended."),
    "dryRun": (TEXT, "`All`: go through everything, but write nothing."),
    "fieldManager": (TEXT, "Who the written fields belong to."),
    "fieldSelector": (TEXT, "Only objects with these field values."),
    "fieldValidation": (TEXT, "What to do with unknown fields: Ignore, Warn or Strict."),
    "force": (SWITCH, "Take fields over from other managers; for apply only."),
    "gracePeriodSeconds": (NUMBER, "How long the object may take to end."),
    "ignoreStoreReadErrorWithClusterBreakingPotential": (SWITCH, "Delete an object that cannot be read."),
    "labelSelector": (TEXT, "Only objects with these labels."),
    "limit": (NUMBER, "The size of a page."),
    "orphanDependents": (SWITCH, "Keep the dependents; replaced by propagationPolicy."),
    "pretty": (TEXT, "Indent the answer."),
    "propagationPolicy": (TEXT, "What becomes of dependents: Orphan, Background or Foreground."),
    "resourceVersion": (TEXT, "Which state to show or to start from."),
    "resourceVersionMatch": (TEXT, "How resourceVersion is meant: Exact or NotOlderThan."),
    "sendInitialEvents": (SWITCH, "Begin a watch with what is there."),
    "shardSelector": (TEXT, "Only this share of the objects."),
    "timeoutSeconds": (NUMBER, "How long the call may last."),
    "watch": (SWITCH, "Stream changes instead of listing."),
}  # fmt: skip
PLACES: Mapping[str, str] = {"name": "Name of the object.", "namespace": "Namespace of the object."}
WRITE = ("dryRun", "fieldManager", "fieldValidation")
REMOVAL = ("gracePeriodSeconds", "ignoreStoreReadErrorWithClusterBreakingPotential", "orphanDependents",
           "propagationPolicy")  # fmt: skip
LIST = ("allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion",
        "resourceVersionMatch", "sendInitialEvents", "shardSelector", "timeoutSeconds", "watch")  # fmt: skip
SWEEP = tuple(name for name in LIST if name not in {"allowWatchBookmarks", "watch"})
STATUS = "meta.v1.Status"


class Method(Struct, frozen=True):
    """One method of a path: the verb it needs, how ids and descriptions say it, what goes in and what comes
    out.
    """

    method: str
    verb: str
    word: str
    action: str
    says: str
    query: tuple[str, ...] = ()
    body: str = ""
    result: str = "object"
    codes: tuple[int, ...] = (200,)


READ = Method("get", "get", "read", "get", "read the specified {0}")
REPLACE = Method(
    "put", "update", "replace", "put", "replace the specified {0}", WRITE, "object", "object", (200, 201)
)
PATCH = Method("patch", "patch", "patch", "patch", "partially update the specified {0}", (*WRITE, "force"), "patch",
               "object", (200, 201))  # fmt: skip
DELETE = Method("delete", "delete", "delete", "delete", "delete a {0}", ("dryRun", *REMOVAL), "options", "status",
                (200, 202))  # fmt: skip
LISTING = Method("get", "list", "list", "list", "list or watch objects of kind {0}", LIST, "", "list")
CREATE = Method(
    "post", "create", "create", "post", "create a {0}", WRITE, "object", "object", (200, 201, 202)
)
SWEEPING = Method("delete", "deletecollection", "delete", "deletecollection", "delete collection of {0}",
                  (*SWEEP, "dryRun", *REMOVAL), "options", "status")  # fmt: skip
WATCHING = Method("get", "watch", "watch", "watchlist", "watch changes of a list of {0}; better list with `watch`",
                  LIST, "", "event")  # fmt: skip
FOLLOWING = replace(WATCHING, action="watch", says="watch changes of one {0}; better list with `watch`")
ITEM = (READ, REPLACE, PATCH, DELETE)
COLLECTION = (LISTING, CREATE, SWEEPING)
BELOW = (READ, REPLACE, PATCH, CREATE)
OF_CUSTOM: Mapping[Method, Mapping[str, Any]] = {
    READ: {"query": ("resourceVersion",)},
    PATCH: {"codes": (200,)},
    SWEEPING: {"query": LIST, "body": ""},
    LISTING: {"says": "list objects of kind {0}"},
}
"""Where the operations of custom resources are described otherwise."""


class Operation(Struct, frozen=True, kw_only=True):
    """One method of one path, ready to be written in either version of OpenAPI; `body` and `result` name
    schemas.
    """

    method: Method
    id: str
    description: str
    tag: str
    gvk: Json
    result: str
    body: str = ""
    custom: bool = False


class PathItem(Struct, frozen=True):
    """A path with the parameters of its places and its operations."""

    places: tuple[str, ...]
    operations: tuple[Operation, ...]

    @property
    def shared(self) -> tuple[str, ...]:
        """The query parameters that every operation has: they are said once, beside the places."""
        first, *others = (one.method.query for one in self.operations)
        return tuple(sorted(name for name in first if all(name in other for other in others)))

    def own(self, one: Operation) -> tuple[str, ...]:
        """Return the query parameters of an operation that others of the path do not have."""
        return tuple(sorted(name for name in one.method.query if name not in self.shared))


def paths_of(kind: Kind) -> dict[str, PathItem]:
    """Return the paths of a kind."""
    base = f"/{path_of(kind.group, kind.version)}"
    inside = ("namespace",) * kind.namespaced
    scope = "/namespaces/{namespace}" if kind.namespaced else ""
    here, scoped = f"{base}{scope}/{kind.plural}", "Namespaced" * kind.namespaced
    found = {here: _item(kind, COLLECTION, inside, scoped)}
    if "get" in kind.verbs:
        found[f"{here}/{{name}}"] = _item(kind, ITEM, ("name", *inside), scoped)
    if kind.namespaced and "list" in kind.verbs:
        found[f"{base}/{kind.plural}"] = _item(kind, (LISTING,), (), "", "ForAllNamespaces")
    for name in sorted(kind.subresources):
        found[f"{here}/{{name}}/{name}"] = _below(kind, name, ("name", *inside), scoped)
    if not kind.custom:
        found |= _watches(kind, base, scope)
    return {path: item for path, item in found.items() if item.operations}


def _watches(kind: Kind, base: str, scope: str) -> dict[str, PathItem]:
    """Return the old paths of watches."""
    inside, scoped = ("namespace",) * kind.namespaced, "Namespaced" * kind.namespaced
    everywhere, here = f"{base}/watch/{kind.plural}", f"{base}/watch{scope}/{kind.plural}"
    return {
        everywhere: _item(kind, (WATCHING,), (), "", "ListForAllNamespaces"),
        here: _item(kind, (WATCHING,), inside, scoped, "List"),
        f"{here}/{{name}}": _item(kind, (FOLLOWING,), ("name", *inside), scoped),
    }


def _item(
    kind: Kind, methods: Iterable[Method], places: tuple[str, ...], scope: str, end: str = ""
) -> PathItem:
    return PathItem(
        places, tuple(_of_kind(kind, one, scope, end) for one in methods if one.verb in kind.verbs)
    )


def _fitting(kind: Kind, method: Method) -> Method:
    return replace(method, **OF_CUSTOM.get(method, {})) if kind.custom else method


def _of_kind(kind: Kind, method: Method, scope: str, end: str) -> Operation:
    many = "Collection" if method is SWEEPING else ""
    method = _fitting(kind, method)
    name = schema_name(kind)
    status = name if kind.strategy.returns_deleted and method.action == "delete" else public(STATUS)
    result = {"list": f"{name}List", "status": status, "event": public("meta.v1.WatchEvent")}
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
    """Return a subresource's path; what connects to a container has none."""
    (group, version, shown), verbs = subresource(kind, name)
    group, version = (group, version) if version else (kind.group, kind.version)
    known = shown == kind.kind or not shown.endswith("Options")
    schema = (
        schema_name(kind)
        if shown == kind.kind
        else public(f"{group.partition('.')[0] or 'core'}.{version}.{shown}")
    )
    end = f"{scope}{kind.kind}{name[:1].upper()}{name[1:]}"
    found = tuple(
        Operation(
            method=_fitting(kind, one), id=_id(kind, one, end), tag=tag(kind.group, kind.version),
            description=one.says.replace("the specified", f"{name} of the specified").format(kind.kind),
            gvk=_gvk(kind.group, kind.version, kind.kind) if kind.custom else _gvk(group, version, shown),
            result=schema, body=schema if one.body == "object" else one.body, custom=kind.custom,
        )
        for one in BELOW if known and one.verb in verbs
    )  # fmt: skip
    return PathItem(places, found)


def _gvk(group: str, version: str, kind: str) -> Json:
    return {"group": group, "version": version, "kind": kind}


def _id(kind: Kind, method: Method, end: str) -> str:
    version = kind.version[:1].upper() + kind.version[1:]
    return f"{method.word}{group_title(kind.group)}{version}{end}"
