"""Pages outside of resources: version, health, discovery, OpenAPI, metrics,
and the issuer of service account tokens (FK-015…019, FK-360…375).

Some pages are routed like resources: only GET,
and a Status for what is below them. The others answer every method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Protocol

from ..api import status
from ..api.context import Context
from ..api.outcome import Outcome, Request
from ..api.registry import Registry
from ..api.steps import Steps
from ..base.json_types import Json
from ..codec import forms, media
from ..store import encode
from . import metrics
from .health import CHECKS, health
from .openapi.documents import OpenApi
from .openapi.pages import OpenApiPages
from .resources import Discovery, NoOtherServers, OtherServers, versions
from .responses import check_routing, digest, negotiate, page, with_etag

Page = Outcome | Steps[Outcome | None] | None
"""A page, at once or in steps where others are answered meanwhile."""
Answer = Callable[["Pages", "Context", Request, list[str]], Page]
VERSION = {
    "major": "1",
    "minor": "36",
    "emulationMajor": "1",
    "emulationMinor": "36",
    "minCompatibilityMajor": "1",
    "minCompatibilityMinor": "35",
    "gitVersion": "v1.36.3",
    "gitCommit": "0" * 40,
    "gitTreeState": "clean",
    "buildDate": "2026-01-01T00:00:00Z",
    "goVersion": "go1.26.0",
    "compiler": "gc",
    "platform": "linux/amd64",
}
AGGREGATED_DISCOVERY = "APIGroupDiscoveryList"
AGGREGATED_FORM = f"g=apidiscovery.k8s.io;v=v2;as={AGGREGATED_DISCOVERY}"
REVALIDATED = (("Cache-Control", "public"), ("Vary", "Accept"))
FIXED_PATHS = (
    "/.well-known/openid-configuration",
    "/api",
    "/api/v1",
    "/apis",
    "/apis/",
    "/metrics",
    "/metrics/slis",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/openid/v1/jwks",
    "/version",
)
OPENID_CONFIGURATION = "/.well-known/openid-configuration"
JWKS = "/openid/v1/jwks"
JWKS_TYPE = "application/jwk-set+json"
CACHED_FOR_AN_HOUR = (("Cache-Control", "public, max-age=3600"),)


class Pages:
    """A handler for paths that are no resources; whatever it does not know is left to others."""

    def __init__(
        self, registry: Registry, name: str, keys: IssuerKeys, other_servers: OtherServers | None = None
    ) -> None:
        other_servers = other_servers or NoOtherServers()
        self._discovery = Discovery(registry, other_servers)
        self._documents = OpenApiPages(OpenApi(registry, other_servers))
        self._metrics = metrics.Metrics()
        self._issuer_name, self._keys = name, keys

    def __call__(self, api: Context, request: Request) -> Page:
        """Answer a page, None when the path is not one of them."""
        # A path with an empty first segment is no page on the real server.
        if request.path.startswith("//"):
            return None
        first, *rest = request.path.strip("/").split("/")
        if first in CHECKS:
            return health(request, first, "/".join(rest))
        answer = self._BY_FIRST_SEGMENT.get(first)
        return answer(self, api, request, rest) if answer else None

    def _root(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del rest
        if request.path != "/":
            return None
        groups = [name for name in api.registry.groups() if name]
        listed = [f"/apis/{name}" for name in groups]
        listed += [f"/apis/{name}/{version}" for name in groups for version in api.registry.versions(name)]
        listed += [f"/{name}" for name in CHECKS]
        listed += [f"/{name}/{check}" for name, checks in CHECKS.items() for check in checks]
        return page(forms.write_indented({"paths": sorted({*FIXED_PATHS, *listed})}))

    def _version(self, api: Context, request: Request, rest: list[str]) -> Outcome:
        del api
        if rest:
            raise status.no_route()
        check_routing(request, (media.JSON,))
        return page(forms.write_indented(VERSION))

    def _openapi(self, api: Context, request: Request, rest: list[str]) -> Page:
        del api, rest
        return self._documents(request)

    def _metrics_page(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        if rest == ["slis"]:
            return metrics.checks(request)
        return None if request.path != "/metrics" else self._metrics(api, request)

    def _issuer(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api, rest
        path = request.path.rstrip("/")
        if path == OPENID_CONFIGURATION:
            return openid_configuration(request, self._issuer_name, self._keys)
        if path == JWKS:
            return jwks(request, self._keys)
        if path.startswith((f"{OPENID_CONFIGURATION}/", f"{JWKS}/")):
            raise status.no_route()
        return None

    def _api(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api
        # Deeper paths are those of resources.
        if len(rest) > 1:
            return None
        if rest:
            return self._resources(request, "", rest[0])
        check_routing(request)
        address = request.headers.get("host", "")
        return self._document(request, versions(address), core=True)

    def _apis(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api
        if not rest:
            return self._document(request, self._discovery.groups(), core=False)
        if len(rest) == 1:
            group = self._discovery.group(rest[0])
            return negotiate(request, group) if group else None
        return self._resources(request, rest[0], rest[1]) if len(rest) == 2 else None

    def _resources(self, request: Request, group: str, version: str) -> Outcome | None:
        resources = self._discovery.resources(group, version)
        if resources is None:
            return None
        check_routing(request)
        return negotiate(request, resources)

    def _document(self, request: Request, legacy: Json, *, core: bool) -> Outcome:
        """Answer /api or /apis: aggregated for clients that ask for it anywhere, else the legacy list."""
        # client-go lists the aggregated form first and falls back to the legacy one within a single header.
        for clause in media.clauses(request.headers.get("accept", "")):
            for form in (forms.COMPACT, forms.YAML, forms.PROTOBUF):
                if (
                    clause.covers(form.content_type)
                    and clause.target_kind == AGGREGATED_DISCOVERY
                    and _is_v2(clause)
                ):
                    body = form.write(self._discovery.aggregated_document(core=core))
                    answer = page(body, f"{form.content_type};{AGGREGATED_FORM}", REVALIDATED)
                    return with_etag(request, digest(body), answer)
        return negotiate(request, legacy)

    _BY_FIRST_SEGMENT: ClassVar[Mapping[str, Answer]] = {
        "": _root,
        "version": _version,
        "api": _api,
        "apis": _apis,
        "openapi": _openapi,
        "metrics": _metrics_page,
        ".well-known": _issuer,
        "openid": _issuer,
    }
    """What answers, by the first part of a path."""


def _is_v2(clause: media.AcceptClause) -> bool:
    return (clause.params.get("g"), clause.params.get("v")) == ("apidiscovery.k8s.io", "v2")


class IssuerKeys(Protocol):
    """Who signs tokens."""

    @property
    def algorithm(self) -> str:
        """How tokens are signed."""

    def public(self) -> Json:
        """Return the public key."""


def openid_configuration(request: Request, issuer: str, keys: IssuerKeys) -> Outcome:
    """Answer where the keys are."""
    check_routing(request, (media.JSON,))
    return page(
        encode(
            {
                "issuer": issuer,
                # The address by which the client came: any other might not be reachable for it.
                "jwks_uri": f"https://{request.headers.get('host', '')}{JWKS}",
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": [keys.algorithm],
            }
        ),
        headers=CACHED_FOR_AN_HOUR,
    )


def jwks(request: Request, keys: IssuerKeys) -> Outcome:
    """Answer the public keys."""
    check_routing(request, (JWKS_TYPE,))
    return page(encode({"keys": [keys.public()]}), JWKS_TYPE, CACHED_FOR_AN_HOUR)
