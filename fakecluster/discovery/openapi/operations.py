"""What operations consist of, as data: methods, parameters, bodies, results (FK-371, FK-372)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json

WRITE_PARAMETERS = ("dryRun", "fieldManager", "fieldValidation")
DELETE_PARAMETERS = (
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "propagationPolicy",
)
LIST_PARAMETERS = (
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "shardSelector",
    "timeoutSeconds",
    "watch",
)
# A deletion of a collection selects like a list, and streams nothing.
DELETE_COLLECTION_PARAMETERS = tuple(
    name for name in LIST_PARAMETERS if name not in {"allowWatchBookmarks", "watch"}
)
LOG_PARAMETERS = (
    "log.container",
    "follow",
    "insecureSkipTLSVerifyBackend",
    "limitBytes",
    "previous",
    "sinceSeconds",
    "stream",
    "tailLines",
    "timestamps",
)


class Method(Struct, frozen=True):
    """One method of a path: the verb it needs,
    how ids and descriptions say it, what goes in and what comes out.
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


GET = Method("get", "get", "read", "get", "read the specified {0}")
REPLACE = Method(
    "put",
    "update",
    "replace",
    "put",
    "replace the specified {0}",
    WRITE_PARAMETERS,
    "object",
    "object",
    (200, 201),
)
PATCH = Method(
    "patch",
    "patch",
    "patch",
    "patch",
    "partially update the specified {0}",
    ("dryRun", "patch.fieldManager", "fieldValidation", "force"),
    "patch",
    "object",
    (200, 201),
)
DELETE = Method(
    "delete",
    "delete",
    "delete",
    "delete",
    "delete a {0}",
    ("dryRun", *DELETE_PARAMETERS),
    "options",
    "status",
    (200, 202),
)
LIST = Method("get", "list", "list", "list", "list or watch objects of kind {0}", LIST_PARAMETERS, "", "list")
CREATE = Method(
    "post", "create", "create", "post", "create a {0}", WRITE_PARAMETERS, "object", "object", (200, 201, 202)
)
DELETE_COLLECTION = Method(
    "delete",
    "deletecollection",
    "delete",
    "deletecollection",
    "delete collection of {0}",
    (*DELETE_COLLECTION_PARAMETERS, "dryRun", *DELETE_PARAMETERS),
    "options",
    "status",
)
WATCH_LIST = Method(
    "get",
    "watch",
    "watch",
    "watchlist",
    "watch changes of a list of {0}; better list with `watch`",
    LIST_PARAMETERS,
    "",
    "event",
)
WATCH = replace(WATCH_LIST, action="watch", says="watch changes of one {0}; better list with `watch`")
ITEM_METHODS = (GET, REPLACE, PATCH, DELETE)
COLLECTION_METHODS = (LIST, CREATE, DELETE_COLLECTION)
SUBRESOURCE_METHODS = (GET, REPLACE, PATCH, CREATE)
OF_CUSTOM: Mapping[Method, Mapping[str, Any]] = {
    GET: {"query": ("resourceVersion",)},
    PATCH: {"codes": (200,)},
    DELETE_COLLECTION: {"query": LIST_PARAMETERS, "body": ""},
    LIST: {"says": "list objects of kind {0}"},
}
"""Where the operations of custom resources are described otherwise."""


class Operation(Struct, frozen=True, kw_only=True):
    """One method of one path, ready to be written in either version of OpenAPI; `body` and `result` name
    schemas. Where the answer is no object, `text` are the media types of it.
    """

    method: Method
    id: str
    description: str
    tag: str
    gvk: Json
    result: str = ""
    body: str = ""
    custom: bool = False
    text: tuple[str, ...] = ()


class PathItem(Struct, frozen=True):
    """A path with the parameters of its places and its operations."""

    path_parameters: tuple[str, ...]
    operations: tuple[Operation, ...]
    pretty: bool = True

    @property
    def shared_query(self) -> tuple[str, ...]:
        """The query parameters that every operation has: they are said once, beside the places."""
        first, *other_queries = (operation.method.query for operation in self.operations)
        common = [name for name in first if all(name in query for query in other_queries)]
        return (*common, "pretty") if self.pretty else tuple(common)

    def own(self, operation: Operation) -> tuple[str, ...]:
        """Return the query parameters of an operation that others of the path do not have."""
        return tuple(name for name in operation.method.query if name not in self.shared_query)
