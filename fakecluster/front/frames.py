"""The frames of a watch as the server behind sends them: JSON lines, and what faults have to know of each
(FK-140).
"""

from __future__ import annotations

import orjson
from msgspec import Struct

from ..base.json_types import Json
from ..server.outgoing.answer import NoAnswerError
from .objects import revision, rows, table

LIMIT = 16 * 1024 * 1024
"""Bytes of one frame: more than any object has in any form."""
INITIAL_END = "k8s.io/initial-events-end"


class Seen(Struct, frozen=True):
    """One event."""

    type: str
    namespace: str
    name: str
    revision: int
    closes_initial: bool
    """It is the bookmark behind the events that a watch begins with."""


class Lines:
    """Joins pieces of a stream into whole lines."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._held = 0

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the lines that are complete now, with their ends.

        Raises NoAnswerError when one is too long.
        """
        *lines, rest = piece.split(b"\n")
        if lines:
            lines[0] = self.rest + lines[0]
            self._parts, self._held = [], 0
        self._parts.append(rest)
        self._held += len(rest)
        if self._held > LIMIT:
            raise NoAnswerError(f"a frame of a watch is longer than {LIMIT} bytes")
        return [one + b"\n" for one in lines]

    @property
    def rest(self) -> bytes:
        """What came after the last whole line."""
        return b"".join(self._parts)


def seen(line: bytes) -> Seen:
    """Read one frame; a table is about the object of its first row."""
    try:
        event = table(orjson.loads(line))
    except orjson.JSONDecodeError:
        return Seen("", "", "", 0, False)
    shown = table(event.get("object"))
    first = rows(shown.get("rows"))[:1]
    metadata = table((table(table(first[0]).get("object")) if first else shown).get("metadata"))
    return Seen(
        str(event.get("type", "")),
        str(metadata.get("namespace", "")),
        str(metadata.get("name", "")),
        revision(metadata.get("resourceVersion")),
        INITIAL_END in table(metadata.get("annotations")),
    )


def error(failure: Json) -> bytes:
    """Return the frame that ends a watch with a Status."""
    return orjson.dumps({"type": "ERROR", "object": failure}) + b"\n"
