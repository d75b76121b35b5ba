"""The request info: verb and resource from method and path alone, before routing (VIS-423, VIS-424)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from .attributes import Attributes
from .url import Url

VERBS: Final = {
    "POST": "create",
    "GET": "get",
    "HEAD": "get",
    "PUT": "update",
    "PATCH": "patch",
    "DELETE": "delete",
}
SPECIAL_VERBS: Final = frozenset({"proxy", "watch"})
NAMESPACE_SUBRESOURCES: Final = frozenset({"status", "finalize"})
PROFILES: Final = "/debug/pprof/"


class RequestInfoError(ValueError):
    """A path of the form that once watched, with nothing behind it."""


@dataclass(frozen=True, slots=True)
class RequestInfo:
    """The attributes of a request, and whether it has a deadline and takes a seat: profiles do neither, a
    watch sits only.
    """

    attributes: Attributes
    has_deadline: bool
    has_seat: bool

    @classmethod
    def of(cls, method: str, url: Url, aliases: Mapping[str, str]) -> RequestInfo:
        """Read a request; `aliases` are other names of subresources. Raises RequestInfoError."""
        attributes = _resource(method, url) or Attributes(verb=method.lower(), path=url.path)
        alias = aliases.get(attributes.subresource)
        attributes = attributes if alias is None else replace(attributes, subresource=alias)
        profiles = not attributes.is_resource and url.path.startswith(PROFILES)
        watches = attributes.is_resource and attributes.verb == "watch"
        return cls(attributes, has_deadline=not profiles and not watches, has_seat=not profiles)


def _resource(method: str, url: Url) -> Attributes | None:
    segments = url.segments
    if len(segments) < 3 or segments[0] not in {"api", "apis"}:
        return None
    if segments[0] == "apis" and len(segments) < 4:
        return None
    group, rest = (segments[1], segments[2:]) if segments[0] == "apis" else ("", segments[1:])
    version, rest = rest[0], rest[1:]
    verb = VERBS.get(method, "")
    if rest[0] in SPECIAL_VERBS:
        if len(rest) < 2:
            raise RequestInfoError(f"unable to determine kind and namespace from url, {url.path}")
        # The old form /api/v1/watch/…: still read, though no longer served.
        verb, rest = rest[0], rest[1:]
    namespace, rest = _namespace(rest)
    resource, name, subresource = (*rest[:3], "", "", "")[:3]
    return Attributes(
        verb=_of_collection(verb, url) if not name else verb,
        path=url.path,
        group=group,
        version=version,
        resource=resource,
        # What follows the name of a proxied object is a path, and no subresource.
        subresource="" if verb == "proxy" else subresource,
        namespace=namespace,
        name=name,
    )


def _namespace(segments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    if segments[0] != "namespaces" or len(segments) < 2:
        return "", segments
    # /namespaces/x/status is the subresource of a namespace, and nothing in it.
    inside = len(segments) > 2 and segments[2] not in NAMESPACE_SUBRESOURCES
    return segments[1], segments[2:] if inside else segments


def _of_collection(verb: str, url: Url) -> str:
    """Return the verb of a request that names nothing."""
    if verb == "get":
        watch = url.first("watch")
        # Any other value means watch, also one that is no bool: the real server only
        # wants to know the verb here.
        return "list" if watch is None or watch == "0" or watch.lower() == "false" else "watch"
    return "deletecollection" if verb == "delete" else verb
