"""One answer of another server, parsed as it comes: bounded in everything but its body, and no longer than it
says (FK-306, FK-437).

What follows its end is never taken for the answer to another request: such a connection is not used again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import httptools

from . import golang_errors
from .link import Link

HEAD_LIMIT = 1024 * 1024
"""Bytes of heads (those of 1xx included), chunk extensions and trailers beyond what chunks of that size need.
"""
CHUNK_ALLOWANCE = 18
SWITCHING = 101
INFORMATIONAL = range(100, 200)
FRAMING_HEADERS = frozenset({"content-length", "transfer-encoding"})
CONNECTION_BROKEN = "net/http: HTTP/1.x transport connection broken: "


class NoAnswerError(ConnectionError):
    """There is no answer, or no more of it; the text says why."""


class UnusableAnswerError(NoAnswerError):
    """An answer cannot be used: too long, too slow, or malformed; the text says which."""


class Answer:
    """An answer that comes over a link. That to a HEAD has no body, whatever its head says (`bodiless`)."""

    def __init__(self, link: Link, *, bodiless: bool = False) -> None:
        self.link = link
        self.code = 0
        self.headers: list[tuple[str, str]] = []
        self.complete = False
        self.rest = b""
        """What follows an answer that ends HTTP."""
        self.bodiless = bodiless
        self._has_head = self._keeps = self._has_excess = False
        self._pieces: deque[bytes] = deque()
        self._received_bytes = self._allowed_bytes = 0
        self._parser: Any = httptools.HttpResponseParser(self)

    @property
    def is_empty(self) -> bool:
        """Whether not a byte of it has come."""
        return not self._received_bytes

    @property
    def length(self) -> str | None:
        """The length of the body when it was told."""
        return next((value for name, value in self.headers if name == "content-length"), None)

    @property
    def reusable(self) -> bool:
        """Whether the connection is good for another request."""
        return self.complete and self._keeps and not self._has_excess and self.code != SWITCHING

    def abort(self) -> None:
        """Cut its connection."""
        self.link.abort()

    async def begin(self) -> None:
        """Read until the head is there. Raises NoAnswerError, OSError."""
        while not self._has_head:
            if not await self._more():
                raise NoAnswerError("EOF" if self.is_empty else f"{CONNECTION_BROKEN}unexpected EOF")

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes. Raises NoAnswerError, OSError when it is cut off."""
        while True:
            while self._pieces:
                yield self._pieces.popleft()
            if self.complete:
                return
            if not await self._more():
                # Without a length the end of the connection is the end of the body; with one it is an
                # error.
                if any(name in FRAMING_HEADERS for name, _ in self.headers):
                    raise NoAnswerError("unexpected EOF")
                return

    async def _more(self) -> bool:
        data = await self.link.read()
        if data:
            self._feed(data)
        return bool(data)

    def _feed(self, data: bytes) -> None:
        self._received_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self.rest = data[upgrade.args[0] :]
        except httptools.HttpParserError as error:
            if not self.complete:
                raise NoAnswerError(self._malformed_text(data)) from error
            self._has_excess = True
        if self._received_bytes - self._allowed_bytes > HEAD_LIMIT:
            raise NoAnswerError(self._too_long())

    def _malformed_text(self, data: bytes) -> str:
        return "malformed chunked encoding" if self._has_head else golang_errors.malformed_response(data)

    def _too_long(self) -> str:
        if self._has_head:
            return "chunked encoding contains too much non-data"
        return f"{CONNECTION_BROKEN}net/http: server response headers exceeded {HEAD_LIMIT} bytes; aborted"

    # What the parser calls; it begins with another message where this one has ended.

    def on_message_begin(self) -> None:
        """Note that something follows the answer."""
        # Bytes behind the answer make the connection useless, as they would be taken for the next one.
        self._has_excess = self._has_excess or self.complete

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header; a trailer is none."""
        if not self._has_head:
            self.headers.append((name.decode("latin-1").lower(), value.decode("utf-8", "replace")))

    def on_headers_complete(self) -> None:
        """Note that the head is there, unless it is one of those that only go before it."""
        if self._has_head:
            return
        code = int(self._parser.get_status_code())
        # Heads of 1xx only go before the answer; Go waits on for the last one.
        if code in INFORMATIONAL and code != SWITCHING:
            self.headers.clear()
            return
        # The parser knows whether the connection is kept until the message ends, and not afterwards.
        self.code, self._has_head, self._keeps = code, True, bool(self._parser.should_keep_alive())
        self.complete = self.bodiless

    def on_chunk_header(self) -> None:
        """Allow for what frames a chunk."""
        # Many tiny chunks are legal, endless extensions are not.
        self._allowed_bytes += CHUNK_ALLOWANCE

    def on_body(self, body: bytes) -> None:
        """Collect a piece of the body, for which twice its length of framing is allowed, as in Go."""
        if self.complete:
            self._has_excess = True
            return
        self._allowed_bytes += 3 * len(body)
        self._pieces.append(body)

    def on_message_complete(self) -> None:
        """Note that all is there."""
        self.complete = self._has_head
