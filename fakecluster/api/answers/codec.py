"""Chooses and writes the representation of an answer: JSON, YAML, Table, PartialObjectMetadata (FK-010, FK-011, FK-020…027).

JSON of whole objects is made once per revision and joined; a watch frame is made once and shared by all watchers (S3).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from ...clock import Clock
from ...store import Stored, encode
from .. import status
from ..kinds import Kind
from ..outcome import Request
from ..versions import served
from . import frames, media, partial, tables
from .encoding import Encoder, Shape
from .media import Clause

Json = Any
Write = Callable[[Json], bytes]
CONVERSIONS = ("meta.k8s.io/v1", "meta.k8s.io/v1beta1")
ANY = Clause("*/*")
ORDINARY = frozenset({"", "*/*", media.JSON})
"""What most clients accept, answered without further thought."""
BROWSERS = ("curl", "Wget", "Mozilla/5.0")


@dataclass(frozen=True, slots=True)
class Negotiator:
    """Makes the encoder for a request; Table cells tell ages, so it knows the time."""

    clock: Clock

    def __call__(self, request: Request, kind: Kind | None, shape: Shape) -> Encoder:
        """Return the encoder. Raises 406 when nothing that the client accepts can be served."""
        accept = request.headers.get("accept", "")
        if accept in ORDINARY and not _pretty(request, ANY):
            return PLAIN
        if kind is not None and not kind.custom:
            _check_router(accept, shape)
        for clause in media.clauses(accept) or [ANY]:
            for media_type in _offered(shape):
                if clause.covers(media_type) and (found := self._encoder(request, clause, media_type, kind)):
                    return found
        raise status.not_acceptable(media.not_served(media.STREAMED if shape == "watch" else media.SERVED))

    def _encoder(
        self, request: Request, clause: Clause, media_type: str, kind: Kind | None
    ) -> Encoder | None:
        write = _writer(media_type, pretty=_pretty(request, clause))
        wanted = clause.wanted
        if not wanted:
            return Plain(media_type, write) if write is not encode else PLAIN
        version = f"{clause.params.get('g', '')}/{clause.params.get('v', '')}"
        if version not in CONVERSIONS or kind is None:
            return None
        if wanted == "Table":
            include = tables.included(request.option("includeObject"))
            return tables.TableEncoder(media_type, write, version, include, self.clock.now)
        if wanted in partial.KINDS:
            return partial.PartialEncoder(media_type, write, version, wanted)
        return None


class Plain:
    """Whole objects, written anew for every answer: YAML and indented JSON."""

    def __init__(self, content_type: str, write: Write) -> None:
        self.content_type = content_type
        self._write = write

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode one object."""
        del kind
        return self._write(obj)

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Encode a list."""
        return self._write(
            {**list_head(kind, metadata), "items": [list_item(kind, one.object) for one in items]}
        )

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Encode a watch event."""
        return frames.event(type, encode(served(kind, stored.object)))

    def bookmark(self, kind: Kind, revision: int, initial_end: bool) -> bytes:
        """Encode a bookmark."""
        return frames.event(
            "BOOKMARK", encode(frames.marker(kind.api_version, kind.kind, revision, initial_end=initial_end))
        )

    def status(self, status: Json) -> bytes:
        """Encode a Status."""
        return self._write(status)

    def error(self, status: Json) -> bytes:
        """Encode an ERROR event."""
        return frames.event("ERROR", encode(status))


class Shared(Plain):
    """Compact JSON: bytes are kept with the stored object and joined (FK-029, S3)."""

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode one object."""
        del kind
        return encode(obj) + b"\n"

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Join the encoded objects."""
        head = encode(list_head(kind, metadata))
        return b'%b,"items":[%b]}\n' % (head[:-1], b",".join([_item(kind, one) for one in items]))

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Return the frame that every watcher of this version gets."""
        return stored.encoded((_key(kind), type), lambda _: frames.event(type, _shared(kind, stored)))


def _shared(kind: Kind, stored: Stored) -> bytes:
    return stored.encoded(_key(kind), lambda obj: encode(served(kind, obj)))


def _key(kind: Kind) -> Hashable:
    """Return what an encoding depends on: the version, and the schema, whose defaults show without a write (FK-262)."""
    return (kind.api_version, id(kind.schema)) if kind.custom else kind.api_version


def _item(kind: Kind, stored: Stored) -> bytes:
    if kind.custom:
        return _shared(kind, stored)
    return stored.encoded((kind.api_version, "item"), lambda obj: encode(list_item(kind, obj)))


def list_head(kind: Kind, metadata: Json) -> Json:
    """Return a list without its items; lists of custom resources always have a continue token, if an empty one (FK-131)."""
    paged = {"continue": "", **metadata} if kind.custom else metadata
    return {"apiVersion": kind.api_version, "kind": kind.list_kind or f"{kind.kind}List", "metadata": paged}


def list_item(kind: Kind, obj: Json) -> Json:
    """Return an object as a list shows it: built-in ones do not repeat what they are (FK-131)."""
    shown = served(kind, obj)
    return (
        shown
        if kind.custom
        else {key: value for key, value in shown.items() if key not in {"apiVersion", "kind"}}
    )


def of_failure(request: Request, failure: Json) -> tuple[str, bytes]:
    """Return content type and body of a Status; a client that accepts nothing of ours gets indented JSON (FK-027)."""
    return plainly(request, failure) or (media.JSON, indented(failure))


def plainly(request: Request, value: Json) -> tuple[str, bytes] | None:
    """Return content type and body of something that cannot be converted; None when the client accepts neither form."""
    for clause in media.clauses(request.headers.get("accept", "")) or [ANY]:
        for media_type in (media.JSON, media.YAML):
            if clause.covers(media_type) and not clause.wanted:
                return media_type, _writer(media_type, pretty=_pretty(request, clause))(value)
    return None


def indented(value: Json) -> bytes:
    """Encode JSON for people."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)


def _line(value: Json) -> bytes:
    return encode(value) + b"\n"


def _writer(media_type: str, *, pretty: bool) -> Write:
    if media_type == media.YAML:
        from . import yamls  # few clients want YAML

        return yamls.dump
    return indented if pretty else _line


def _pretty(request: Request, clause: Clause) -> bool:
    """Whether JSON shall be indented: asked for, or the client is one that a person reads (FK-011)."""
    asked = request.option("pretty")
    if asked is not None:
        return asked not in {"", "false", "0"}
    return clause.params.get("pretty") == "1" or request.headers.get("user-agent", "").startswith(BROWSERS)


def _offered(shape: Shape) -> tuple[str, ...]:
    return (media.JSON,) if shape == "watch" else (media.JSON, media.YAML)


def _check_router(accept: str, shape: Shape) -> None:
    produced = media.SERVED if shape == "object" else (*media.SERVED, *media.STREAMED)
    if not media.routed(accept, produced):
        raise status.not_acceptable(media.not_routed(produced), {})


PLAIN: Encoder = Shared(media.JSON, _line)
