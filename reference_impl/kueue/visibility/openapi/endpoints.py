"""The OpenAPI documents as files that clients cache:
entity tags, hashes in the address, redirects (VIS-308, VIS-311).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from email.utils import formatdate
from html import escape
from typing import Any, Final

from ....runtime.serving.exchange import Headers, Request, Response
from ..request_context import Endpoint, RequestContext
from ..serialization import go_json
from ..surface import ApiSurface
from .paths import operations, path_v2, path_v3
from .schemas import references, schema_of, types

JSON: Final = ("Content-Type", "application/json")
YEAR_SECONDS: Final = 365 * 24 * 3600
_SERVED: Final = frozenset({("application", "json"), ("application", "*"), ("*", "*")})
INDEX: Final = "/openapi/v3"


class OpenApi:
    """The documents of a server; `now` is the time in seconds since the epoch."""

    def __init__(
        self, surface: ApiSurface, current_time: Callable[[], float], *, extended: bool = False
    ) -> None:
        self._now = current_time
        self._since = current_time()
        self._swagger = go_json(_swagger(surface, extended=extended))
        self._members = {
            name: go_json(document) for name, document in _members(surface, extended=extended).items()
        }
        self._tags = {name: _hash(body) for name, body in self._members.items()}

    @property
    def endpoints(self) -> dict[str, Endpoint]:
        """Return the endpoints by path; the last one serves everything below it."""
        return {"/openapi/v2": self._v2, INDEX: self._index, f"{INDEX}/": self._member}

    async def _v2(self, request: RequestContext) -> Response:
        return self._file(request, self._swagger, _hash(self._swagger))

    async def _index(self, request: RequestContext) -> Response:
        paths = {
            name: {"serverRelativeURL": f"{INDEX}/{name}?hash={tag}"} for name, tag in self._tags.items()
        }
        body = go_json({"paths": paths})
        quoted = f'"{_hash(body)}"'
        if _knows(request, quoted):
            return Response(code=304, headers=(("Etag", quoted),))
        return Response(code=200, headers=(*self._headers(), ("Etag", quoted)), body=body)

    async def _member(self, request: RequestContext) -> Response:
        name = request.url.path.removeprefix(f"{INDEX}/")
        if name not in self._members:
            return Response(code=404)
        tag, expected_hash = self._tags[name], request.url.first("hash")
        if expected_hash and expected_hash != tag:
            return _redirect(request.request, f"{INDEX}/{name}?hash={tag}")
        answer = self._file(request, self._members[name], tag)
        if not expected_hash or answer.code == 406:
            return answer
        expires = formatdate(self._now() + YEAR_SECONDS, usegmt=True)
        headers = (*answer.headers, ("Cache-Control", "public, immutable"), ("Expires", expires))
        return Response(code=answer.code, headers=headers, body=answer.body)

    def _file(self, request: RequestContext, body: bytes, tag: str) -> Response:
        clauses = request.accept.clauses
        if request.accept.header and not any((clause.type, clause.subtype) in _SERVED for clause in clauses):
            return Response(code=406)
        quoted = f'"{tag}"'
        caching = (("Etag", quoted), ("Vary", "Accept"))
        if _knows(request, quoted):
            return Response(code=304, headers=caching)
        return Response(code=200, headers=(*self._headers(), *caching), body=body)

    def _headers(self) -> Headers:
        modified = ("Last-Modified", formatdate(self._since, usegmt=True))
        return JSON, ("Accept-Ranges", "bytes"), modified


def _knows(request: RequestContext, quoted: str) -> bool:
    """Tell whether a client has what it asks for."""
    return request.request.header("if-none-match") in {quoted, f"W/{quoted}", "*"}


def _hash(body: bytes) -> str:
    return hashlib.sha512(body).hexdigest().upper()


def _redirect(request: Request, location: str) -> Response:
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Location", location))
    body = f'<a href="{escape(location)}">Moved Permanently</a>.\n\n' if request.method == "GET" else ""
    return Response(code=301, headers=headers, body=body.encode())


def _info(surface: ApiSurface) -> dict[str, str]:
    return {"title": "Kueue visibility-server", "version": surface.release.partition("-")[0]}


def _swagger(surface: ApiSurface, *, extended: bool) -> dict[str, Any]:
    paths = {operation.path: path_v2(operation) for operation in operations(surface, extended=extended)}
    return {
        "swagger": "2.0",
        "info": _info(surface),
        "paths": paths,
        "definitions": _schemas(paths, surface, "#/definitions/", wraps=False),
    }


def _members(surface: ApiSurface, *, extended: bool) -> dict[str, dict[str, Any]]:
    members: dict[str, dict[str, Any]] = {}
    for operation in operations(surface, extended=extended):
        members.setdefault(operation.member, {})[operation.path] = path_v3(operation)
    return {
        name: {
            "openapi": "3.0.0",
            "info": _info(surface),
            "paths": paths,
            "components": {"schemas": _schemas(paths, surface, "#/components/schemas/", wraps=True)},
        }
        for name, paths in members.items()
    }


def _schemas(paths: Mapping[str, Any], surface: ApiSurface, prefix: str, *, wraps: bool) -> dict[str, Any]:
    """Return the schemas to which the paths refer,
    and those to which they refer in turn: none dangles (VIS-R10).
    """
    types_by_name = types(surface.versions)
    schemas: dict[str, Any] = {}
    names = references(dict(paths))
    while names:
        name = min(names)
        schemas[name] = schema_of(types_by_name[name], prefix, wraps=wraps)
        names = (names | references(schemas[name])) - schemas.keys()
    return dict(sorted(schemas.items()))
