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
FRAMED = frozenset({"content-length", "transfer-encoding"})
BROKEN = "net/http: HTTP/1.x transport connection broken: "


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
        self._headed = self._keeps = self._exceeded = False
        self._pieces: deque[bytes] = deque()
        self._fed = self._accounted = 0
        self._parser: Any = httptools.HttpResponseParser(self)

    @property
    def untouched(self) -> bool:
        """Whether not a byte of it has come."""
        return not self._fed

    @property
    def length(self) -> str | None:
        """The length of the body when it was told."""
        return next((value for name, value in self.headers if name == "content-length"), None)

    @property
    def reusable(self) -> bool:
        """Whether the connection is good for another request."""
        return self.complete and self._keeps and not self._exceeded and self.code != SWITCHING

    def abort(self) -> None:
        """Cut its connection."""
        self.link.abort()

    async def begin(self) -> None:
        """Read until the head is there. Raises NoAnswerError, OSError."""
        while not self._headed:
            if not await self._more():
                raise NoAnswerError("EOF" if self.untouched else f"{BROKEN}unexpected EOF")

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes. Raises NoAnswerError, OSError when it is cut off."""
        while True:
            while self._pieces:
                yield self._pieces.popleft()
            if self.complete:
                return
            if not await self._more():
                if any(name in FRAMED for name, _ in self.headers):
                    raise NoAnswerError("unexpected EOF")
                return

    async def _more(self) -> bool:
        data = await self.link.read()
        if data:
            self._feed(data)
        return bool(data)

    def _feed(self, data: bytes) -> None:
        self._fed += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self.rest = data[upgrade.args[0] :]
        except httptools.HttpParserError as error:
            if not self.complete:
                raise NoAnswerError(self._malformed(data)) from error
            self._exceeded = True
        if self._fed - self._accounted > HEAD_LIMIT:
            raise NoAnswerError(self._too_long())

    def _malformed(self, data: bytes) -> str:
        return "malformed chunked encoding" if self._headed else golang_errors.malformed(data)

    def _too_long(self) -> str:
        if self._headed:
            return "chunked encoding contains too much non-data"
        return f"{BROKEN}net/http: server response headers exceeded {HEAD_LIMIT} bytes; aborted"

    # What the parser calls; it begins with another message where this one has ended.

    def on_message_begin(self) -> None:
        """Note that something follows the answer."""
        self._exceeded = self._exceeded or self.complete

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header; a trailer is none."""
        if not self._headed:
            self.headers.append((name.decode("latin-1").lower(), value.decode("utf-8", "replace")))

    def on_headers_complete(self) -> None:
        """Note that the head is there, unless it is one of those that only go before it."""
        if self._headed:
            return
        code = int(self._parser.get_status_code())
        if code in INFORMATIONAL and code != SWITCHING:
            self.headers.clear()
            return
        # The parser knows whether the connection is kept until the message ends, and not afterwards.
        self.code, self._headed, self._keeps = code, True, bool(self._parser.should_keep_alive())
        self.complete = self.bodiless

    def on_chunk_header(self) -> None:
        """Allow for what frames a chunk."""
        self._accounted += CHUNK_ALLOWANCE

    def on_body(self, body: bytes) -> None:
        """Collect a piece of the body, for which twice its length of framing is allowed, as in Go."""
        if self.complete:
            self._exceeded = True
            return
        self._accounted += 3 * len(body)
        self._pieces.append(body)

    def on_message_complete(self) -> None:
        """Note that all is there."""
        self.complete = self._headed
