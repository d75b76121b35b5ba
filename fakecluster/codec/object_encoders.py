"""Answers with whole objects (FK-029, FK-131, FK-532).

What most clients want, compact JSON and protobuf, is made once per revision, kept with the stored object and
joined; a watch frame is made once and shared by all watchers (S3). YAML and indented JSON are written anew
for every answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..api.encoding import Encoder
from ..api.kind import Kind
from ..api.versions import to_served_version
from ..base.json_types import Json
from ..store import Stored, encode
from . import frames
from .forms import COMPACT, PROTOBUF, PROTOBUF_STREAM, Form
from .protobuf import writer
from .protobuf.table import message_for


class ObjectEncoder:
    """Whole objects in any form."""

    is_timeless = False

    def __init__(self, form: Form) -> None:
        self.content_type = form.content_type
        self._form = form

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode one object."""
        del kind
        return self._form.write(obj)

    def stored(self, kind: Kind, stored: Stored) -> bytes:
        """Encode one stored object."""
        return self.object(kind, to_served_version(kind, stored))

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Encode a list."""
        shown = [list_item(kind, stored) for stored in items]
        return self._form.write({**list_head(kind, metadata), "items": shown})

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Encode a watch event."""
        return self._form.event(type, to_served_version(kind, stored))

    def bookmark(self, kind: Kind, revision: int, initial_end: bool) -> bytes:
        """Encode a bookmark."""
        marker = frames.marker(kind.api_version, kind.kind, revision, initial_end=initial_end)
        return self._form.event("BOOKMARK", marker)

    def status(self, status: Json) -> bytes:
        """Encode a Status."""
        return self._form.write(status)

    def error(self, status: Json) -> bytes:
        """Encode an ERROR event."""
        return self._form.event("ERROR", status)


class SharedJsonEncoder(ObjectEncoder):
    """Compact JSON."""

    is_timeless = True

    def object(self, kind: Kind, obj: Json) -> bytes:
        """Encode one object."""
        del kind
        # The line break is that of json.Encoder, which the real server writes answers with.
        return encode(obj) + b"\n"

    def stored(self, kind: Kind, stored: Stored) -> bytes:
        """Return the encoding that lists and watchers of this version get."""
        return _shared_bytes(kind, stored) + b"\n"

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Join the encoded objects."""
        head = encode(list_head(kind, metadata))
        key = _item_key(kind)
        pieces = [stored.cache.get(key) or _item(kind, stored) for stored in items] or [b""]
        # One join of everything: a long list is not copied once more to get its ends.
        pieces[0] = b'%b,"items":[%b' % (head[:-1], pieces[0])
        pieces[-1] += b"]}\n"
        return b",".join(pieces)

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Return the frame that every watcher of this version gets."""
        return stored.encode_once(
            (kind.view, type), lambda _: frames.event(type, _shared_bytes(kind, stored))
        )


class SharedProtobufEncoder(ObjectEncoder):
    """Protobuf, of built-in kinds."""

    is_timeless = True

    def list(self, kind: Kind, items: Iterable[Stored], metadata: Json) -> bytes:
        """Join the messages of the objects."""
        # Fields in order of number: metadata is the first, the items follow.
        head = list_head(kind, metadata)
        items_bytes = b"".join([writer.item(_message(kind, stored)) for stored in items])
        return writer.wrap_in_envelope(
            head["apiVersion"], head["kind"], writer.list_metadata(metadata) + items_bytes
        )

    def event(self, kind: Kind, type: str, stored: Stored) -> bytes:  # noqa: A002
        """Return the frame that every watcher of this version gets."""
        return stored.encode_once(
            (kind.api_version, "protobuf", type),
            lambda _: frames.message(
                type, writer.wrap_in_envelope(kind.api_version, kind.kind, _message(kind, stored))
            ),
        )


def _message(kind: Kind, stored: Stored) -> bytes:
    message = message_for(kind.api_version, kind.kind)
    return stored.encode_once(
        (kind.api_version, "protobuf"), lambda _: writer.write(message, to_served_version(kind, stored))
    )


def _shared_bytes(kind: Kind, stored: Stored) -> bytes:
    shared: bytes | None = stored.cache.get(kind.view)
    if shared is not None:
        return shared
    shown = to_served_version(kind, stored)
    # The stored form is the served one: its JSON is made once for the store, its watchers and its answers.
    if shown is stored.object:
        shared = stored.cache[kind.view] = stored.json()
        return shared
    return stored.encode_once(kind.view, lambda _: encode(shown))


def _item(kind: Kind, stored: Stored) -> bytes:
    if kind.custom:
        return _shared_bytes(kind, stored)
    return stored.encode_once(_item_key(kind), lambda _: encode(list_item(kind, stored)))


def _item_key(kind: Kind) -> Hashable:
    return kind.view if kind.custom else (kind.api_version, "item")


def list_head(kind: Kind, metadata: Json) -> Json:
    """Return a list without its items; lists of custom resources
    always have a continue token, if an empty one (FK-131).
    """
    paged = {"continue": "", **metadata} if kind.custom else metadata
    return {"apiVersion": kind.api_version, "kind": kind.list_kind or f"{kind.kind}List", "metadata": paged}


def list_item(kind: Kind, stored: Stored) -> Json:
    """Return an object as a list shows it: built-in ones do not repeat what they are (FK-131)."""
    shown = to_served_version(kind, stored)
    return (
        shown
        if kind.custom
        else {key: value for key, value in shown.items() if key not in {"apiVersion", "kind"}}
    )


SHARED_JSON: Encoder = SharedJsonEncoder(COMPACT)
MESSAGES: Encoder = SharedProtobufEncoder(PROTOBUF)
MESSAGE_STREAM: Encoder = SharedProtobufEncoder(PROTOBUF_STREAM)


def whole(form: Form) -> Encoder:
    """Return the encoder of whole objects in a form."""
    encoders = {id(COMPACT): SHARED_JSON, id(PROTOBUF): MESSAGES, id(PROTOBUF_STREAM): MESSAGE_STREAM}
    return encoders.get(id(form)) or ObjectEncoder(form)
