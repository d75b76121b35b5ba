"""Reads a message of a built-in kind as the JSON tree that a client would have sent instead (FK-530)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from ...base.json_types import Json
from ...patch.json.nesting import MAX_DEPTH
from .special_readers import SPECIAL_READERS
from .table import INLINED_NAME, Field, fields_of, message_for
from .wire import BYTES, FIXED64, VARINT, Value, WireError, double, fields, to_signed

MAGIC = b"k8s\x00"
PREFIX = "[107 56 115 0]"
JSON_SCHEMA = "apiextensions.v1.JSONSchemaProps"


class ProtobufError(Exception):
    """A body that is no protobuf message of a kind."""


def decode(body: bytes, api_version: str = "", kind: str = "") -> Json:
    """Return the object in a body; `api_version` and `kind`
    are those of the endpoint, for a body that says nothing.

    A list is read by the kind of its items; a kind that the table does not know comes back with nothing but
    its apiVersion and kind. Raises ProtobufError.
    """
    if not body:
        raise ProtobufError("empty data")
    if not body.startswith(MAGIC):
        raise ProtobufError(
            f"provided data does not appear to be a protobuf message, expected prefix {PREFIX}"
        )
    if body == MAGIC:
        raise ProtobufError("empty body")
    try:
        return _decode_envelope(body[len(MAGIC) :], api_version, kind)
    except WireError as error:
        raise ProtobufError(str(error)) from error


def _decode_envelope(envelope: bytes, api_version: str, kind: str) -> Json:
    envelope_fields = {number: value for number, _, value in fields(envelope)}
    type_meta = {number: value for number, _, value in fields(_bytes(envelope_fields.get(1, b"")))}
    api_version = _text(type_meta.get(1, b"")) or api_version
    kind = _text(type_meta.get(2, b"")) or kind
    return {
        "apiVersion": api_version,
        "kind": kind,
        **_content(api_version, kind, _bytes(envelope_fields.get(2, b""))),
    }


def _content(api_version: str, kind: str, raw: bytes) -> dict[str, Json]:
    if message := message_for(api_version, kind):
        return dict(read(message, raw))
    item = message_for(api_version, kind.removesuffix("List")) if kind.endswith("List") else ""
    return _list(item, raw) if item else {}


def _list(item: str, raw: bytes) -> dict[str, Json]:
    list_fields = [(number, _bytes(value)) for number, _, value in fields(raw)]
    metadata = next((value for number, value in list_fields if number == 1), b"")
    items = [read(item, value) for number, value in list_fields if number == 2]
    return {"metadata": read("meta.v1.ListMeta", metadata), "items": items}


def read(message: str, data: bytes, level: int = 0) -> Json:
    """Return the JSON form of a message, which is so many levels below the object. Raises WireError."""
    if special := SPECIAL_READERS.get(message):
        return _check_depth(special(data), level)
    union = UNIONS.get(message)
    return union(data, level) if union else _object(message, data, level + 1)


def _check_depth(value: Json, level: int) -> Json:
    """Parse JSON within a message, unless it nests too deep."""
    pending = [(value, level)] if isinstance(value, dict | list) else []
    # A loop, as the embedded JSON is as deep as a client likes.
    while pending:
        container, above = pending.pop()
        _check_level(above + 1)
        inside = container.values() if isinstance(container, dict) else container
        pending += [(child, above + 1) for child in inside if isinstance(child, dict | list)]
    return value


def _check_level(level: int) -> None:
    if level > MAX_DEPTH:
        raise WireError("proto: exceeded max depth")


def _object(message: str, data: bytes, level: int) -> dict[str, Json]:
    _check_level(level)
    table = fields_of(message)
    members: dict[str, Json] = {}
    for number, wire, raw in fields(data):
        field = table.get(number)
        # Unknown fields are skipped, as protobuf demands: a newer client may send them.
        if field is not None:
            _add(members, field, wire, raw, level)
    return members


def _add(members: dict[str, Json], field: Field, wire: int, raw: Value, level: int) -> None:
    if field.mapping:
        key, value = _entry(field, _bytes(raw), level + 1)
        members.setdefault(field.name, {})[key] = value
    elif field.repeated:
        members.setdefault(field.name, []).append(_value(field, wire, raw, level + 1))
    elif field.name == INLINED_NAME:
        # An embedded struct is a message of its own on the wire and no level in JSON.
        members.update(_value(field, wire, raw, level - 1))
    else:
        value = _value(field, wire, raw, level)
        # A Go encoder writes zero values of plain fields; JSON leaves them out.
        # Without pointer there is no telling an unset field from zero; JSON has `omitempty`.
        plain = field.type in SCALARS and not field.writes_zero
        if value is not None and not (plain and value in ("", 0, False)):
            members[field.name] = value


def _entry(field: Field, data: bytes, level: int) -> tuple[str, Json]:
    entry_fields = {number: (wire, value) for number, wire, value in fields(data)}
    key = _text(entry_fields.get(1, (BYTES, b""))[1])
    wire, raw = entry_fields.get(2, (BYTES, b"") if field.type not in "ilb" else (VARINT, 0))
    return key, _value(field, wire, raw, level)


def _value(field: Field, wire: int, raw: Value, level: int) -> Json:
    expected, convert = SCALARS.get(field.type, (BYTES, None))
    if wire != expected:
        raise WireError(f"proto: wrong wireType = {wire} for field {field.name[:1].upper()}{field.name[1:]}")
    return convert(raw) if convert else read(field.type, _bytes(raw), level)


def _bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise WireError("proto: wrong wireType = 0 for a message")
    return value


def _text(value: Value) -> str:
    return _bytes(value).decode("utf-8", "replace")


SCALARS: Mapping[str, tuple[int, Callable[[Any], Json]]] = {
    "s": (BYTES, lambda value: value.decode("utf-8", "replace")),
    "i": (VARINT, lambda value: to_signed(value, 32)),
    "l": (VARINT, to_signed),
    "b": (VARINT, bool),
    "y": (BYTES, lambda value: base64.b64encode(value).decode()),
    "d": (FIXED64, double),
}


def _union(data: bytes, level: int, schema: int, other: Callable[[Mapping[int, list[Value]]], Json]) -> Json:
    values_by_number: dict[int, list[Value]] = {}
    for number, _, value in fields(data):
        values_by_number.setdefault(number, []).append(value)
    return (
        read(JSON_SCHEMA, _bytes(values_by_number[schema][0]), level)
        if schema in values_by_number
        else other(values_by_number)
    )


UNIONS: Mapping[str, Callable[[bytes, int], Json]] = {
    f"{JSON_SCHEMA}OrBool": lambda data, level: _union(
        data, level, 2, lambda values: bool(values.get(1, [0])[0])
    ),
    f"{JSON_SCHEMA}OrArray": lambda data, level: _union(
        data,
        level,
        1,
        lambda values: [read(JSON_SCHEMA, _bytes(schema), level + 1) for schema in values.get(2, [])],
    ),
    f"{JSON_SCHEMA}OrStringArray": lambda data, level: _union(
        data, level, 1, lambda values: [_text(name) for name in values.get(2, [])]
    ),
}
