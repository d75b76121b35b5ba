"""How answers become bytes: what verbs ask of a negotiated representation, and the plain JSON one (FK-012, FK-029, FK-131).

`codec.py` negotiates the richer representations; verbs know only this Protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol

from ..store import Stored, encode
from .kinds import Kind
from .outcome import Request
from .versions import served

Json = Any
Shape = Literal["object", "list", "watch"]


class Encoder(Protocol):
    """One representation, chosen for a request."""

    content_type: str

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode one object of the served version."""

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


class PlainJson:
    """JSON with sorted keys; an object is encoded once per revision and version."""

    content_type = "application/json"

    def object(self, kind: Kind, obj: Json) -> bytes:
        del kind
        return encode(obj) + b"\n"

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        joined = b",".join(self._bytes(kind, one) for one in items)
        head = encode({"apiVersion": kind.api_version, "kind": f"{kind.kind}List", "metadata": metadata})
        return head[:-1] + b',"items":[' + joined + b"]}\n"

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        return b'{"type":"' + type.encode() + b'","object":' + self._bytes(kind, stored) + b"}\n"

    def bookmark(self, kind: Kind, revision: int, initial_end: bool) -> bytes:
        metadata: dict[str, Json] = {"resourceVersion": str(revision)}
        if initial_end:
            metadata["annotations"] = {"k8s.io/initial-events-end": "true"}
        marker = {"kind": kind.kind, "apiVersion": kind.api_version, "metadata": metadata}
        return b'{"type":"BOOKMARK","object":' + encode(marker) + b"}\n"

    def status(self, status: Json) -> bytes:
        return encode(status) + b"\n"

    def error(self, status: Json) -> bytes:
        return b'{"type":"ERROR","object":' + encode(status) + b"}\n"

    @staticmethod
    def _bytes(kind: Kind, stored: Stored) -> bytes:
        return stored.encoded(kind.api_version, lambda obj: encode(served(kind, obj)))


PLAIN_JSON = PlainJson()


def shape_of(verb: str) -> Shape:
    """Return what a verb answers with."""
    return "watch" if verb == "watch" else "list" if verb in {"list", "deletecollection"} else "object"


def plain(request: Request, kind: Kind | None, shape: Shape) -> Encoder:
    """Negotiate nothing: everybody gets JSON."""
    del request, kind, shape
    return PLAIN_JSON
