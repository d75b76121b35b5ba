"""The visibility server put together from a view of the queues and the guards of its requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...runtime.metrics import Registry
from ...runtime.serving.exchange import Response
from ..queueing.view import PendingView
from .admitted import ALIAS, SUBRESOURCE, AdmittedWorkloads
from .debugging import debugging_endpoints
from .discovery import Discovery
from .guards import Authenticator, Authorizer, FlowControl, Impersonator
from .handler import Visibility
from .health import Checks, health_endpoints
from .openapi.endpoints import OpenApi
from .request_context import Endpoint, RequestContext
from .root_paths import RootPaths
from .routes import Endpoints, routes_of
from .summaries import PendingWorkloads
from .surface import ApiSurface


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """What decides about a request."""

    authenticator: Authenticator
    impersonator: Impersonator
    authorizer: Authorizer
    flow_control: FlowControl


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilitySite:
    """The site of a server: its API, its address as discovery tells it, its checks and the time."""

    surface: ApiSurface
    current_time: Callable[[], float]
    address: str = ":8082"
    checks: Checks = field(default_factory=dict)
    metrics: Registry = field(default_factory=Registry)
    """The metrics of `/metrics`: answers, and those of flow control."""
    admitted: PendingView | None = None
    """What holds quota, when the gate VisibilityAdmittedWorkloads is on (VIS-901)."""


def visibility(view: PendingView, guards: Guards, site: VisibilitySite) -> Visibility:
    """Return the handler of a server that reads the queues through `view`."""
    return Visibility(
        authenticator=guards.authenticator,
        impersonator=guards.impersonator,
        authorizer=guards.authorizer,
        flow_control=guards.flow_control,
        endpoint=endpoint_of(view, site),
        metrics=site.metrics,
        aliases={} if site.admitted is None else {ALIAS: SUBRESOURCE},
    )


def endpoint_of(view: PendingView, site: VisibilitySite) -> Endpoint:
    """Return what answers a request that has passed the guards."""
    extended = site.admitted is not None
    admitted = None if site.admitted is None else AdmittedWorkloads(site.admitted, site.surface)
    endpoints = Endpoints(
        discovery=Discovery(site.surface, site.address, extended=extended),
        pending=PendingWorkloads(view, site.surface, extended=extended),
        admitted=admitted,
        build=_build(site.surface.release),
    )
    routes = routes_of(site.surface, endpoints)
    listed, unlisted = debugging_endpoints(site.metrics.exposition, site.surface.release)
    documents = OpenApi(site.surface, site.current_time, extended=extended).endpoints
    paths = RootPaths(
        {**health_endpoints(site.checks), **listed, **documents},
        unlisted,
        routes.paths,
    )

    async def endpoint(request: RequestContext) -> Response:
        if routes.claims(request.url.path):
            return await routes.answer(request)
        return await paths.answer(request)

    return endpoint


def _build(release: str) -> dict[str, str]:
    major, minor = release.removeprefix("v").split(".")[:2]
    return {
        "major": major,
        "minor": minor,
        "gitVersion": release,
        "gitCommit": "",
        "gitTreeState": "",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "none",
        "compiler": "CPython",
        "platform": "any",
    }
