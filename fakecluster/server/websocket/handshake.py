"""The answer to a request for a WebSocket: 101, or a refusal in the few bytes that Go's package for
WebSockets writes, without the headers of other answers (FK-009, FK-140).
"""

from __future__ import annotations

import re

from wsproto.utilities import generate_accept_token

from ...api.outcome import WebSocketMessages
from ..http.message import ArrivedRequest
from ..transport.connection import Connection
from . import messages
from .client import WebSocketClient

VERSION = "13"
BAD_REQUEST = "HTTP/1.1 400 Bad Request\r\n"
FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\n\r\n"
OTHER_METHOD = b"HTTP/1.1 405 Method Not Allowed\r\n\r\nbad method"
NOT_A_WEBSOCKET = f"{BAD_REQUEST}\r\nnot websocket protocol".encode()
NO_KEY = f"{BAD_REQUEST}\r\nmismatch challenge/response".encode()
OTHER_VERSION = (
    f"{BAD_REQUEST}Sec-WebSocket-Version: {VERSION}\r\n\r\nmissing or bad WebSocket Version".encode()
)
SEVERAL_PROTOCOLS = f"{BAD_REQUEST}\r\n".encode()
ABSOLUTE_URL = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:/")
"""What Go takes for an absolute address: the watch handler never answers a page whose origin it cannot read.
"""


def open_watch(
    arrived: ArrivedRequest, connection: Connection, protocols: tuple[str, ...]
) -> WebSocketClient | None:
    """Answer a watch that offers subprotocols, and return its client, None when there is no WebSocket."""
    refusal = _refusal(arrived) or _refusal_of_watch(arrived, protocols)
    connection.transport.write(refusal or _switching(arrived, protocols))
    if not refusal:
        return WebSocketClient(connection)
    connection.finish(keep_alive=False)
    return None


def send_messages(arrived: ArrivedRequest, connection: Connection, outcome: WebSocketMessages) -> None:
    """Open a WebSocket, and close it behind its messages."""
    answer = _refusal(arrived)
    if not answer:
        answer = (
            _switching(arrived, (outcome.protocol,))
            + b"".join(map(messages.binary, outcome.messages))
            + messages.CLOSE
        )
    connection.transport.write(answer)
    connection.finish(keep_alive=False)


def _refusal(arrived: ArrivedRequest) -> bytes:
    """Return what is answered when there is no WebSocket, empty when there is one."""
    if arrived.method != "GET":
        return OTHER_METHOD
    if "upgrade" not in (arrived.header("connection") or "").lower():
        return NOT_A_WEBSOCKET
    if not arrived.header("sec-websocket-key"):
        return NO_KEY
    return b"" if arrived.header("sec-websocket-version") == VERSION else OTHER_VERSION


def _refusal_of_watch(arrived: ArrivedRequest, protocols: tuple[str, ...]) -> bytes:
    """Return why there is no WebSocket for a watch, empty when there is one."""
    # Go's package refuses a handshake whose origin is no absolute address.
    if not ABSOLUTE_URL.match(arrived.header("origin") or ""):
        return FORBIDDEN
    # The handler of watches chooses none of several, and Go's package does not choose either.
    return SEVERAL_PROTOCOLS if len(protocols) > 1 else b""


def _switching(arrived: ArrivedRequest, protocols: tuple[str, ...]) -> bytes:
    key = (arrived.header("sec-websocket-key") or "").encode()
    lines = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Accept: {generate_accept_token(key).decode()}",
        *(f"Sec-WebSocket-Protocol: {protocol}" for protocol in protocols),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
