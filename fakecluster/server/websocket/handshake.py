"""The answer to a request for a WebSocket: 101, or a refusal in the few bytes that Go's package for WebSockets
writes, without the headers of other answers (FK-009, FK-140).
"""

from __future__ import annotations

import re

from wsproto.utilities import generate_accept_token

from ..http.message import Arrived
from ..transport.connection import Connection
from .client import WebSocketClient

VERSION = "13"
BAD_REQUEST = "HTTP/1.1 400 Bad Request\r\n"
FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\n\r\n"
NOT_A_WEBSOCKET = f"{BAD_REQUEST}\r\nnot websocket protocol".encode()
NO_KEY = f"{BAD_REQUEST}\r\nmismatch challenge/response".encode()
OTHER_VERSION = (
    f"{BAD_REQUEST}Sec-WebSocket-Version: {VERSION}\r\n\r\nmissing or bad WebSocket Version".encode()
)
SEVERAL_PROTOCOLS = f"{BAD_REQUEST}\r\n".encode()
ORIGIN = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:/")
"""What Go takes for an absolute address: the watch handler never answers a page whose origin it cannot read."""


def open_websocket(
    arrived: Arrived, connection: Connection, protocols: tuple[str, ...]
) -> WebSocketClient | None:
    """Answer a request that offers subprotocols, and return the client of the WebSocket, None when there is
    none.
    """
    refusal = refusal_of(arrived, protocols)
    connection.transport.write(refusal or _switching(arrived, protocols))
    if not refusal:
        return WebSocketClient(connection)
    connection.finished(keep_alive=False)
    return None


def refusal_of(arrived: Arrived, protocols: tuple[str, ...]) -> bytes:
    """Return what is answered when there is no WebSocket, empty when there is one."""
    if "upgrade" not in (arrived.header("connection") or "").lower():
        return NOT_A_WEBSOCKET
    if not arrived.header("sec-websocket-key"):
        return NO_KEY
    if arrived.header("sec-websocket-version") != VERSION:
        return OTHER_VERSION
    if not ORIGIN.match(arrived.header("origin") or ""):
        return FORBIDDEN
    # The handler of watches chooses none of several, and Go's package does not choose either.
    return SEVERAL_PROTOCOLS if len(protocols) > 1 else b""


def _switching(arrived: Arrived, protocols: tuple[str, ...]) -> bytes:
    key = (arrived.header("sec-websocket-key") or "").encode()
    lines = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Accept: {generate_accept_token(key).decode()}",
        *(f"Sec-WebSocket-Protocol: {protocol}" for protocol in protocols),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
