"""Paths below the registered roots: which route a path means, and what a
route refuses (VIS-106…116, VC-09).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from ...runtime.serving.exchange import Response
from .admitted import ALIAS, SUBRESOURCE, VERSION, AdmittedWorkloads
from .attributes import GROUP
from .discovery import Discovery
from .negotiation import MEDIA_TYPES, Format
from .request_context import Endpoint, RequestContext
from .serialization import raw
from .status import method_not_allowed, no_such_route, not_acceptable
from .summaries import PendingWorkloads
from .surface import ApiSurface

GROUPS: Final = "/apis"
VERSION_INFO: Final = "/version"
CLUSTER_QUEUE: Final = ("clusterqueues", "{name}")
LOCAL_QUEUE: Final = ("namespaces", "{namespace}", "localqueues", "{name}")


@dataclass(frozen=True, slots=True)
class Route:
    """A path below a root that can be read; a segment in braces binds a name."""

    template: tuple[str, ...]
    endpoint: Endpoint
    produces: tuple[str, ...] = MEDIA_TYPES

    def bound(self, segments: tuple[str, ...]) -> Mapping[str, str] | None:
        """Return what a path binds, None when it is another path."""
        if len(segments) != len(self.template):
            return None
        pairs = tuple(zip(self.template, segments, strict=True))
        if any(not expected.startswith("{") and expected != segment for expected, segment in pairs):
            return None
        return {expected.strip("{}"): segment for expected, segment in pairs if expected.startswith("{")}


class Routes:
    """Everything that is read through a route; other paths belong to the root paths."""

    def __init__(self, roots: Mapping[str, tuple[Route, ...]]) -> None:
        # The longest root wins, as in go-restful's curly router.
        self._roots = dict(sorted(roots.items(), key=lambda root: -len(root[0])))

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the roots."""
        return tuple(self._roots)

    def claims(self, path: str) -> bool:
        """Tell whether a path lies below a root: `/apis` itself claims nothing but itself (VIS-112)."""
        return path in {GROUPS, f"{GROUPS}/"} or self._root_of(path) not in {None, GROUPS}

    async def answer(self, request_: RequestContext) -> Response:
        """Answer a path that is claimed. Raises StatusError 404, 405 or 406, in this order."""
        root = self._root_of(request_.url.path) or GROUPS
        below = request_.url.segments[len(root.strip("/").split("/")) :]
        for route in self._roots[root]:
            names = route.bound(below)
            if names is not None:
                _check(route, request_)
                request, url, accept = request_.request, request_.url, request_.accept
                return await route.endpoint(
                    RequestContext(request=request, url=url, accept=accept, names=names)
                )
        raise no_such_route()

    def _root_of(self, path: str) -> str | None:
        return next((root for root in self._roots if path == root or path.startswith(f"{root}/")), None)


def _check(route: Route, request: RequestContext) -> None:
    # The order of refusals is go-restful's: path, then method, then what is accepted.
    if request.request.method != "GET":
        raise method_not_allowed()
    if not request.accept.names_any(route.produces):
        available = ", ".join(route.produces)
        raise not_acceptable(f"406: Not Acceptable\n\nAvailable representations: {available}", {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """What the routes lead to; `admitted` is None without the extension."""

    discovery: Discovery
    pending: PendingWorkloads
    admitted: AdmittedWorkloads | None
    build: Mapping[str, str]
    """The document of `/version`."""


def routes_of(surface: ApiSurface, endpoints: Endpoints) -> Routes:
    """Return the routes of a server."""

    async def version_info(request: RequestContext) -> Response:
        del request
        return raw(200, endpoints.build)

    roots: dict[str, tuple[Route, ...]] = {
        GROUPS: (Route((), endpoints.discovery.groups),),
        f"{GROUPS}/{GROUP}": (Route((), endpoints.discovery.group),),
        VERSION_INFO: (Route((), version_info, (Format.JSON.value,)),),
    }
    for version in surface.versions:
        roots[f"{GROUPS}/{GROUP}/{version}"] = (
            Route((), partial(endpoints.discovery.resources, version)),
            Route((*CLUSTER_QUEUE, "pendingworkloads"), partial(endpoints.pending.of_cluster_queue, version)),
            Route((*LOCAL_QUEUE, "pendingworkloads"), partial(endpoints.pending.of_local_queue, version)),
            *_of_extension(version, endpoints.admitted),
        )
    return Routes(roots)


def _of_extension(version: str, admitted: AdmittedWorkloads | None) -> Iterator[Route]:
    if admitted is not None and version == VERSION:
        yield Route((*CLUSTER_QUEUE, SUBRESOURCE), admitted.of_cluster_queue)
        yield Route((*CLUSTER_QUEUE, ALIAS), admitted.of_cluster_queue)
        yield Route((*LOCAL_QUEUE, SUBRESOURCE), admitted.of_local_queue)
