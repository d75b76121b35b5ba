"""One client connection: HTTP/1.1 in, answers out in order (FK-007, S10).

Requests are answered one after another even when they were pipelined, each in a turn of the loop of its own;
a watch keeps the connection until its stream ends. A client that does not read what it was answered is not
read from either.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Protocol, cast

from ...api.outcome import Response
from ..http.client_certificate import ClientCertificate
from ..http.message import ArrivedRequest, Pairs
from ..http.request_reader import Phase, RequestReader
from .backpressure import BackpressureTransport
from .unread_bytes import UnreadBytes

PHASE_TIMEOUT_SECONDS: Mapping[Phase, float] = {"head": 32.0, "body": 60.0, "idle": 90.0}
"""Seconds of real time in which a head, a whole request, and the next request have to come."""
READ_AHEAD = 64 * 1024
"""Bytes kept behind a request that is being answered, before the client is made to wait."""
READ_BYTES = 16 * 1024
"""Bytes that are read at a time: what is made of a pipeline
of small requests is much larger than the pipeline.
"""
LOG = logging.getLogger(__name__)


class Responder(Protocol):
    """What a connection asks of its server."""

    connections: set[Connection]
    unread: UnreadBytes
    stopped: bool

    def respond(self, arrived: ArrivedRequest, connection: Connection) -> None:
        """Answer the request now or later through `connection`."""


class Connection(asyncio.Protocol):
    """Reads requests, hands on one at a time, and waits until it is answered and the answer is taken."""

    def __init__(self, server: Responder) -> None:
        self._server = server
        self._reader = RequestReader(asyncio.get_running_loop().time)
        self._unread: deque[bytes | memoryview] = deque()
        """What came and is not looked at before the request that was complete first is answered."""
        self._ahead = 0
        self._busy = self._planned = self._begun = False
        self.transport: BackpressureTransport
        self._taker: Callable[[bytes], None] | None = None
        self._hung_up: Callable[[], None] = _nothing
        self.closed: Callable[[], None] | None = None
        """Called when the connection is lost; set by the stream that is written on it."""
        self.drained: Callable[[], None] | None = None
        """Called when the client has read everything; set by the stream that writes to it."""
        self._idle_since = 0.0

    @property
    def writable(self) -> asyncio.Event:
        """Set while the client reads the written bytes."""
        return self.transport.writable

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin: note who is at the other end."""
        # uvloop's transports do not derive from asyncio.Transport.
        below = cast("asyncio.Transport", transport)
        self.transport = BackpressureTransport(below, self._server.unread, self._on_drained)
        self._begun = True
        self._reader.peer = _peer(transport)
        if self._server.stopped:
            # Accepted before the port was closed, with a handshake that ended after it.
            self.transport.abort()
            return
        self._server.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End: forget what was waiting and tell the stream."""
        del exc
        self._server.connections.discard(self)
        self.transport.forget()
        self._taker, self._hung_up, self.drained = None, _nothing, None
        closed, self.closed = self.closed, None
        if closed is not None:
            closed()
        self._unread.clear()
        self._reader.forget()

    def pause_writing(self) -> None:
        """Note that the client does not keep up.

        uvloop says so even during a handshake, before the connection begins, when the server's part of it is
        long: it names the authority of client certificates.
        """
        if self._begun:
            self.transport.pause()

    def resume_writing(self) -> None:
        """Note that the client has caught up; what waits is written in a turn of its own.

        asyncio's transports tell a connection lost twice that is lost in a write from here.
        """
        if self._begun:
            asyncio.get_running_loop().call_soon(self.transport.resume)

    def _on_drained(self) -> None:
        self._idle_since = asyncio.get_running_loop().time()
        if self.drained is not None:
            self.drained()
        if self._taker is None:
            self._step()

    def data_received(self, data: bytes) -> None:
        """Keep what came until it is its turn."""
        if self._taker is not None:
            self._taker(data)
        elif not self._reader.ended and not self.transport.is_closing():
            self._unread.append(data)
            self._ahead += len(data)
            self._step()

    def eof_received(self) -> None:
        """Tell the handler of another protocol that nothing more will come; the transport closes itself."""
        self._hung_up()

    def give_to(self, taker: Callable[[bytes], None], on_hung_up: Callable[[], None] | None = None) -> None:
        """Leave all bytes that come from now on to the handler of another protocol; `hung_up` is called when
        the client has closed its side.
        """
        self._taker, self._hung_up = taker, on_hung_up or _nothing
        while self._unread:
            taker(bytes(self._unread.popleft()))
        self._ahead = 0
        self._read_on()

    def overdue(self, current_time: float) -> bool:
        """Whether the client has taken longer for its next step than it may (FK-007)."""
        if self.transport.is_stalled(current_time):
            return True
        # It is the client's turn only when nothing is being answered.
        if self._busy or self.transport.get_write_buffer_size():
            return False
        return (
            current_time - max(self._idle_since, self._reader.since)
            > PHASE_TIMEOUT_SECONDS[self._reader.phase]
        )

    def finish(self, *, keep_alive: bool) -> None:
        """Go on after an answer was written completely."""
        self._busy = False
        self._idle_since = asyncio.get_running_loop().time()
        self.closed = None
        if keep_alive:
            self._further()
        else:
            self.transport.close()

    def _further(self) -> None:
        if self._reader.ended and not self._reader.complete:
            self.transport.close()
        elif self._unread or self._reader.complete:
            self._plan()

    def _plan(self) -> None:
        """Go on in a turn of the loop of its own, however many requests were pipelined."""
        if not self._planned:
            self._planned = True
            # Each request in a turn of its own, or a pipeline of thousands would hold up all others.
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._planned = False
        self._step()

    def _step(self) -> None:
        """Read as far as the next request and have it answered."""
        if self._ready() and self._complete():
            # Answers wait while clients hold too many bytes; requests are read on.
            if self._server.unread.full:
                self._server.unread.wait(self._plan)
            else:
                self._answer(self._reader.complete.popleft())
        self._read_on()

    def _ready(self) -> bool:
        return not self._busy and self.writable.is_set() and not self.transport.is_closing()

    def _complete(self) -> bool:
        """Read until there is something to answer."""
        while self._unread and not self._reader.complete and not self._reader.ended:
            data = memoryview(self._unread.popleft())
            if len(data) > READ_BYTES:
                self._unread.appendleft(data[READ_BYTES:])
                data = data[:READ_BYTES]
            rest = self._reader.feed(data)
            self._ahead += len(rest) - len(data)
            if rest:
                self._unread.appendleft(rest)
        return bool(self._reader.complete)

    def _answer(self, request: ArrivedRequest | bytes) -> None:
        if isinstance(request, bytes):
            self.transport.write(request)
            self._further()
            return
        # Before the answer, which may be written at once and end the request.
        self._busy = True
        try:
            self._server.respond(request, self)
        except Exception:
            LOG.exception("%s %s failed", request.method, request.target)
            self.transport.abort()

    def _read_on(self) -> None:
        """Let the client send, or make it wait."""
        transport, may_read = self.transport, self._ahead <= READ_AHEAD
        if transport.is_closing() or transport.is_reading() is may_read:
            return
        if may_read:
            transport.resume_reading()
        else:
            transport.pause_reading()


def content_headers(response: Response) -> Pairs:
    """Return the headers that describe a response's body."""
    kind = (("Content-Type", response.content_type),) if response.content_type else ()
    # Answers that have no body by definition must not promise one.
    return kind if response.code in {204, 304} else (*kind, ("Content-Length", str(len(response.body))))


def _nothing() -> None:
    """Do nothing when the client has closed its side: the transport closes itself."""


def _peer(transport: asyncio.BaseTransport) -> ClientCertificate:
    secure = transport.get_extra_info("ssl_object")
    return ClientCertificate.of(
        transport.get_extra_info("peercert"), secure.getpeercert(binary_form=True) if secure else None
    )
