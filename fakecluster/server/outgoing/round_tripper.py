"""Sends requests to other servers over connections that are kept for the next one, and never repeats a
request that may have taken effect.

The rules are those of Go's http.Transport: a request is sent once more only when the connection was kept from
an earlier one, ended before a byte of the answer came, and the request is safe to repeat. A POST whose
connection ends is an error, whatever became of it.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable

from msgspec import Struct

from .allowed_networks import Reach
from .answer import Answer, NoAnswerError, UnusableAnswerError
from .golang_errors import describe
from .link import ConnectTarget, Link, open_link

IDLE_FOR_ONE = 25
"""Connections kept for one target."""
MAX_IDLE_CONNECTIONS = 100
"""Connections kept in all; the oldest gives way."""
IDLE_SECONDS = 60.0
"""Real seconds for which a connection is kept: fewer than the 90 after which API servers close theirs."""
MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""Bytes of an answer that is read as a whole."""
IN_ALL = 256 * 1024 * 1024
"""Bytes of the answers that are read as a whole at the same time."""
TOO_LARGE = "http: response body too large: limit is {} bytes"
BAD_AUTHORITY = "unable to load root certificates: unable to parse bytes as PEM block"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
IDEMPOTENT = frozenset({"idempotency-key", "x-idempotency-key"})
"""Headers by which a client says that a request may be repeated."""
Trust = Callable[[ConnectTarget], ssl.SSLContext | None]
"""How TLS is spoken with a target, None is without.

Raises ValueError, OSError for authorities that cannot be read.
"""


class OutgoingRequest(Struct, frozen=True, kw_only=True):
    """A request ready to be written to a connection."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""

    @property
    def replayable(self) -> bool:
        """Whether it may be sent twice."""
        return self.method in SAFE_METHODS or any(name.lower() in IDEMPOTENT for name, _ in self.headers)

    def encode(self) -> bytes:
        """Return its bytes. Raises NoAnswerError when a header would be two, as in Go."""
        for name, value in self.headers:
            # A value with a line break would smuggle a header into the request.
            if "\r" in value or "\n" in value:
                raise NoAnswerError(f'net/http: invalid header field value for "{name}"')
        lines = [
            f"{self.method} {self.path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in self.headers),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace") + self.body


class RoundTripper:
    """Connections of one server to others."""

    def __init__(self, trust: Trust, reach: Reach, idle_seconds: float = IDLE_SECONDS) -> None:
        self._trust = trust
        self._reach = reach
        self._idle_seconds = idle_seconds
        self._idle: dict[Link, asyncio.TimerHandle] = {}
        self._held_bytes = 0
        self._keeps = True
        """Whether connections are kept: not those of requests that end after `close`."""

    async def send(self, target: ConnectTarget, sent: OutgoingRequest) -> Answer:
        """Return an answer as soon as its head is there. Raises NoAnswerError, OSError."""
        data, bodiless = sent.encode(), sent.method == "HEAD"
        self._keeps = True
        idle_link = self._take_idle(target)
        if idle_link is not None:
            answer = Answer(idle_link, bodiless=bodiless)
            try:
                return await _begin(answer, data)
            except OSError:
                if not (sent.replayable and answer.is_empty):
                    raise
        return await _begin(Answer(await self._dial(target), bodiless=bodiless), data)

    async def whole(self, answer: Answer, limit: int = 0) -> bytes:
        """Return the body of an answer of at most so many bytes and be done with it.

        Raises NoAnswerError when it is too large or cut off, OSError.
        """
        content, byte_limit = bytearray(), limit or MAX_ANSWER_BYTES
        try:
            async for piece in answer.pieces():
                content += piece
                self._held_bytes += len(piece)
                if len(content) > byte_limit or self._held_bytes > IN_ALL:
                    raise UnusableAnswerError(TOO_LARGE.format(byte_limit))
        finally:
            self._held_bytes -= len(content)
            self.done(answer)
        return bytes(content)

    def done(self, answer: Answer) -> None:
        """Keep the connection of an answer for another request, or close it."""
        link = answer.link
        reusable = self._keeps and answer.reusable and link.quiet
        if not reusable or self._count(link.target) >= IDLE_FOR_ONE:
            link.abort()
            return
        if len(self._idle) >= MAX_IDLE_CONNECTIONS:
            self._expire(next(iter(self._idle)))
        loop = asyncio.get_running_loop()
        self._idle[link] = loop.call_later(self._idle_seconds, self._expire, link)

    def close(self) -> None:
        """Close the idle connections, and those in use when they come to their end."""
        self._keeps = False
        for link in tuple(self._idle):
            self._expire(link)

    async def connect(self, target: ConnectTarget, context: ssl.SSLContext | None) -> Link:
        """Open a connection. Raises NoAnswerError for what may not be called, OSError."""
        hosts = await self._reach.hosts(target)
        # As Go dials: one address after another, and the error of the last one counts.
        for host in hosts[:-1]:
            try:
                return await open_link(target, host, context)
            except OSError:
                continue
        return await open_link(target, hosts[-1], context)

    async def why(self, error: OSError, target: ConnectTarget) -> str:
        """Return the text of a failure of `send`."""
        return str(error) if isinstance(error, NoAnswerError) else await describe(error, target, self.connect)

    async def _dial(self, target: ConnectTarget) -> Link:
        try:
            context = self._trust(target)
        except (ValueError, TypeError, ssl.SSLError) as error:
            raise NoAnswerError(BAD_AUTHORITY) from error
        return await self.connect(target, context)

    def _take_idle(self, target: ConnectTarget) -> Link | None:
        """Return the connection that was used last,
        without those that have ended or said something unasked.
        """
        for link in [idle_link for idle_link in reversed(self._idle) if idle_link.target == target]:
            self._idle.pop(link).cancel()
            if link.quiet:
                return link
            link.abort()
        return None

    def _count(self, target: ConnectTarget) -> int:
        return sum(idle_link.target == target for idle_link in self._idle)

    def _expire(self, link: Link) -> None:
        self._idle.pop(link).cancel()
        link.abort()


async def _begin(answer: Answer, data: bytes) -> Answer:
    try:
        answer.link.write(data)
        await answer.begin()
    except BaseException:
        answer.link.abort()
        raise
    return answer
