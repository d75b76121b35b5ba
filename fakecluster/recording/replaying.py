"""Asks another server what a transcript's clients asked, and reports the answers that differ (F-08)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from urllib.parse import urlsplit

import orjson
from msgspec import Struct

from ..base.json_types import Json
from ..codec.protobuf.table import message_for
from ..codec.protobuf.writer import encode
from .normal import difference, learned
from .transcript import Body, Exchange
from .upstream import Upstream

TIMEOUT = 60.0
"""Seconds that an answer may take."""
ANSWER = 64 * 1024 * 1024
"""Bytes of an answer that are read."""
PIECE = 65536
STREAMS = frozenset({"exec", "attach", "portforward", "proxy"})
LABORATORY = "/_fakecluster"
MADE_UP = re.compile(
    r'("(?:uid|resourceVersion|continue)":\s*"|\b(?:resourceVersion|continue|hash)=)([^"&]+)'
)
"""Where a request says a value that a server made up: in its body, or in its query."""
UID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
"""Uids are found anywhere: in labels, in selectors, in the keys of managed fields."""
WORD = re.compile("[!-~]*")
"""What may stand in the target or a header of a request."""


class Outcome(Struct, frozen=True, kw_only=True):
    """One exchange played again; `difference` is empty when the answers are alike, `skipped` says why it was
    not played.
    """

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
        """Play exchanges in order. Raises OSError when the server cannot be reached or speaks no HTTP."""
        try:
            for one in exchanges:
                why = _unplayable(one)
                yield Outcome(exchange=one, skipped=why) if why else self._play(one)
        except HTTPException as error:
            raise OSError(f"it does not answer in HTTP: {type(error).__name__}") from error
        finally:
            self._connection.close()

    def _play(self, one: Exchange) -> Outcome:
        code, content_type, etag, body = self._ask(one)
        if len(body) > ANSWER:
            return Outcome(exchange=one, difference=f"more than {ANSWER} bytes came")
        recorded, came = one.json(), Body.of(body).json()
        made_up = [*learned(recorded, came), (one.etag, etag)]
        self._called.update((old, new) for old, new in made_up if WORD.fullmatch(new))
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
        body = self._body(answer)
        if len(body) > ANSWER:
            self._connection.close()
        return answer.status, told.get("Content-Type", ""), told.get("ETag", ""), body

    def _body(self, answer: HTTPResponse) -> bytes:
        """Return the body of an answer, or one byte more than is read. Raises TimeoutError."""
        end, body, told = time.monotonic() + TIMEOUT, bytearray(), answer.length
        while piece := answer.read1(min(PIECE, ANSWER + 1 - len(body))):
            body += piece
            if time.monotonic() > end:
                raise TimeoutError(f"an answer took longer than {TIMEOUT:.0f} seconds")
        if told is not None and len(body) < min(told, ANSWER):
            raise IncompleteRead(bytes(body), told - len(body))
        if told is not None and told <= ANSWER:
            answer.read()  # nothing is left, and only a read that ends there lets the connection go on
        return bytes(body)

    def _text(self, body: Body) -> bytes:
        return body.bytes() if body.base64 else self._translated(body.text).encode()

    def _message(self, body: Body) -> bytes:
        """Translate a protobuf message; another body is sent unchanged."""
        message = body.json()
        if not isinstance(message, dict) or not message_for(*_kind(message)):
            return body.bytes()
        told = orjson.loads(self._translated(orjson.dumps(message).decode()))
        return encode(*_kind(told), told)

    def _translated(self, text: str) -> str:
        """Put what this server calls a thing for what the recorded one called it."""
        return self._uids(MADE_UP.sub(lambda found: found[1] + self._called.get(found[2], found[2]), text))

    def _renamed(self, recorded: Json) -> Json:
        return orjson.loads(self._uids(orjson.dumps(recorded).decode()))

    def _uids(self, text: str) -> str:
        return UID.sub(lambda found: self._called.get(found[0], found[0]), text)


def _unplayable(one: Exchange) -> str:
    """Return why an exchange is not played, empty when it is."""
    info = one.info
    if not one.complete and not one.watch:
        return "it was not recorded whole"
    if one.watch:
        return "a watch has no end to compare"
    if info.subresource in STREAMS or (info.subresource == "log" and "follow=" in one.target):
        return "a stream has no end to compare"
    if one.target.startswith(LABORATORY):
        return "the laboratory is no part of the API"
    return ""


def _kind(message: Json) -> tuple[str, str]:
    return str(message.get("apiVersion", "")), str(message.get("kind", ""))
