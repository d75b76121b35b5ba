"""How much one port of this program takes at once, and how long it waits for a peer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CONNECTIONS: Final = 256
REQUEST_SECONDS: Final = 10.0
"""From the first byte to the last of a request; the handshake of TLS has as long before that."""
IDLE_SECONDS: Final = 75.0
BODIES: Final = 128 << 20
"""Bytes of bodies that may be held at once, or be announced."""
UNSENT: Final = 256 << 20
"""Bytes of answers that clients have not taken yet, in all."""
HEAD_BYTES: Final = 64 << 10
STOP_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one server; `body_bytes` is for one request, `bodies` for all requests together."""

    connections: int = CONNECTIONS
    request_seconds: float = REQUEST_SECONDS
    idle_seconds: float = IDLE_SECONDS
    """For the next request on a connection, and for a client to read its answer."""
    bodies: int = BODIES
    unsent: int = UNSENT
    head_bytes: int = HEAD_BYTES
    body_bytes: int = 16 << 20
    stop_seconds: float = STOP_SECONDS
    """For answers that are under way when the server stops, and for what a refused client still sends."""
