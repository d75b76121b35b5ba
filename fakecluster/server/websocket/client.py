"""What the client of a watch sends over its WebSocket: pings are answered, messages are read and ignored, and
a close, or the end of the connection, ends the watch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Any, Protocol

from wsproto.connection import SERVER, ConnectionState
from wsproto.connection import Connection as FrameConnection
from wsproto.events import CloseConnection, Event, Message, Ping, Pong

MESSAGE_BYTES = 32 * 1024 * 1024
"""Bytes of one frame, beyond which Go's package reads no further and the watch ends."""
FRAMES_A_TURN = 64
"""Frames that are read before other clients have their turn."""


class WebSocketWire(Protocol):
    """The connection below."""

    drained: Callable[[], None] | None

    @property
    def transport(self) -> asyncio.Transport:
        """Where bytes go."""

    @property
    def writable(self) -> asyncio.Event:
        """Set while the client reads the written bytes."""

    def give_to(self, taker: Callable[[bytes], None], on_hung_up: Callable[[], None]) -> None:
        """Leave all bytes that come from now on, and the end of the client's side, to others."""


class WebSocketClient:
    """The connection of a watch, which is a WebSocket from now on."""

    def __init__(self, wire: WebSocketWire) -> None:
        self.drained: Callable[[], None] | None = None
        """Called when the client reads again; set by the stream that writes to it."""
        self._wire = wire
        self._frames = FrameConnection(SERVER)
        self._frame_bytes = 0
        self._close: Callable[[], None] = _nothing
        self._unanswered: Pong | None = None
        """The answer to the newest ping, while the client does not read."""
        self._planned = False
        wire.drained = self._go_on

    @property
    def transport(self) -> asyncio.Transport:
        """Where bytes go."""
        return self._wire.transport

    @property
    def writable(self) -> asyncio.Event:
        """Set while the client reads the written bytes."""
        return self._wire.writable

    def follow(self, close: Callable[[], None]) -> None:
        """Read what the client sends from now on; `close` ends the watch in order."""
        self._close = close
        self._wire.give_to(self._feed, self._hung_up)

    def _feed(self, data: bytes) -> None:
        """Read what the client sent."""
        if self.transport.is_closing():
            return
        self._frames.receive_data(data)
        if not self._planned:
            self._read()

    def _hung_up(self) -> None:
        """End the watch of a client that sends nothing more: it has closed its side."""
        if not self.transport.is_closing():
            self._close()

    def _read(self) -> None:
        self._planned = False
        events = list(islice(self._frames.events(), FRAMES_A_TURN))
        for event in events:
            if self.transport.is_closing():
                return
            self._take(event)
        if self.transport.is_closing():
            return
        # A client that sends frames without end must not keep the loop.
        if len(events) == FRAMES_A_TURN:
            self.transport.pause_reading()
            self._planned = True
            asyncio.get_running_loop().call_soon(self._read)
        elif not self.transport.is_reading():
            self.transport.resume_reading()

    def _take(self, event: Event) -> None:
        if isinstance(event, Message):
            self._ignore(event)
        elif isinstance(event, Ping):
            self._unanswered = event.response()
            self._answer_ping()
        elif isinstance(event, CloseConnection):
            if self._frames.state is ConnectionState.OPEN:
                # The client did not ask for it: what it sent is no WebSocket.
                self.transport.write(bytes(self._frames.send(CloseConnection(code=event.code))))
            self._close()

    def _ignore(self, message: Message[Any]) -> None:
        self._frame_bytes += len(message.data)
        # As Go's package, which reads no further than this.
        if self._frame_bytes > MESSAGE_BYTES:
            self._close()
        if message.frame_finished:
            self._frame_bytes = 0

    def _answer_ping(self) -> None:
        """Answer the newest ping when the client reads: no answers pile up for one that does not."""
        if self._unanswered is not None and self.writable.is_set() and not self.transport.is_closing():
            self.transport.write(bytes(self._frames.send(self._unanswered)))
            self._unanswered = None

    def _go_on(self) -> None:
        self._answer_ping()
        if self.drained is not None:
            self.drained()


def _nothing() -> None:
    """End nothing: the watch has not begun."""
