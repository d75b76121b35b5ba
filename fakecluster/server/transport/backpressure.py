"""A transport that hands its bytes on in pieces, as fast as the client takes them and other clients are
served in between.

What a transport of the event loop has been given it copies, and encrypts,
at once. Large answers are therefore kept as they are, and shared between
connections that are sent the same, until there is room for the next piece.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from .unread_bytes import UnreadBytes

WRITE_BYTES = 128 * 1024
"""Bytes that are handed on at a time."""
MAX_LOOP_BUFFER_BYTES = 64 * 1024
"""Bytes in the loop's own buffer above which nothing more is handed on."""
BYTES_PER_TURN = 256 * 1024
"""Bytes after which a client that keeps up waits for the loop's next turn, so that a fast one does not have
the loop to itself.
"""
STALLED_SECONDS = 60.0
"""Seconds of real time in which a client has to take something of what waits for it."""


class BackpressureTransport(asyncio.Transport):
    """Writes through another transport, whose protocol tells it to pause and to resume."""

    def __init__(
        self, transport: asyncio.Transport, unread: UnreadBytes, drained: Callable[[], None]
    ) -> None:
        super().__init__()
        self.unread = 0
        """Bytes that are not handed on yet."""
        self.writable = asyncio.Event()
        """Set while nothing waits here, the client reads and its turn is not over."""
        self.writable.set()
        self._transport = transport
        self._all = unread
        self._drained = drained
        """Called when it has become writable again."""
        self._queue: deque[bytes | memoryview] = deque()
        self._paused = self._resting = self._closing = False
        self._handed_bytes, self._turn_ends = 0, BYTES_PER_TURN
        self._taken_bytes, self._taken_at = -1, 0.0
        transport.set_write_buffer_limits(high=MAX_LOOP_BUFFER_BYTES)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes, behind those that wait."""
        # Small writes with nothing before them, nearly all, go straight to the loop.
        if self._waits or self._queue or len(data) > WRITE_BYTES:
            self._queue.append(data if isinstance(data, bytes) else bytes(data))
            self._count(len(data))
            self._hand_on()
        else:
            self._give(data)

    def pause(self) -> None:
        """Hand nothing on until the client has caught up."""
        self._paused = True
        self.writable.clear()

    def resume(self) -> None:
        """Hand on what waits."""
        self._paused = False
        self._go_on()

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
        self._count(-self.unread)

    def forget(self) -> None:
        """Drop what waits, and part from whom to tell:
        each knows the other, and apart they are freed at once.
        """
        self.drop()
        self._drained = _tell_nobody

    def is_stalled(self, current_time: float) -> bool:
        """Whether the client has taken nothing for too long; it is asked every now and then."""
        waiting_bytes = self.get_write_buffer_size()
        taken = self._handed_bytes + self.unread - waiting_bytes
        if not waiting_bytes or taken != self._taken_bytes:
            self._taken_bytes, self._taken_at = taken, current_time
        return current_time - self._taken_at > STALLED_SECONDS

    def is_closing(self) -> bool:
        """Whether it is closed, or will be when everything is sent."""
        return self._closing or self._transport.is_closing()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes the client has still to take."""
        return self.unread + self._transport.get_write_buffer_size()

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

    @property
    def _waits(self) -> bool:
        return self._paused or self._resting

    def _go_on(self) -> None:
        self._hand_on()
        if self.writable.is_set():
            self._drained()

    def _hand_on(self) -> None:
        while self._queue and not self._waits and not self._transport.is_closing():
            piece = self._queue.popleft()
            if len(piece) > WRITE_BYTES:
                view = memoryview(piece)
                # A view, not a copy: a list of megabytes is sent from the bytes that are stored.
                self._queue.appendleft(view[WRITE_BYTES:])
                piece = view[:WRITE_BYTES]
            self._count(-len(piece))
            self._give(piece)
        if self._queue or self._waits:
            self.writable.clear()
        else:
            self.writable.set()
        if self._closing and not self._queue:
            self._transport.close()

    def _give(self, piece: bytes | bytearray | memoryview) -> None:
        """Hand a piece to the loop; at the end of a turn the next one has to wait for it."""
        self._handed_bytes += len(piece)
        if self._handed_bytes >= self._turn_ends:
            self._resting = True
            self.writable.clear()
            # A turn for the others: a client that reads fast would keep the loop to itself.
            asyncio.get_running_loop().call_soon(self._end_rest)
        self._transport.write(piece)

    def _end_rest(self) -> None:
        self._resting = False
        self._turn_ends = self._handed_bytes + BYTES_PER_TURN
        self._go_on()

    def _count(self, by: int) -> None:
        self.unread += by
        self._all.change(self, by)


def _tell_nobody() -> None:
    """Do nothing: the connection is lost."""
