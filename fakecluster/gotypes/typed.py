"""Decoding of built-in objects into their Go types: type errors in Go's words, unknown fields dropped and
listed, empty values left out exactly as a Go encoder leaves them out (FK-041, FK-042, FK-079, FK-502).

`decode` is what a real server does with every body and every patched object of a built-in kind. Duplicate
keys are seen where bytes become trees, not here.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct, field

from ..api.kind import Kind
from ..base.json_types import Json
from ..schema.fields import go_quote
from .codecs import Codec, DecodingContext, codec_of, members_of
from .types import message_of


class GoTypeError(Exception):
    """A value cannot be put into its Go type; the text is that of `encoding/json`."""


class DecodedObject(Struct, frozen=True):
    """What came of a tree: the canonical object,
    and the paths of fields that no type has, in document order.
    """

    object: Json
    unknown: tuple[str, ...] = field(default=())

    @property
    def strict_errors(self) -> tuple[str, ...]:
        """`unknown field "path"` for each, as fieldValidation reports them."""
        return tuple(f"unknown field {go_quote(path)}" for path in self.unknown)


def decode(kind: Kind, tree: Json) -> DecodedObject:
    """Decode a JSON tree as an object of a built-in kind. Raises GoTypeError."""
    return decode_message(message_of(kind), tree)


def decode_message(message: str, tree: Json) -> DecodedObject:
    """Decode a JSON tree as a message, such as `meta.v1.ObjectMeta` (FK-080)."""
    context = DecodingContext()
    value = _codec(message).decode(tree, context)
    if context.error:
        raise GoTypeError(context.error)
    return DecodedObject(value, tuple(context.unknown))


def encode_members(message: str, decoded: Json) -> Json:
    """Return a message of members that are decoded already,
    such as those of another version of its kind (FK-490).
    """
    return members_of(message).encode(decoded)


@cache
def _codec(message: str) -> Codec:
    return codec_of(message)
