"""The frames of a watch as messages of a WebSocket: text for JSON, binary for protobuf, which needs no length
before it here (FK-140, FK-532).
"""

from __future__ import annotations

from wsproto.connection import SERVER, Connection
from wsproto.events import BytesMessage, CloseConnection, Event, TextMessage

from ...codec.media import PROTOBUF
from ..watch.framing import Framing

NORMAL_CLOSURE = 1000
LENGTH_BYTES = 4


def _message(event: Event) -> bytes:
    """Return a whole message as a server writes it; frames of a server depend on nothing before them."""
    return bytes(Connection(SERVER).send(event))


def text(frame: bytes) -> bytes:
    """Return a line of JSON as a message."""
    return _message(TextMessage(data=frame.decode()))


def binary(data: bytes) -> bytes:
    """Return bytes as a message."""
    return _message(BytesMessage(data=data))


def without_length(frame: bytes) -> bytes:
    """Return a message of protobuf that stands behind its length as a message of its own."""
    # A message of a WebSocket has a length of its own.
    return binary(frame[LENGTH_BYTES:])


CLOSE = _message(CloseConnection(code=NORMAL_CLOSURE))
TEXT = Framing("text messages", text, CLOSE)
BINARY = Framing("binary messages", without_length, CLOSE)


def framing(content_type: str) -> Framing:
    """Return how a watch of a media type is written."""
    return BINARY if content_type.startswith(PROTOBUF) else TEXT
