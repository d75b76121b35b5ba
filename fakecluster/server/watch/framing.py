"""How the frames of a watch are told apart on the wire:
as chunks of a body, or as messages of a WebSocket.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ..http.message import LAST_CHUNK, chunk


class Framing(Struct, frozen=True):
    """One way to put frames on the wire."""

    name: str
    wrap: Callable[[bytes], bytes]
    """Returns the bytes of one frame."""
    last: bytes
    """What ends a stream in order."""


CHUNKED = Framing("chunked", chunk, LAST_CHUNK)
