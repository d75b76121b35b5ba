"""The frames of a watch as the server behind sends them: JSON lines, and what faults have to know of each (FK-140)."""

from __future__ import annotations

from typing import Any

import orjson
from msgspec import Struct

Json = Any
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
        self._rest = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the lines that are complete now, with their ends."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return [one + b"\n" for one in lines]

    @property
    def rest(self) -> bytes:
        """What came after the last whole line."""
        return self._rest


def seen(line: bytes) -> Seen:
    """Read one frame; a table is about the object of its first row."""
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError:
        return Seen("", "", "", 0, False)
    thing = event.get("object") or {}
    rows = thing.get("rows") or ()
    metadata = ((rows[0].get("object") or {}) if rows else thing).get("metadata") or {}
    said = str(metadata.get("resourceVersion", ""))
    notes = metadata.get("annotations") or {}
    return Seen(
        str(event.get("type", "")), str(metadata.get("namespace", "")), str(metadata.get("name", "")),
        int(said) if said.isdigit() else 0, INITIAL_END in notes,
    )  # fmt: skip


def error(failure: Json) -> bytes:
    """Return the frame that ends a watch with a Status."""
    return orjson.dumps({"type": "ERROR", "object": failure}) + b"\n"
