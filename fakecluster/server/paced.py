"""A transport that hands its bytes on in pieces, as fast as the client takes them.

What a transport of the event loop has been given it copies, and encrypts, at once. Large answers are therefore kept as they are,
and shared between connections that are sent the same, until there is room for the next piece.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from .unsent import Unsent

PIECE = 128 * 1024
"""Bytes that are handed on at a time."""
ENOUGH = 64 * 1024
"""Bytes in the loop's own buffer above which nothing more is handed on."""
STALLED_SECONDS = 60.0
"""Seconds of real time in which a client has to take something of what waits for it."""


class PacedTransport(asyncio.Transport):
    """Writes through another transport, whose protocol tells it to pause and to resume."""

    def __init__(self, transport: asyncio.Transport, unsent: Unsent) -> None:
        super().__init__()
        self.unsent = 0
        """Bytes that are not handed on yet."""
        self.writable = asyncio.Event()
        """Set while nothing waits here and the client reads."""
        self.writable.set()
        self._transport = transport
        self._all = unsent
        self._queue: deque[bytes | memoryview] = deque()
        self._paused = self._closing = False
        self._handed = 0
        self._taken, self._taken_at = -1, 0.0
        transport.set_write_buffer_limits(high=ENOUGH)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes, behind those that wait."""
        if self._paused or self._queue or len(data) > PIECE:
            self._queue.append(data if isinstance(data, bytes) else bytes(data))
            self._count(len(data))
            self._hand_on()
        else:
            self._handed += len(data)
            self._transport.write(data)

    def pause(self) -> None:
        """Hand nothing on until the client has caught up."""
        self._paused = True
        self.writable.clear()

    def resume(self) -> None:
        """Hand on what waits."""
        self._paused = False
        self._hand_on()

    def close(self) -> None:
        """Close when the client has taken everything."""
        self._closing = True
        if not self._queue:
            self._transport.close()

    def abort(self) -> None:
        """Cut the connection; what waits is dropped."""
        self.drop()
        self._transport.abort()

    def drop(self) -> None:
        """Forget what waits."""
        self._queue.clear()
        self._count(-self.unsent)

    def stalled(self, now: float) -> bool:
        """Whether the client has taken nothing for too long; it is asked every now and then."""
        held = self.get_write_buffer_size()
        taken = self._handed + self.unsent - held
        if not held or taken != self._taken:
            self._taken, self._taken_at = taken, now
        return now - self._taken_at > STALLED_SECONDS

    def is_closing(self) -> bool:
        """Whether it is closed, or will be when everything is sent."""
        return self._closing or self._transport.is_closing()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes the client has still to take."""
        return self.unsent + self._transport.get_write_buffer_size()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what the transport below knows."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Take nothing more from the client."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take from the client again."""
        self._transport.resume_reading()

    def is_reading(self) -> bool:
        """Whether the client may send."""
        return self._transport.is_reading()

    def _hand_on(self) -> None:
        while self._queue and not self._paused and not self._transport.is_closing():
            piece = self._queue.popleft()
            if len(piece) > PIECE:
                view = memoryview(piece)
                self._queue.appendleft(view[PIECE:])
                piece = view[:PIECE]
            self._count(-len(piece))
            self._handed += len(piece)
            self._transport.write(piece)
        if self._queue or self._paused:
            self.writable.clear()
        else:
            self.writable.set()
        if self._closing and not self._queue:
            self._transport.close()

    def _count(self, by: int) -> None:
        self.unsent += by
        self._all.changed(self, by)
