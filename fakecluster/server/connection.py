"""One client connection: HTTP/1.1 in, answers out in order (FK-007, S10).

Requests are answered one after another even when they were pipelined; a watch keeps the connection until its stream ends.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, cast

import httptools

from ..api.outcome import Response
from . import methods
from .message import ANONYMOUS_PEER, CONTINUE, HEAD_TOO_LARGE, MALFORMED, Arrived, Pairs, Peer
from .objections import objection, origin

KEPT_BODY = 3 * 1024 * 1024 + 1
"""One byte more than the body limit of FK-013, so that the gate can tell; the rest is read and dropped."""
KEPT_HEAD = 1024 * 1024 + 4096
"""Bytes of request line and headers that a client may send, as in Go's server."""
Phase = Literal["head", "body", "idle"]
PATIENCE: Mapping[Phase, float] = {"head": 32.0, "body": 60.0, "idle": 90.0}
"""Seconds of real time in which a head, a whole request, and the next request have to come."""
WAITING = 16
"""Pipelined requests kept before the client is made to wait."""


class Responder(Protocol):
    """What a connection asks of its server."""

    connections: set[Connection]

    def respond(self, arrived: Arrived, connection: Connection) -> None:
        """Answer the request now or later through `connection`."""


class Connection(asyncio.Protocol):
    """Parses what arrives, hands on one request at a time, writes the answers."""

    def __init__(self, server: Responder) -> None:
        self._server = server
        self._parser: Any = httptools.HttpRequestParser(self)
        self._waiting: deque[Arrived] = deque()
        self._busy = False
        self._method = ""
        """The method of the request that comes, where the parser was shown another one."""
        self._peer: Peer = ANONYMOUS_PEER
        self._reset()
        self.transport: asyncio.Transport
        self.writable = asyncio.Event()
        """Set while the client reads what is written."""
        self.writable.set()
        self._held: bytes | None = None
        """What came after a request for another protocol, until that is answered; None when there was no such request."""
        self._taker: Callable[[bytes], None] | None = None
        self.closed: Callable[[], None] | None = None
        """Called when the connection is lost; set by whoever streams on it."""
        self.drained: Callable[[], None] | None = None
        """Called when the client has caught up; set by whoever streams on it."""

        self._phase: Phase = "head"
        self._since = 0.0
        self._head = 0

    def _reset(self) -> None:
        self._target, self._headers, self._body, self._size = b"", [], [], 0  # type: ignore[var-annotated]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin: note who is at the other end."""
        # uvloop's transports do not derive from asyncio.Transport.
        self.transport = cast("asyncio.Transport", transport)
        self._peer = peer_of(transport.get_extra_info("peercert"))
        self._server.connections.add(self)
        self._now = asyncio.get_running_loop().time
        self._since = self._now()

    def connection_lost(self, exc: Exception | None) -> None:
        """End: forget what was waiting and tell whoever streams."""
        del exc
        self._server.connections.discard(self)
        self._waiting.clear()
        closed, self.closed = self.closed, None
        if closed is not None:
            closed()
        # The parser knows the connection; apart they are freed at once.
        self._parser = None

    def pause_writing(self) -> None:
        """Note that the client does not keep up."""
        self.writable.clear()

    def resume_writing(self) -> None:
        """Note that the client has caught up."""
        self.writable.set()
        if self.drained is not None:
            self.drained()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, which calls back for each part of a request."""
        if self._taker is not None:
            self._taker(data)
            return
        if self._held is not None:
            self._hold(data)
            return
        begins = self._phase == "idle" or not self._head
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # What follows may be of another protocol, which an extension server speaks, or another request.
            self._parser = httptools.HttpRequestParser(self)
            if self._busy:
                self._held = b""
            if rest := data[upgrade.args[0] :]:
                self.data_received(rest)
        except httptools.HttpParserError:
            method = methods.unknown(data) if begins else ""
            if method:
                self._parser, self._method = httptools.HttpRequestParser(self), method
                self._reset()
                self.data_received(methods.replaced(data, method))
                return
            self.refuse(MALFORMED)
        if self._phase == "head":
            self._head += len(data)
            if self._head > KEPT_HEAD:
                self.refuse(HEAD_TOO_LARGE)

    def give_to(self, taker: Callable[[bytes], None]) -> None:
        """Leave all that comes from now on to somebody who speaks another protocol."""
        held, self._held, self._taker = self._held, None, taker
        if held:
            taker(held)
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def _hold(self, data: bytes) -> None:
        self._held = (self._held or b"") + data
        if len(self._held) > KEPT_HEAD and self.transport.is_reading():
            self.transport.pause_reading()

    def overdue(self, now: float) -> bool:
        """Whether the client has taken longer for its next step than it may (FK-007)."""
        return not self._busy and now - self._since > PATIENCE[self._phase]

    def refuse(self, answer: bytes) -> None:
        """Answer something that is not HTTP, or too much of it, and close."""
        if not self._busy:
            self.transport.write(answer)
        self._waiting.clear()
        self.transport.close()

    # What the parser calls.

    def on_message_begin(self) -> None:
        """Begin to wait for the end of a head."""
        self._phase, self._since, self._head = "head", self._now(), 0

    def on_url(self, url: bytes) -> None:
        """Collect the request's target."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header."""
        self._headers.append((name.decode("latin-1").lower(), value.decode("utf-8", "replace")))

    def on_headers_complete(self) -> None:
        """Go on with the body; tell a client to go on that waits to be told."""
        self._phase = "body"
        expectation = next((value for name, value in self._headers if name == "expect"), "")
        if expectation.lower() == "100-continue" and not self._busy:
            self.transport.write(CONTINUE)

    def on_body(self, body: bytes) -> None:
        """Collect the body as far as it counts."""
        if self._size < KEPT_BODY:
            self._body.append(body[: KEPT_BODY - self._size])
        self._size += len(body)

    def on_message_complete(self) -> None:
        """Hand the request on, unless there is something against it."""
        self._phase = "idle"
        headers = tuple(self._headers)
        if refusal := objection(self._parser.get_http_version(), self._target, headers):
            self.refuse(refusal)
            return
        arrived = Arrived(
            method=self._method or self._parser.get_method().decode("ascii"),
            target=origin(self._target),
            headers=headers,
            body=b"".join(self._body),
            keep_alive=self._parser.should_keep_alive(),
            peer=self._peer,
        )
        self._reset()
        self._method = ""
        self._waiting.append(arrived)
        if len(self._waiting) > WAITING:
            self.transport.pause_reading()
        if not self._busy:
            self._serve()

    # What the server calls.

    def finished(self, *, keep_alive: bool) -> None:
        """Go on after an answer was written completely."""
        self._busy = False
        self._since = self._now()
        self.closed = None
        held, self._held = self._held, None
        if held and keep_alive:
            self.data_received(held)
        if not keep_alive:
            self._waiting.clear()
            self.transport.close()

    def later(self, *, keep_alive: bool) -> None:
        """Go on after an answer that was not given at once."""
        self.finished(keep_alive=keep_alive)
        self._serve()

    def _serve(self) -> None:
        while self._waiting and not self._busy and not self.transport.is_closing():
            self._busy = True
            self._server.respond(self._waiting.popleft(), self)
        if (
            len(self._waiting) <= WAITING
            and not self.transport.is_reading()
            and not self.transport.is_closing()
        ):
            self.transport.resume_reading()


def peer_of(certificate: dict[str, Any] | None) -> Peer:
    """Read user (CN) and groups (O) from a verified client certificate (FK-390)."""
    names = [pair for part in (certificate or {}).get("subject", ()) for pair in part]
    user = next((value for key, value in names if key == "commonName"), "")
    return (
        Peer(user=user, groups=tuple(value for key, value in names if key == "organizationName"))
        if user
        else ANONYMOUS_PEER
    )


def content_headers(response: Response) -> Pairs:
    """Return the headers that describe a response's body."""
    kind = (("Content-Type", response.content_type),) if response.content_type else ()
    return kind if response.code in {204, 304} else (*kind, ("Content-Length", str(len(response.body))))
