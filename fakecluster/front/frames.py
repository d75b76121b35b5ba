"""The frames of a watch as the server behind sends them:
JSON lines, and what faults have to know of each (FK-140).
"""

from __future__ import annotations

import orjson
from msgspec import Struct

from ..base.json_types import Json
from ..server.outgoing.answer import NoAnswerError
from .objects import to_array, to_object, to_revision

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""Bytes of one frame: more than any object has in any form."""
INITIAL_END = "k8s.io/initial-events-end"


class FrameEvent(Struct, frozen=True):
    """One event."""

    type: str
    namespace: str
    name: str
    revision: int
    closes_initial: bool
    """It is the bookmark behind the events that a watch begins with."""


class LineJoiner:
    """Joins pieces of a stream into whole lines."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._held_bytes = 0

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the lines that are complete now, with their ends.

        Raises NoAnswerError when one is too long.
        """
        *lines, rest = piece.split(b"\n")
        if lines:
            # Only the first line can have begun in an earlier piece.
            lines[0] = self.rest + lines[0]
            self._pieces, self._held_bytes = [], 0
        self._pieces.append(rest)
        self._held_bytes += len(rest)
        if self._held_bytes > MAX_FRAME_BYTES:
            raise NoAnswerError(f"a frame of a watch is longer than {MAX_FRAME_BYTES} bytes")
        return [line + b"\n" for line in lines]

    @property
    def rest(self) -> bytes:
        """What came after the last whole line."""
        return b"".join(self._pieces)


def read_event(line: bytes) -> FrameEvent:
    """Read one frame; a table is about the object of its first row."""
    try:
        event = to_object(orjson.loads(line))
    except orjson.JSONDecodeError:
        return FrameEvent("", "", "", 0, False)
    shown = to_object(event.get("object"))
    # A watch of tables has one row an event, which names the object.
    first = to_array(shown.get("rows"))[:1]
    metadata = to_object((to_object(to_object(first[0]).get("object")) if first else shown).get("metadata"))
    return FrameEvent(
        str(event.get("type", "")),
        str(metadata.get("namespace", "")),
        str(metadata.get("name", "")),
        to_revision(metadata.get("resourceVersion")),
        INITIAL_END in to_object(metadata.get("annotations")),
    )


def error(failure: Json) -> bytes:
    """Return the frame that ends a watch with a Status."""
    return orjson.dumps({"type": "ERROR", "object": failure}) + b"\n"
