"""Writes the JSON tree of a built-in kind as the message that the real server answers with (FK-532).

A message is compiled once, from the table, to a tuple of functions in order of field number; Go's encoder
writes in that order, every member that is no pointer even when it is zero, and maps by key.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Mapping
from functools import cache

from ...base.json_types import Json
from .reader import JSON_SCHEMA, MAGIC
from .special_writers import BYTES_1, BYTES_2, SPECIAL_WRITERS
from .table import INLINED_NAME, Field, fields_of, message_for
from .wire import BYTES, FIXED64, VARINT, block, tag, varint

Write = Callable[[Json], bytes]
"""A value, or the object that a member is part of → its bytes; None stands for a value that is not set."""
EMPTY: Mapping[str, Json] = {}
EMPTY_CONTENT_TYPE = block(tag(3, BYTES), b"") + block(tag(4, BYTES), b"")
"""contentEncoding and contentType of the envelope, which are always written and always empty."""


def encode(api_version: str, kind: str, obj: Json) -> bytes:
    """Return an object as a complete answer. Raises KeyError for a kind without a message."""
    return wrap_in_envelope(api_version, kind, write(message_for(api_version, kind), obj))


def wrap_in_envelope(api_version: str, kind: str, raw: bytes) -> bytes:
    """Return a message in its envelope (spec/apiserver §2.7)."""
    return b"%b%b%b%b" % (MAGIC, _type_meta(api_version, kind), block(BYTES_2, raw), EMPTY_CONTENT_TYPE)


def write(message: str, value: Json) -> bytes:
    """Return a value as a message."""
    return writer_of(message)(value)


def item(data: bytes) -> bytes:
    """Return a message as one of a list's items."""
    return block(BYTES_2, data)


def list_metadata(value: Json) -> bytes:
    """Return the metadata of a list, which all of them have as their first field."""
    return block(BYTES_1, write("meta.v1.ListMeta", value))


@cache
def writer_of(message: str) -> Write:
    """Return what writes a message."""
    special = SPECIAL_WRITERS.get(message) or UNIONS.get(message)
    if special is not None:
        return special
    members = tuple(_member(number, field) for number, field in sorted(fields_of(message).items()))

    def write_object(value: Json) -> bytes:
        # Go writes a struct that is no pointer even when nothing in it is set.
        obj = EMPTY if value is None else value
        return b"".join([write_member(obj) for write_member in members])

    return write_object


@cache
def _type_meta(api_version: str, kind: str) -> bytes:
    return block(BYTES_1, block(BYTES_1, api_version.encode()) + block(BYTES_2, kind.encode()))


def _member(number: int, field: Field) -> Write:
    value = _tagged_writer(number, field.type)
    name = field.name
    if name == INLINED_NAME:
        return value
    if field.mapping:
        return _mapping(tag(number, BYTES), field)
    if field.repeated:
        return lambda obj: b"".join([value(item) for item in obj.get(name) or ()])
    if field.pointer or field.type == "y":
        return lambda obj: b"" if obj.get(name) is None else value(obj[name])
    return lambda obj: value(obj.get(name))


def _mapping(tagged: bytes, field: Field) -> Write:
    name, value = field.name, _tagged_writer(2, field.type)

    def write_map(obj: Json) -> bytes:
        # The generated marshalers sort the keys of maps, so that equal objects are equal bytes.
        entries = sorted((obj.get(name) or EMPTY).items())
        return b"".join(
            [block(tagged, block(BYTES_1, key.encode()) + value(child)) for key, child in entries]
        )

    return write_map


def _tagged_writer(number: int, kind: str) -> Write:
    """Return what writes a value behind its tag."""
    wire, convert = SCALARS.get(kind, (BYTES, None))
    tagged = tag(number, wire)
    if wire != BYTES:
        return lambda value: tagged + convert(value) if convert else b""
    if convert is not None:
        return lambda value: block(tagged, convert(value))
    # Schemas contain schemas, so the message is looked up when it is needed.
    return lambda value: block(tagged, writer_of(kind)(value))


def _number(value: Json) -> bytes:
    return varint(value or 0)


SCALARS: Mapping[str, tuple[int, Write]] = {
    "s": (BYTES, lambda value: value.encode() if value else b""),
    "i": (VARINT, _number),
    "l": (VARINT, _number),
    "b": (VARINT, lambda value: b"\1" if value else b"\0"),
    "y": (BYTES, lambda value: base64.b64decode(value or b"")),
    "d": (FIXED64, lambda value: struct.pack("<d", value or 0)),
}


def _schema_or_bool(value: Json) -> bytes:
    schema = isinstance(value, dict)
    allows = tag(1, VARINT) + (b"\1" if schema or value else b"\0")
    return allows + (block(BYTES_2, write(JSON_SCHEMA, value)) if schema else b"")


def _schema_or_schemas(value: Json) -> bytes:
    if isinstance(value, list):
        return b"".join([block(BYTES_2, write(JSON_SCHEMA, schema)) for schema in value])
    return b"" if value is None else block(BYTES_1, write(JSON_SCHEMA, value))


def _schema_or_names(value: Json) -> bytes:
    if isinstance(value, list):
        return b"".join([block(BYTES_2, name.encode()) for name in value])
    return b"" if value is None else block(BYTES_1, write(JSON_SCHEMA, value))


UNIONS: Mapping[str, Write] = {
    f"{JSON_SCHEMA}OrBool": _schema_or_bool,
    f"{JSON_SCHEMA}OrArray": _schema_or_schemas,
    f"{JSON_SCHEMA}OrStringArray": _schema_or_names,
}
