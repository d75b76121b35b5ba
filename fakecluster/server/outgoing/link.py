"""A connection to another server, and how it is opened."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

from msgspec import Struct

from ...base.tls import RecordReader

READ_BYTES = 65536


class ConnectTarget(Struct, frozen=True):
    """What a request connects to, and the name that it must show."""

    host: str
    port: int
    name: str
    ca: bytes | None
    """PEM of the authorities that its certificate must be signed by."""
    secure: bool = True
    is_configured: bool = False
    """Whether the address was given on the command line or
    in a kubeconfig, not by what is stored in a cluster.
    """

    @property
    def where(self) -> str:
        """Host and port in one, as messages tell them."""
        # Go names the address that it tried; of a name only the local one is known without asking.
        address = "127.0.0.1" if self.host == "localhost" else self.host
        return f"[{address}]:{self.port}" if ":" in address else f"{address}:{self.port}"


class Link:
    """A connection that counts what comes, so that bytes that nothing asked for are noticed."""

    def __init__(self, target: ConnectTarget, reader: CountingReader, writer: asyncio.StreamWriter) -> None:
        self.target = target
        self.reader = reader
        self.writer = writer
        self._read = 0

    @property
    def quiet(self) -> bool:
        """Whether it is open, and nothing has come since it was read last."""
        reader = self.reader
        return not reader.ended and reader.received == self._read and not self.writer.is_closing()

    async def read(self) -> bytes:
        """Return the next bytes, empty at the end. Raises OSError."""
        data = await self.reader.read(READ_BYTES)
        self._read += len(data)
        return data

    def write(self, data: bytes) -> None:
        """Send something."""
        self.writer.write(data)

    def abort(self) -> None:
        """Close it without a word."""
        self.writer.transport.abort()


class CountingReader(asyncio.StreamReader):
    """A stream that says how much has come in all."""

    received = 0
    ended = False

    def feed_data(self, data: Any) -> None:
        """Return the bytes that have been received."""
        self.received += len(data)
        super().feed_data(data)

    def feed_eof(self) -> None:
        """Take note of the end."""
        self.ended = True
        super().feed_eof()


def client_context(ca: bytes | None) -> ssl.SSLContext:
    """Return the client's side of TLS: what the given authorities signed is trusted, or
    what this machine trusts.
    """
    context = ssl.create_default_context(cadata=ca.decode() if ca else None)
    context.sslobject_class = RecordReader
    # Go trusts an intermediate authority that it is given; OpenSSL asks for its root.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    # Go has not looked at common names since 1.15.
    context.hostname_checks_common_name = False
    context.set_alpn_protocols(["http/1.1"])
    return context


async def open_link(target: ConnectTarget, host: str, context: ssl.SSLContext | None) -> Link:
    """Connect to a host or an address in place of the target's. Raises OSError."""
    loop = asyncio.get_running_loop()
    reader = CountingReader(loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    name = target.name if context else None
    transport, _ = await loop.create_connection(
        lambda: protocol, host, target.port, ssl=context, server_hostname=name
    )
    return Link(target, reader, asyncio.StreamWriter(transport, protocol, reader, loop))
