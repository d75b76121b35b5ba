"""OpenAPI over HTTP: the index, documents by hash, version 2, JSON and protobuf (FK-371, FK-373, FK-374)."""

from __future__ import annotations

from collections.abc import Callable

import orjson
from msgspec.structs import replace

from ...api.outcome import Outcome, Request, Response
from ...base.json_types import Json
from ...codec import media
from ..answering import TEXT, page, tagged
from . import gnostic
from .documents import OpenApi

YEAR = (("Cache-Control", "public, immutable"), ("Expires", "Fri, 01 Jan 2100 00:00:00 GMT"))
RANGES = ("Accept-Ranges", "bytes")
"""Go says this wherever it serves a file; a client that asks for a range all the same gets the whole, as HTTP
allows.
"""
VARY = (("Vary", "Accept"),)
VARY2 = (("Vary", "Accept-Encoding"), *VARY)
PROTOBUF = "application/com.github.proto-openapi.spec.{0}.v1.0+protobuf"
ASKED = "application/com.github.proto-openapi.spec.{0}@v1.0+protobuf"
"""How clients spell it; the answer has a dot for the sign."""


class OpenApiPages:
    """Answers below /openapi; a document that was written once is kept with what it was written from."""

    def __init__(self, openapi: OpenApi) -> None:
        self._openapi = openapi
        self._written: dict[tuple[str, str], tuple[str, bytes]] = {}

    def __call__(self, request: Request) -> Outcome | None:
        """Answer a page, None when there is none."""
        found = self._found(request)
        if found is None or found.code != 200:
            return found
        return replace(found, headers=(RANGES, *found.headers))

    def _found(self, request: Request) -> Response | None:
        path = request.path.removeprefix("/openapi/")
        if path == "v2":
            return self._version2(request)
        if path == "v3":
            return page(self._openapi.index(), TEXT)
        return self._version3(request, path.removeprefix("v3/")) if path.startswith("v3/") else None

    def _version2(self, request: Request) -> Response:
        form = _form(request, "v2")
        if not form:
            return Response(code=406, body=b"", content_type="", headers=VARY2)
        known = self._openapi.swagger_hash()
        write = gnostic.version2 if form != media.JSON else _json
        body = self._bytes("", form, known, lambda: write(self._openapi.swagger()))
        return tagged(request, known, page(body, form, VARY2))

    def _version3(self, request: Request, path: str) -> Response:
        known = self._openapi.hash(path)
        if not known:
            return Response(code=404, body=b"", content_type="")
        form = _form(request, "v3")
        if not form:
            return Response(code=406, body=b"", content_type="", headers=VARY)
        asked = request.option("hash")
        if asked and asked != known:
            moved = (("Etag", f'"{known}"'), ("Location", self._openapi.location(path)))
            return Response(code=301, body=b"", content_type=form, headers=(*VARY, *moved))
        write = gnostic.version3 if form != media.JSON else _json
        body = self._bytes(path, form, known, lambda: write(self._openapi.document(path)))
        return tagged(request, known, page(body, form, (*(YEAR if asked else ()), *VARY)))

    def _bytes(self, path: str, form: str, known: str, write: Callable[[], bytes]) -> bytes:
        found = self._written.get((path, form))
        if found is None or found[0] != known:
            found = self._written[path, form] = (known, write())
        return found[1]


def _form(request: Request, version: str) -> str:
    """Return the media type of the answer, empty when the client takes neither."""
    protobuf = PROTOBUF.format(version)
    for clause in media.clauses(request.headers.get("accept", "")) or (media.Clause("*/*"),):
        if clause.covers(media.JSON):
            return media.JSON
        if clause.type in {protobuf, ASKED.format(version)}:
            return protobuf
    return ""


def _json(document: Json) -> bytes:
    """Write JSON in the order of the document, which begins with its `openapi` or `swagger` version."""
    return orjson.dumps(document)
