"""Why a call failed, in the words of Go's net, net/http, crypto/tls and crypto/x509 (FK-309, FK-311)."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from typing import Protocol

from . import distrust

NOT_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST")
HTTP_TO_HTTPS = "http: server gave HTTP response to HTTPS client"
NO_HANDSHAKE = "tls: first record does not look like a TLS handshake"
HELLO = b"\x16\x03\x01\x00\x05hello\r\n\r\n"
"""What a server without TLS takes for the begin of a request."""
PATIENCE = 5.0


class Reached(Protocol):
    """Whom a call connects to: an address, and the name it must show."""

    @property
    def host(self) -> str:
        """The host or address that is connected to."""

    @property
    def port(self) -> int:
        """Its port."""

    @property
    def name(self) -> str:
        """The name that its certificate must be good for."""

    @property
    def ca(self) -> bytes | None:
        """Whom its certificate must be signed by."""


async def told(error: OSError, reached: Reached) -> str:
    """Return the text of a failure to connect or to go on."""
    where = _joined(reached.host, reached.port)
    if isinstance(error, ssl.SSLCertVerificationError):
        shown = await _shown(reached)
        return distrust.problem(error.verify_code, shown, reached.name, reached.ca) if shown else str(error)
    if isinstance(error, ssl.SSLError) and error.reason in NOT_TLS:
        return HTTP_TO_HTTPS if await _speaks_http(reached) else NO_HANDSHAKE
    if isinstance(error, ssl.SSLError):
        return _tls(error)
    if isinstance(error, socket.gaierror):
        return f"dial tcp: lookup {reached.host}: no such host"
    if error.errno is None:
        return "EOF"
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return f"read tcp {where}: read: {_strerror(error.errno)}"
    return f"dial tcp {where}: connect: {_strerror(error.errno)}"


def malformed(line: bytes) -> str:
    """Return the text about an answer that is no HTTP."""
    shown = line.partition(b"\n")[0].rstrip(b"\r").decode("utf-8", "replace")
    return f'net/http: HTTP/1.x transport connection broken: malformed HTTP response "{shown}"'


def _strerror(number: int) -> str:
    return os.strerror(number).lower()


def _tls(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return "EOF"
    words = (error.reason or "handshake failure").lower().replace("_", " ")
    return f"remote error: tls: {words.removeprefix('sslv3 alert ').removeprefix('tlsv1 alert ')}"


def _joined(host: str, port: int) -> str:
    # Go names the address that it tried; of a name only the local one is known without asking.
    address = "127.0.0.1" if host == "localhost" else host
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


async def _shown(reached: Reached) -> bytes:
    """Return the certificate that is not trusted, empty when it cannot be had: the failed handshake does not tell it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(reached.host, reached.port, ssl=context)
    except OSError:
        return b""
    found: bytes | None = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.transport.abort()
    return found or b""


async def _speaks_http(reached: Reached) -> bool:
    """Whether a server without TLS answers a handshake in HTTP."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(reached.host, reached.port)
            writer.write(HELLO)
            found = await reader.read(5)
    except OSError:
        return False
    writer.transport.abort()
    return found == b"HTTP/"
