"""How answers become bytes: what verbs ask of a negotiated representation (FK-012, FK-029, FK-131)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, Protocol

from ..base.json_types import Json
from ..store import Stored
from .kind import Kind
from .outcome import Request

Shape = Literal["object", "list", "watch"]


class Encoder(Protocol):
    """One representation, chosen for a request."""

    content_type: str
    is_timeless: bool
    """Whether it writes the same objects the same way at any time, so that their encodings are kept."""

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode one object of the served version."""

    def stored(self, kind: Kind, stored: Stored) -> bytes:
        """Encode one stored object. Raises NeedsConversion."""

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Encode stored objects as a list."""

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Encode a watch event as a complete frame."""

    def bookmark(self, kind: Kind, revision: int, initial_end: bool) -> bytes:
        """Encode a bookmark as a complete frame."""

    def status(self, status: Json) -> bytes:
        """Encode a Status."""

    def error(self, status: Json) -> bytes:
        """Encode an ERROR event as a complete frame."""


Negotiate = Callable[[Request, Kind | None, Shape], Encoder]


SHAPES: Mapping[str, Shape] = {"list": "list", "deletecollection": "list", "watch": "watch"}
"""What verbs answer with that do not answer with an object."""
