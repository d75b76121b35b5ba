"""Why a call failed, in the words of Go's net, net/http, crypto/tls and crypto/x509 (FK-309, FK-311)."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Awaitable, Callable

from . import certificate_errors
from .link import ConnectTarget, Link

NOT_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST")
HTTP_TO_HTTPS = "http: server gave HTTP response to HTTPS client"
NO_HANDSHAKE = "tls: first record does not look like a TLS handshake"
TLS_HELLO = b"\x16\x03\x01\x00\x05hello\r\n\r\n"
"""What a server without TLS takes for the begin of a request."""
UNKNOWN_AUTHORITY = f"{certificate_errors.UNVERIFIED}certificate signed by unknown authority"
QUOTED_BYTES = 256
"""Bytes of a malformed line that are told."""
PROBE_TIMEOUT_SECONDS = 5.0
Connect = Callable[[ConnectTarget, ssl.SSLContext | None], Awaitable[Link]]
"""Connects to a target as far as it may be called."""


async def describe(error: OSError, target: ConnectTarget, connect: Connect) -> str:
    """Return the text of a failure to connect or to go on."""
    where = target.where
    if isinstance(error, ssl.SSLCertVerificationError):
        return _distrust(error.verify_code, await _untrusted_certificate(target, connect), target)
    # Go looks at the bytes of the answer; OpenSSL drops them, so they are asked for once more.
    if isinstance(error, ssl.SSLError) and error.reason in NOT_TLS:
        return HTTP_TO_HTTPS if await _speaks_http(target, connect) else NO_HANDSHAKE
    if isinstance(error, ssl.SSLError):
        return _tls(error)
    if isinstance(error, socket.gaierror):
        return f"dial tcp: lookup {target.host}: no such host"
    if error.errno is None:
        return "EOF"
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return f"read tcp {where}: read: {_strerror(error.errno)}"
    return f"dial tcp {where}: connect: {_strerror(error.errno)}"


def malformed_response(line: bytes) -> str:
    """Return the text about an answer that is no HTTP."""
    shown = line.partition(b"\n")[0].rstrip(b"\r")[:QUOTED_BYTES].decode("utf-8", "replace")
    return f'net/http: HTTP/1.x transport connection broken: malformed HTTP response "{shown}"'


def _distrust(code: int, shown: bytes, target: ConnectTarget) -> str:
    try:
        return certificate_errors.problem(code, shown, target.name, target.ca)
    except ValueError:
        return UNKNOWN_AUTHORITY  # it could not be had, or is none that can be read


def _strerror(number: int) -> str:
    return os.strerror(number).lower()


def _tls(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return "EOF"
    words = (error.reason or "handshake failure").lower().replace("_", " ")
    return f"remote error: tls: {words.removeprefix('sslv3 alert ').removeprefix('tlsv1 alert ')}"


async def _untrusted_certificate(target: ConnectTarget, connect: Connect) -> bytes:
    """Return the certificate that is not trusted,
    empty when it cannot be had: the failed handshake does not tell it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # To see the certificate, not to trust it: the connection is cut at once.
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
            link = await connect(target, context)
    except OSError:
        return b""
    certificate: bytes | None = link.writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    link.abort()
    return certificate or b""


async def _speaks_http(target: ConnectTarget, connect: Connect) -> bool:
    """Whether a server without TLS answers a handshake in HTTP."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
            link = await connect(target, None)
            link.write(TLS_HELLO)
            data = await link.read()
    except OSError:
        return False
    link.abort()
    return data.startswith(b"HTTP/")
