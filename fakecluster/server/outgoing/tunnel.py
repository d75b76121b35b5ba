"""Bytes of another protocol between a client and an extension server,
in both directions until either side ends (FK-437).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from .link import Link

MAX_BUFFERED_BYTES = 1024 * 1024
"""Bytes that wait to be written from which their sender has to wait."""


def switching(headers: Iterable[tuple[str, str]]) -> bytes:
    """Return the head of an answer that ends HTTP, in the words of the extension server."""
    lines = ["HTTP/1.1 101 Switching Protocols", *(f"{name.title()}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


class Tunnel:
    """Joins a client's transport with a connection to an extension server."""

    def __init__(self, client: asyncio.Transport, writable: asyncio.Event, link: Link) -> None:
        self._client = client
        self._writable = writable
        self._link = link
        self._writer = link.writer
        self._waiting: asyncio.Task[None] | None = None

    def feed(self, data: bytes) -> None:
        """Pass on what the client sent."""
        if self._writer.is_closing():
            return
        self._writer.write(data)
        if self._writer.transport.get_write_buffer_size() > MAX_BUFFERED_BYTES and self._waiting is None:
            # The side that reads slowly slows the other one down, instead of filling our memory.
            self._client.pause_reading()
            self._waiting = asyncio.get_running_loop().create_task(self._caught_up())

    async def run(self, first: bytes) -> None:
        """Pass on what the extension server sends, from its first bytes to its end."""
        data = first
        try:
            while data or (data := await self._link.read()):
                self._client.write(data)
                await self._writable.wait()
                data = b""
        finally:
            if self._waiting is not None:
                self._waiting.cancel()
            self._link.abort()

    async def _caught_up(self) -> None:
        try:
            await self._writer.drain()
        except ConnectionError:
            self._client.abort()
            return
        self._waiting = None
        if not self._client.is_closing():
            self._client.resume_reading()
