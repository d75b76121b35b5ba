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
from .comparison import difference, pair_made_up_values
from .transcript import Body, Exchange
from .upstream import Upstream

TIMEOUT = 60.0
"""Seconds that an answer may take."""
MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""Bytes of an answer that are read."""
READ_BYTES = 65536
STREAMS = frozenset({"exec", "attach", "portforward", "proxy"})
LABORATORY = "/_fakecluster"
MADE_UP = re.compile(
    r'("(?:uid|resourceVersion|continue)":\s*"|\b(?:resourceVersion|continue|hash)=)([^"&]+)'
)
"""Where a request says a value that a server made up: in its body, or in its query."""
UID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
"""Uids are found anywhere: in labels, in selectors, in the keys of managed fields."""
VISIBLE_ASCII = re.compile("[!-~]*")
"""What may stand in the target or a header of a request."""


class ReplayOutcome(Struct, frozen=True, kw_only=True):
    """One exchange played again; `difference` is empty when the
    answers are alike, `skipped` says why it was not played.
    """

    exchange: Exchange
    difference: str = ""
    skipped: str = ""


class Replay:
    """One run against one server; what the server makes up is learned on the way."""

    def __init__(self, server: Upstream) -> None:
        self._server = server
        self._new_values: dict[str, str] = {}
        url = urlsplit(server.url)
        self._connection = (
            HTTPSConnection(url.netloc, timeout=TIMEOUT, context=server.context)
            if url.scheme == "https"
            else HTTPConnection(url.netloc, timeout=TIMEOUT)
        )

    def play(self, exchanges: Iterable[Exchange]) -> Iterator[ReplayOutcome]:
        """Play exchanges in order. Raises OSError when the server cannot be reached or speaks no HTTP."""
        try:
            for exchange in exchanges:
                why = _reason_to_skip(exchange)
                yield ReplayOutcome(exchange=exchange, skipped=why) if why else self._play(exchange)
        except HTTPException as error:
            raise OSError(f"it does not answer in HTTP: {type(error).__name__}") from error
        finally:
            self._connection.close()

    def _play(self, exchange: Exchange) -> ReplayOutcome:
        code, content_type, etag, body = self._ask(exchange)
        # One byte more than the limit was read, so that a longer answer is known.
        if len(body) > MAX_ANSWER_BYTES:
            return ReplayOutcome(exchange=exchange, difference=f"more than {MAX_ANSWER_BYTES} bytes came")
        recorded, answered = exchange.json(), Body.of(body).json()
        made_up = [*pair_made_up_values(recorded, answered), (exchange.etag, etag)]
        # What the new server calls a thing is learned from its answer and put into the requests after it.
        self._new_values.update((old, new) for old, new in made_up if VISIBLE_ASCII.fullmatch(new))
        if code != exchange.code:
            text = body[:200].decode(errors="replace")
            return ReplayOutcome(
                exchange=exchange, difference=f"code {exchange.code} was recorded, {code} came: {text}"
            )
        if content_type != exchange.content_type:
            return ReplayOutcome(
                exchange=exchange, difference=f"{exchange.content_type} was recorded, {content_type} came"
            )
        if recorded is None and answered is None:
            return ReplayOutcome(exchange=exchange)
        return ReplayOutcome(exchange=exchange, difference=difference(self._replace_uids(recorded), answered))

    def _ask(self, exchange: Exchange) -> tuple[int, str, str, bytes]:
        body = self._message(exchange.body) if exchange.body.protobuf else self._text(exchange.body)
        sent = {name: self._new_values.get(value, value) for name, value in exchange.headers.items()}
        headers = {**sent, **self._server.identity}
        self._connection.request(exchange.method, self._translate(exchange.target), body or None, headers)
        answer = self._connection.getresponse()
        answer_headers = answer.headers
        body = self._body(answer)
        if len(body) > MAX_ANSWER_BYTES:
            self._connection.close()
        return answer.status, answer_headers.get("Content-Type", ""), answer_headers.get("ETag", ""), body

    def _body(self, answer: HTTPResponse) -> bytes:
        """Return the body of an answer, or one byte more than is read. Raises TimeoutError."""
        end, body, content_length = time.monotonic() + TIMEOUT, bytearray(), answer.length
        # Piece by piece: a server that sends a byte now and then must not hold the replay for ever.
        while piece := answer.read1(min(READ_BYTES, MAX_ANSWER_BYTES + 1 - len(body))):
            body += piece
            if time.monotonic() > end:
                raise TimeoutError(f"an answer took longer than {TIMEOUT:.0f} seconds")
        if content_length is not None and len(body) < min(content_length, MAX_ANSWER_BYTES):
            raise IncompleteRead(bytes(body), content_length - len(body))
        if content_length is not None and content_length <= MAX_ANSWER_BYTES:
            answer.read()  # nothing is left, and only a read that ends there lets the connection go on
        return bytes(body)

    def _text(self, body: Body) -> bytes:
        return body.bytes() if body.base64 else self._translate(body.text).encode()

    def _message(self, body: Body) -> bytes:
        """Translate a protobuf message; another body is sent unchanged."""
        message = body.json()
        if not isinstance(message, dict) or not message_for(*_kind(message)):
            return body.bytes()
        translated = orjson.loads(self._translate(orjson.dumps(message).decode()))
        return encode(*_kind(translated), translated)

    def _translate(self, text: str) -> str:
        """Put what this server calls a thing for what the recorded one called it."""
        return self._uids(
            MADE_UP.sub(lambda match: match[1] + self._new_values.get(match[2], match[2]), text)
        )

    def _replace_uids(self, recorded: Json) -> Json:
        return orjson.loads(self._uids(orjson.dumps(recorded).decode()))

    def _uids(self, text: str) -> str:
        return UID.sub(lambda match: self._new_values.get(match[0], match[0]), text)


def _reason_to_skip(exchange: Exchange) -> str:
    """Return why an exchange is not played, empty when it is."""
    info = exchange.info
    if not exchange.complete and not exchange.watch:
        return "it was not recorded whole"
    if exchange.watch:
        return "a watch has no end to compare"
    if info.subresource in STREAMS or (info.subresource == "log" and "follow=" in exchange.target):
        return "a stream has no end to compare"
    if exchange.target.startswith(LABORATORY):
        return "the laboratory is no part of the API"
    return ""


def _kind(message: Json) -> tuple[str, str]:
    return str(message.get("apiVersion", "")), str(message.get("kind", ""))
