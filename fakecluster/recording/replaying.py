"""Asks another server what a transcript's clients asked, and tells what is answered unlike (F-08)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

import orjson
from msgspec import Struct

from ..api.protobuf.table import message_for
from ..api.protobuf.writer import encode
from .normal import Json, difference, learned
from .transcript import Body, Exchange
from .upstream import Upstream

TIMEOUT = 60.0
MADE_UP = re.compile(
    r'("(?:uid|resourceVersion|continue)":\s*"|\b(?:resourceVersion|continue|hash)=)([^"&]+)'
)
"""Where a request says a value that a server made up: in its body, or in its query."""
UID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
"""Uids are found anywhere: in labels, in selectors, in the keys of managed fields."""


class Outcome(Struct, frozen=True, kw_only=True):
    """One exchange played again; `difference` is empty when the answers are alike, `skipped` says why it was not played."""

    exchange: Exchange
    difference: str = ""
    skipped: str = ""


class Replay:
    """One run against one server; what the server makes up is learned on the way."""

    def __init__(self, server: Upstream) -> None:
        self._server = server
        self._called: dict[str, str] = {}
        url = urlsplit(server.url)
        self._connection = (
            HTTPSConnection(url.netloc, timeout=TIMEOUT, context=server.context)
            if url.scheme == "https"
            else HTTPConnection(url.netloc, timeout=TIMEOUT)
        )

    def play(self, exchanges: Iterable[Exchange]) -> Iterator[Outcome]:
        """Play exchanges in order. Raises OSError when the server cannot be reached."""
        for one in exchanges:
            yield (
                Outcome(exchange=one, skipped="a watch has no end to compare")
                if one.watch
                else self._play(one)
            )
        self._connection.close()

    def _play(self, one: Exchange) -> Outcome:
        code, content_type, etag, body = self._ask(one)
        recorded, came = one.json(), Body.of(body).json()
        self._called.update([*learned(recorded, came), (one.etag, etag)])
        if code != one.code:
            said = body[:200].decode(errors="replace")
            return Outcome(exchange=one, difference=f"code {one.code} was recorded, {code} came: {said}")
        if content_type != one.content_type:
            return Outcome(exchange=one, difference=f"{one.content_type} was recorded, {content_type} came")
        if recorded is None and came is None:
            return Outcome(exchange=one)
        return Outcome(exchange=one, difference=difference(self._renamed(recorded), came))

    def _ask(self, one: Exchange) -> tuple[int, str, str, bytes]:
        body = self._message(one.body) if one.body.protobuf else self._text(one.body)
        sent = {name: self._called.get(value, value) for name, value in one.headers.items()}
        headers = {**sent, **self._server.identity}
        self._connection.request(one.method, self._translated(one.target), body or None, headers)
        answer = self._connection.getresponse()
        told = answer.headers
        return answer.status, told.get("Content-Type", ""), told.get("ETag", ""), answer.read()

    def _text(self, body: Body) -> bytes:
        return body.bytes() if body.base64 else self._translated(body.text).encode()

    def _message(self, body: Body) -> bytes:
        """Translate a protobuf message; what is none is sent as it is."""
        if not (message := body.json()) or not message_for(message["apiVersion"], message["kind"]):
            return body.bytes()
        told = orjson.loads(self._translated(orjson.dumps(message).decode()))
        return encode(told["apiVersion"], told["kind"], told)

    def _translated(self, text: str) -> str:
        """Put what this server calls a thing for what the recorded one called it."""
        return self._uids(MADE_UP.sub(lambda found: found[1] + self._called.get(found[2], found[2]), text))

    def _renamed(self, recorded: Json) -> Json:
        return orjson.loads(self._uids(orjson.dumps(recorded).decode()))

    def _uids(self, text: str) -> str:
        return UID.sub(lambda found: self._called.get(found[0], found[0]), text)
