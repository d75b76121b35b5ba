"""From a parsed path to a kind and a verb, and the refusals
of other paths (FK-001, FK-004, FK-005, FK-082, FK-279).

Built-in groups answer with a Status where a custom group answers in plain text, and refuse a method where a
custom one reads the request differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from urllib.parse import quote, urlencode

from ..api import status
from ..api.context import Context
from ..api.kind import Kind
from ..api.outcome import Request
from ..api.routes import RequestInfo
from ..meta import names
from ..schema.fields import go_quote
from .action import Verb
from .verbs import dispatch as verbs
from .verbs.patches import patching

Subresources = Mapping[tuple[str, str, str], Verb]
"""Who answers for a subresource that is not like the others, by group, plural and subresource."""
NO_SUBRESOURCES: Subresources = MappingProxyType({})
NO_GROUP = "/apis//"
"""How a path begins that names no group, not even one of the server itself."""
GET_PUT_PATCH = ("GET", "PUT", "PATCH")
SUBRESOURCE_METHODS = {
    "status": GET_PUT_PATCH,
    "scale": GET_PUT_PATCH,
    "ephemeralcontainers": GET_PUT_PATCH,
    "resize": GET_PUT_PATCH,
    "approval": GET_PUT_PATCH,
    "finalize": ("PUT",),
    "binding": ("POST",),
    "eviction": ("POST",),
    "token": ("POST",),
    "log": ("GET",),
    "attach": ("GET", "POST"),
    "exec": ("GET", "POST"),
    "portforward": ("GET", "POST"),
}
PROXY = "proxy"
"""The subresource that passes everything on: any method, any path below it."""
ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
COLLECTION_VERBS = {"GET": "list", "POST": "create", "DELETE": "deletecollection"}
ITEM_VERBS = {"GET": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
NOT_ON_SUBRESOURCE = {"POST": "create", "DELETE": "delete"}


def resolve(
    api: Context, subresources: Subresources, request: Request, info: RequestInfo
) -> tuple[Kind, Verb]:
    """Return the kind and the verb of a request. Raises PlainError, 404, 405, or 400 for a missing name."""
    if request.path.startswith("//"):
        raise status.PlainError
    kind = api.registry.find(info.group, info.version, info.resource) if info.is_resource else None
    if kind is None:
        raise _route_error(api, info, request.path)
    if kind.custom:
        _check_custom(kind, request, info)
    else:
        _check_builtin(kind, request.method, info)
    _check_segment(info.name)
    return kind, _verb(subresources, kind, info)


def check_complete(request: Request, info: RequestInfo) -> None:
    """Check that a path does not end behind the verb that it begins with. Raises PlainError."""
    if info.incomplete:
        query = urlencode(request.query, quote_via=quote)
        url = f"{request.path}?{query}" if query else request.path
        why = f"unable to determine kind and namespace from url, {url}"
        text = f"Internal Server Error: {go_quote(url)}: failed to create RequestInfo: {why}\n"
        # Go's responsewriters.InternalError escapes its text for HTML.
        raise status.PlainError(500, escape(text, quote=False))


def _check_segment(name: str) -> None:
    """Refuse a name that a path cannot carry (FK-071)."""
    if name and (problems := names.path_problems(name)):
        raise status.bad_request(f"Name parameter invalid: {go_quote(name)}: {', '.join(problems)}")


def _route_error(api: Context, info: RequestInfo, path: str) -> Exception:
    if path.startswith(NO_GROUP):
        return status.PlainError()
    segments = path.strip("/").split("/")
    group = (
        "" if segments[0] == "api" else segments[1] if segments[0] == "apis" and len(segments) > 2 else None
    )
    is_api_path = info.is_resource or (group is not None and len(segments) > 1)
    # Only groups of the server itself have routes that answer 404 with a Status; others are left to plain
    # text.
    if is_api_path and group is not None and api.registry.is_builtin(group):
        return status.no_route()
    return status.PlainError()


def _verb(subresources: Subresources, kind: Kind, info: RequestInfo) -> Verb:
    special = subresources.get((kind.group, kind.plural, info.subresource))
    if special is not None:
        return special
    # A subresource of a collection: the route exists for names only.
    if info.subresource and not info.name:
        raise status.bad_request("name must be provided")
    if info.subresource:
        return verbs.SUBRESOURCES[info.subresource, info.verb]
    return verbs.VERBS[info.verb]


def _has_wrong_scope(kind: Kind, info: RequestInfo) -> bool:
    """Whether the scope of the path is not the kind's."""
    # The namespace itself is on the path of a namespace, which has no namespace.
    inside = bool(info.namespace) and info.resource != "namespaces"
    if kind.namespaced:
        return not inside and bool(info.name)
    return inside


def _check_builtin(kind: Kind, method: str, info: RequestInfo) -> None:
    allowed = _builtin_methods(kind, info)
    if not allowed or (info.rest and info.subresource != PROXY):
        raise status.no_route()
    if method not in allowed and info.subresource != PROXY:
        raise status.method_not_allowed()


def _builtin_methods(kind: Kind, info: RequestInfo) -> tuple[str, ...]:
    """Return the methods the path knows; none when it does not exist."""
    if _has_wrong_scope(kind, info) or info.verb == "proxy":
        return ()
    # `/watch/` in the path is the old form, known for kinds that can be watched.
    if info.verb == "watch" and "watch" in kind.verbs:
        return () if info.subresource else ("GET",)
    if info.subresource:
        return (
            SUBRESOURCE_METHODS.get(info.subresource, ALL_METHODS)
            if info.subresource in kind.subresources
            else ()
        )
    if info.name:
        return tuple(method for method, verb in ITEM_VERBS.items() if verb in kind.verbs)
    # Over all namespaces a namespaced kind can only be listed.
    if kind.namespaced and not info.namespace:
        return ("GET",) if "list" in kind.verbs else ()
    return tuple(method for method, verb in COLLECTION_VERBS.items() if verb in kind.verbs)


def _check_custom(kind: Kind, request: Request, info: RequestInfo) -> None:
    method = request.method
    everywhere = kind.namespaced and not info.namespace
    # The CRD handler tells a wrong scope as a path that is not there.
    if _has_wrong_scope(kind, info) or (everywhere and info.verb not in {"list", "watch"}):
        raise status.PlainError
    if info.subresource:
        _check_custom_subresource(kind, method, info)
    elif method in {"PUT", "PATCH"} and not info.name:
        # The media type is looked at before the missing name.
        if method == "PATCH":
            patching.check_media(kind, patching.media_of(request))
        raise status.bad_request("name must be provided")
    elif info.verb not in verbs.VERBS:
        raise status.not_supported_on(info.verb, kind)


def _check_custom_subresource(kind: Kind, method: str, info: RequestInfo) -> None:
    if info.subresource not in kind.subresources:
        raise status.not_found(kind, info.name)
    # HEAD is GET to the CRD handler.
    if method not in {*GET_PUT_PATCH, "HEAD"}:
        raise status.not_supported_on(NOT_ON_SUBRESOURCE.get(method, ""), kind)
