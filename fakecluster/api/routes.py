"""What a path and a method ask for: one parse that verbs,
authorization and the journal share (FK-001…FK-003).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from ..base.caching import MAX_CACHED_CHARACTERS

VERBS = {"GET": "get", "HEAD": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
NAMESPACE_SUBRESOURCES = frozenset({"status", "finalize"})
SPECIAL_VERBS = frozenset({"proxy", "watch"})
"""Verbs that a path may begin with in place of a method's."""
NO_SUBRESOURCES = frozenset({"proxy"})
FALSE_WORDS = frozenset({"false", "0"})


PARAMETERS = 32
"""Parameters of a query that is remembered."""


class RequestInfo(Struct, frozen=True, kw_only=True):
    """Who is asked to do what: `verb` as authorization names it;
    a path outside of resources has only verb and path.
    """

    verb: str
    path: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    is_resource: bool = False
    verb_in_path: bool = False
    """Whether the path says the verb, as `/api/v1/watch/pods` does."""
    incomplete: bool = False
    """Whether the path ends behind such a verb, so that nothing can be told from it."""
    rest: tuple[str, ...] = ()
    """Path segments behind the subresource."""


def parse(method: str, path: str, query: Sequence[tuple[str, str]] = ()) -> RequestInfo:
    """Read a request line; never fails, since any path is at least a non-resource path."""
    parsed = _remembered if len(path) <= MAX_CACHED_CHARACTERS and _short(query) else _parse
    return parsed(method, path, tuple(query))


def _short(query: Sequence[tuple[str, str]]) -> bool:
    """Whether a query is short enough to be cached: clients may send a megabyte of them."""
    if len(query) > PARAMETERS:
        return False
    remaining = MAX_CACHED_CHARACTERS
    for name, value in query:
        remaining -= len(name) + len(value)
    return remaining >= 0


def _parse(method: str, path: str, query: tuple[tuple[str, str], ...]) -> RequestInfo:
    # Go decodes a path as a whole, so that an encoded slash separates segments as well.
    segments = unquote(path).strip("/").split("/") if path.strip("/") else []
    info = _prefix(segments, RequestInfo(verb=method.lower(), path=path))
    if not info.is_resource:
        return info
    rest = segments[2:] if segments[0] == "api" else segments[3:]
    if rest[0] in SPECIAL_VERBS:
        info = replace(info, verb=rest[0], verb_in_path=True, incomplete=len(rest) == 1)
        return info if info.incomplete else _resource(rest[1:], info)
    info = _resource(rest, replace(info, verb=VERBS.get(method, "")))
    return replace(info, verb=_collection_verb(info, query))


# Authorization, verbs and the journal ask for the same line; clients repeat theirs.
_remembered = lru_cache(maxsize=1024)(_parse)


def flag(value: str | None) -> bool:
    """Read a boolean option: anything but `false` and `0` is true, in any case (FK-028)."""
    return value is not None and value.lower() not in FALSE_WORDS


def _prefix(segments: list[str], info: RequestInfo) -> RequestInfo:
    if len(segments) >= 3 and segments[0] == "api":
        return replace(info, version=segments[1], is_resource=True)
    if len(segments) >= 4 and segments[0] == "apis":
        return replace(info, group=segments[1], version=segments[2], is_resource=True)
    return info


def _resource(rest: list[str], info: RequestInfo) -> RequestInfo:
    namespace = ""
    if rest[0] == "namespaces" and len(rest) > 1:
        namespace = rest[1]
        if len(rest) > 2 and rest[2] not in NAMESPACE_SUBRESOURCES:
            rest = rest[2:]
    resource, name, subresource = [*rest[:3], "", ""][:3]
    subresource = "" if info.verb in NO_SUBRESOURCES else subresource
    return replace(
        info, namespace=namespace, resource=resource, name=name, subresource=subresource, rest=tuple(rest[3:])
    )


def _collection_verb(info: RequestInfo, query: Sequence[tuple[str, str]]) -> str:
    if info.name:
        return info.verb
    if info.verb == "get":
        watching = next((value for key, value in query if key == "watch"), None)
        return "watch" if flag(watching) else "list"
    return "deletecollection" if info.verb == "delete" else info.verb
