"""What a server says of itself outside of resources: version, health, discovery, OpenAPI (FK-015…017, FK-360…375)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...store import encode
from .. import status
from ..answers import codec, forms, media
from ..outcome import Outcome, Request, Response
from .discovery import Discovery, versions
from .openapi import OpenApi

if TYPE_CHECKING:
    from ..context import Context

Json = Any
TEXT = "text/plain; charset=utf-8"
NO_SNIFF = (("X-Content-Type-Options", "nosniff"),)
VERSION = {
    "major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36", "minCompatibilityMajor": "1",
    "minCompatibilityMinor": "35", "gitVersion": "v1.36.3", "gitCommit": "0" * 40, "gitTreeState": "clean",
    "buildDate": "2026-01-01T00:00:00Z", "goVersion": "go1.26.0", "compiler": "gc", "platform": "linux/amd64",
}  # fmt: skip
HEALTH = ("healthz", "livez", "readyz")
CHECKS = ("ping", "etcd")
AGGREGATED = "APIGroupDiscoveryList"
AGGREGATED_TYPE = f"{media.JSON};g=apidiscovery.k8s.io;v=v2;as={AGGREGATED}"
YEAR = "public, immutable"


class Pages:
    """A handler for paths that are no resources; whatever it does not know is left to others."""

    def __init__(self, discovery: Discovery, openapi: OpenApi) -> None:
        self._discovery = discovery
        self._openapi = openapi

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Answer a page, None when the path is not one of them."""
        first, *rest = request.path.strip("/").split("/")
        if first in HEALTH:
            return health(request, first, "/".join(rest))
        known: dict[str, Callable[[Context, Request, list[str]], Outcome | None]] = {
            "": self._root, "version": self._version, "api": self._api, "apis": self._apis, "openapi": self._openapi_page,
        }  # fmt: skip
        return known[first](api, request, rest) if first in known else None

    def _root(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del rest
        if request.path != "/":
            return None
        groups = [name for name in api.registry.groups() if name]
        listed = [f"/apis/{name}" for name in groups]
        listed += [f"/apis/{name}/{version}" for name in groups for version in api.registry.versions(name)]
        fixed = ["/api", "/api/v1", "/apis", "/openapi/v3", "/version", *(f"/{name}" for name in HEALTH)]
        checks = [f"/{name}/{check}" for name in HEALTH for check in CHECKS]
        return _page(forms.indented({"paths": sorted({*fixed, *checks, *listed})}))

    def _version(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api
        if rest:
            return None
        _only_get(request)
        _check_router(request, (media.JSON,))
        return _page(forms.indented(VERSION))

    def _api(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api
        if len(rest) > 1:
            return None
        if rest:
            return self._resources(request, "", rest[0])
        _only_get(request)
        _check_router(request)
        address = request.headers.get("host", "")
        return self._document(request, versions(address), core=True)

    def _apis(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api
        if not rest:
            return self._document(request, self._discovery.groups(), core=False)
        if len(rest) == 1:
            group = self._discovery.group(rest[0])
            return _negotiated(request, group) if group else None
        return self._resources(request, rest[0], rest[1]) if len(rest) == 2 else None

    def _resources(self, request: Request, group: str, version: str) -> Outcome | None:
        found = self._discovery.resources(group, version)
        if found is None:
            return None
        _only_get(request)
        _check_router(request)
        return _negotiated(request, found)

    def _document(self, request: Request, legacy: Json, *, core: bool) -> Outcome:
        """Answer /api or /apis: aggregated for clients that ask for it first, else the legacy list."""
        for clause in media.clauses(request.headers.get("accept", "")):
            if clause.wanted == AGGREGATED and clause.covers(media.JSON) and _is_v2(clause):
                return _tagged(request, encode(self._discovery.aggregated(core=core)) + b"\n")
            if not clause.wanted and (clause.covers(media.JSON) or clause.covers(media.YAML)):
                break
        return _negotiated(request, legacy)

    def _openapi_page(self, api: Context, request: Request, rest: list[str]) -> Outcome | None:
        del api
        if rest[:1] != ["v3"]:
            return None
        path = "/".join(rest[1:])
        if request.path.rstrip("/") == "/openapi/v3":
            found = request.path == "/openapi/v3"
            return (
                _page(self._openapi.index(), TEXT) if found else Response(code=404, body=b"", content_type="")
            )
        return self._openapi_document(request, path)

    def _openapi_document(self, request: Request, path: str) -> Outcome:
        known = self._openapi.hash(path)
        if not known:
            return Response(code=404, body=b"", content_type="")
        if not any(
            clause.covers(media.JSON) for clause in media.clauses(request.headers.get("accept", "*/*"))
        ):
            return Response(code=406, body=b"", content_type="", headers=(("Vary", "Accept"),))
        tags = (("Vary", "Accept"), ("Etag", f'"{known}"'))
        asked = request.option("hash")
        if asked is not None and asked != known:
            return Response(code=301, body=b"", headers=(*tags, ("Location", self._openapi.location(path))))
        fresh = (("Cache-Control", YEAR), ("Expires", "Fri, 01 Jan 2100 00:00:00 GMT")) if asked else ()
        return _page(self._openapi.document(path), headers=(*fresh, *tags))


def health(request: Request, endpoint: str, check: str) -> Outcome:
    """Answer a health check (FK-016)."""
    if check and check not in CHECKS:
        raise status.PlainError
    if check or request.option("verbose") is None:
        return _page(b"ok", TEXT, () if check else NO_SNIFF)
    left_out = {value for key, value in request.query if key == "exclude"}
    lines = [f"[+]{name} {'excluded: ok' if name in left_out else 'ok'}" for name in CHECKS]
    return _page("\n".join([*lines, f"{endpoint} check passed", ""]).encode(), TEXT, NO_SNIFF)


def _page(body: bytes, content_type: str = media.JSON, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    return Response(code=200, body=body, content_type=content_type, headers=headers)


def _only_get(request: Request) -> None:
    if request.method != "GET":
        raise status.method_not_allowed()


def _check_router(request: Request, produced: tuple[str, ...] = media.SERVED) -> None:
    if not media.routed(request.headers.get("accept", ""), produced):
        raise status.not_acceptable(media.not_routed(produced), {})


def _is_v2(clause: media.Clause) -> bool:
    return (clause.params.get("g"), clause.params.get("v")) == ("apidiscovery.k8s.io", "v2")


def _negotiated(request: Request, value: Json) -> Response:
    found = codec.plainly(request, value)
    if found is None:
        raise status.not_acceptable(media.not_served())
    content_type, body = found
    return _page(body, content_type)


def _tagged(request: Request, body: bytes) -> Response:
    tag = f'"{hashlib.sha512(body).hexdigest().upper()}"'
    headers = (("Cache-Control", "public"), ("Vary", "Accept"), ("Etag", tag))
    if request.headers.get("if-none-match") == tag:
        return Response(code=304, body=b"", content_type="", headers=headers)
    return _page(body, AGGREGATED_TYPE, headers)
