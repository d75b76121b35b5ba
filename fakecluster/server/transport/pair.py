"""The two ends of a connection within one event loop: bytes written at one end arrive at the other a turn
of the loop later.

What travels are the bytes that a socket would carry, in the same order. A writer never waits for a reader:
both ends are of this process.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any


class PairedTransport(asyncio.Transport):
    """One end, with the protocol that reads there."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._protocol: asyncio.Protocol | None = protocol
        self.other: PairedTransport | None = None
        self._arrived: deque[bytes] = deque()
        self.unread_bytes = 0
        """Bytes that have arrived and are not read."""
        self._reading, self._planned, self._closing, self._ended = True, False, False, False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes to the other end."""
        if self.other is not None and not self._closing:
            self.other.take(bytes(data))

    def close(self) -> None:
        """Close when the other end has read everything."""
        if not self._closing:
            self._closing = True
            if self.other is not None:
                self.other.ends()
            # A turn later, as a transport of the loop does it: the caller may still be in the midst of its
            # protocol.
            asyncio.get_running_loop().call_soon(self._lose)

    def abort(self) -> None:
        """Cut the connection; what was not read is lost."""
        if self.other is not None:
            self.other.drop()
        self.close()

    def is_closing(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._closing

    def pause_reading(self) -> None:
        """Read nothing for the time being."""
        self._reading = False

    def resume_reading(self) -> None:
        """Go on reading."""
        self._reading = True
        self._plan()

    def is_reading(self) -> bool:
        """Whether what arrives is read."""
        return self._reading

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Do nothing: who writes is not made to wait."""

    def get_write_buffer_size(self) -> int:
        """Return how many bytes the other end has not read."""
        return self.other.unread_bytes if self.other is not None else 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return the default: there is no socket, and no certificate."""
        del name
        return default

    def take(self, data: bytes) -> None:
        """Have bytes read here; called by the other end, as are the next two."""
        self._arrived.append(data)
        self.unread_bytes += len(data)
        self._plan()

    def ends(self) -> None:
        """End when everything is read."""
        self._ended = True
        self._plan()

    def drop(self) -> None:
        """Forget what was not read."""
        self._arrived.clear()
        self.unread_bytes = 0

    def _plan(self) -> None:
        if not self._planned and (self._reading or self._ended):
            self._planned = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        """Read what has arrived; when the other end is closed and everything is read, end."""
        self._planned = False
        if self._protocol is not None and self._arrived and self._reading and not self._closing:
            data = b"".join(self._arrived)
            self.drop()
            self._protocol.data_received(data)
        if self._ended and not self._arrived:
            self._lose()

    def _lose(self) -> None:
        """Tell the protocol that the connection is over, once; the ends know each other no more."""
        protocol, self._protocol, self.other, self._closing = self._protocol, None, None, True
        if protocol is not None:
            protocol.connection_lost(None)


def connect(client: asyncio.Protocol, server: asyncio.Protocol) -> None:
    """Connect two protocols on the running loop."""
    near, far = PairedTransport(client), PairedTransport(server)
    near.other, far.other = far, near
    server.connection_made(far)
    client.connection_made(near)
