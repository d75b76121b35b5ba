"""OpenAPI over HTTP: the index, documents by hash, version 2, JSON and protobuf (FK-371, FK-373, FK-374)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import orjson
from msgspec.structs import replace

from ...api.outcome import Outcome, Request, Response
from ...api.steps import Steps, apart, at_once
from ...base.json_types import Json
from ...codec import media
from ..responses import TEXT, page, with_etag
from . import gnostic
from .documents import Make, OpenApi

Place = tuple[str, str]
"""The path and the form of a document."""
Write = Callable[[Json], bytes]
YEAR = (("Cache-Control", "public, immutable"), ("Expires", "Fri, 01 Jan 2100 00:00:00 GMT"))
ACCEPT_RANGES = ("Accept-Ranges", "bytes")
"""Go says this wherever it serves a file;
a client that asks for a range all the same gets the whole, as HTTP allows.
"""
VARY = (("Vary", "Accept"),)
VARY_ENCODING = (("Vary", "Accept-Encoding"), *VARY)
PROTOBUF = "application/com.github.proto-openapi.spec.{0}.v1.0+protobuf"
PROTOBUF_IN_ACCEPT = "application/com.github.proto-openapi.spec.{0}@v1.0+protobuf"
"""How clients spell it; the answer has a dot for the sign."""


class OpenApiPages:
    """Answers below /openapi; a document that was written once is kept with what it was written from."""

    def __init__(self, openapi: OpenApi) -> None:
        self._openapi = openapi
        self._cached_bodies: dict[Place, tuple[str, bytes]] = {}

    def __call__(self, request: Request) -> Steps[Outcome | None]:
        """Answer a page, None when there is none; others are answered while it is written."""
        response = yield from self._respond(request)
        if response is None or response.code != 200:
            return response
        return replace(response, headers=(ACCEPT_RANGES, *response.headers))

    def _respond(self, request: Request) -> Steps[Response | None]:
        path = request.path.removeprefix("/openapi/")
        if path == "v2":
            return (yield from self._version2(request))
        if path == "v3":
            return page(self._openapi.index(), TEXT)
        if not path.startswith("v3/"):
            return None
        return (yield from self._version3(request, path.removeprefix("v3/")))

    def _version2(self, request: Request) -> Steps[Response]:
        form = _form(request, "v2")
        if not form:
            return Response(code=406, body=b"", content_type="", headers=VARY_ENCODING)
        current_hash = self._openapi.swagger_hash()
        write = gnostic.version2 if form != media.JSON else _json
        body = yield from self._bytes(request, ("", form), current_hash, self._openapi.swagger(), write)
        return with_etag(request, current_hash, page(body, form, VARY_ENCODING))

    def _version3(self, request: Request, path: str) -> Steps[Response]:
        current_hash = self._openapi.hash(path)
        if not current_hash:
            return Response(code=404, body=b"", content_type="")
        form = _form(request, "v3")
        if not form:
            return Response(code=406, body=b"", content_type="", headers=VARY)
        requested_hash = request.option("hash")
        # The hash is in the address, so that an immutable answer can be cached; an old one leads to the
        # present document.
        if requested_hash and requested_hash != current_hash:
            redirect = (("Etag", f'"{current_hash}"'), ("Location", self._openapi.location(path)))
            return Response(code=301, body=b"", content_type=form, headers=(*VARY, *redirect))
        write = gnostic.version3 if form != media.JSON else _json
        body = yield from self._bytes(
            request, (path, form), current_hash, self._openapi.document(path), write
        )
        return with_etag(request, current_hash, page(body, form, (*(YEAR if requested_hash else ()), *VARY)))

    def _bytes(self, request: Request, place: Place, known: str, make: Make, write: Write) -> Steps[bytes]:
        cached = self._cached_bodies.get(place)
        if cached is not None and cached[0] == known:
            return cached[1]
        take = apart if request.shares_loop else at_once
        return (yield from take(partial(self._newly_written, place, known, make, write)))

    def _newly_written(self, place: Place, known: str, make: Make, write: Write) -> bytes:
        found = self._cached_bodies.get(place)
        if found is None or found[0] != known:
            found = self._cached_bodies[place] = (known, write(make()))
        return found[1]


def _form(request: Request, version: str) -> str:
    """Return the media type of the answer, empty when the client takes neither."""
    protobuf = PROTOBUF.format(version)
    for clause in media.clauses(request.headers.get("accept", "")) or (media.AcceptClause("*/*"),):
        if clause.covers(media.JSON):
            return media.JSON
        if clause.type in {protobuf, PROTOBUF_IN_ACCEPT.format(version)}:
            return protobuf
    return ""


def _json(document: Json) -> bytes:
    """Write JSON in the order of the document, which begins with its `openapi` or `swagger` version."""
    return orjson.dumps(document)
