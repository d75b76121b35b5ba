"""exec and attach over a WebSocket: the API server opens it before
it dials the kubelet, and says there what failed (FK-485).
"""

from __future__ import annotations

from urllib.parse import quote_plus

import orjson

from ...api import status, websocket_request
from ...api.outcome import Request, WebSocketMessages
from ...api.routes import flag
from ...base.json_types import Json

PROTOCOL = "v5.channel.k8s.io"
"""The only protocol that the API server speaks itself: others it leaves to the kubelet."""
STDOUT, STDERR, ERROR = 1, 2, 3
"""Channels: the byte that a message begins with."""
PARAMETERS = {"stdin": "input", "stdout": "output", "stderr": "error", "tty": "tty"}
"""What the options of a request are called in that to the kubelet."""
HTML = {b"&": rb"\u0026", b"<": rb"\u003c", b">": rb"\u003e"}
"""What Go's encoder escapes in texts."""


def is_websocket_request(request: Request) -> bool:
    """Whether the API server answers with a WebSocket of its own."""
    headers = request.all_headers
    return websocket_request.is_upgrade(headers) and PROTOCOL in websocket_request.subprotocols(headers)


def refuse(request: Request, path: str, kubelet: str) -> WebSocketMessages:
    """Return what a client hears whose kubelet, at `kubelet`, refuses the connection."""
    query = _query(request)
    target = f"https://{kubelet}/{path}{'?' + query if query else ''}"
    error = status.internal(
        f'error sending request: Post "{target}": dial tcp {kubelet}: connect: connection refused'
    )
    return WebSocketMessages(
        protocol=PROTOCOL,
        messages=(bytes([_first_channel(request)]), bytes([ERROR]) + _encode(error.status)),
    )


def _first_channel(request: Request) -> int:
    """Return the channel on which an empty message opens the connection."""
    if flag(request.option("stdout")):
        return STDOUT
    return STDERR if flag(request.option("stderr")) else ERROR


def _query(request: Request) -> str:
    """Return the query of the request to the kubelet, in the order of its keys."""
    streams = [(name, "1") for option, name in PARAMETERS.items() if flag(request.option(option))]
    commands = (
        [pair for pair in request.query if pair[0] == "command"] if request.path.endswith("exec") else []
    )
    pairs = sorted([*streams, *commands], key=lambda pair: pair[0])
    return "&".join(f"{key}={quote_plus(value, safe='~')}" for key, value in pairs)


def _encode(failure: Json) -> bytes:
    """Return a Status as Go's encoder writes the bare struct: without kind, in the order of its fields."""
    fields = ("metadata", "status", "message", "reason", "details", "code")
    encoded = orjson.dumps({name: failure[name] for name in fields if name in failure})
    for character, escaped in HTML.items():
        encoded = encoded.replace(character, escaped)
    return encoded
