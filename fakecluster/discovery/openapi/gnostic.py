"""OpenAPI documents in protobuf, the form in which kubectl fetches version 2 (FK-374).

The messages are those of the gnostic models: a map is a list of named values, an extension is YAML text, and
where a reference may stand instead of a value both are members of a wrapper.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import lru_cache

import orjson

from ...base.json_types import Json
from ...codec.protobuf.wire import BYTES, FIXED64, VARINT, block, tag, varint

Write = Callable[[Json], bytes]
"""A value → its message, or in a table of members: a value → the field with its tag."""


def version2(document: Json) -> bytes:
    """Return a document of version 2 as a message."""
    return _V2(document)


def version3(document: Json) -> bytes:
    """Return a document of version 3 as a message."""
    return _V3(document)


def _message(extensions: int, members: Mapping[str, Write]) -> Write:
    """Return what writes an object: its members, and what begins with `x-` as extensions."""
    extension = _any_named(extensions) if extensions else None

    def write(value: Json) -> bytes:
        encoded_members = [field(value[key]) for key, field in members.items() if key in value]
        if extension:
            encoded_members += [extension(pair) for pair in value.items() if pair[0].startswith("x-")]
        return b"".join(encoded_members)

    return write


def _field(number: int, write: Write) -> Write:
    tagged = tag(number, BYTES)
    return lambda value: block(tagged, write(value))


def _repeated(number: int, write: Write) -> Write:
    field = _field(number, write)
    return lambda values: b"".join([field(item) for item in values])


def _pairs(number: int, write: Write) -> Write:
    """Return what writes a map as a list of pairs."""
    pair = _field(number, lambda item: _text(1)(item[0]) + _field(2, write)(item[1]))
    return lambda values: b"".join([pair(item) for item in values.items()])


def _text(number: int) -> Write:
    return _field(number, lambda value: value.encode())


def _texts(number: int) -> Write:
    return _repeated(number, lambda value: value.encode())


def _number(number: int) -> Write:
    # Tags are made once, when the tables below are built.
    tagged = tag(number, VARINT)
    return lambda value: tagged + varint(int(value))


def _double(number: int) -> Write:
    tagged = tag(number, FIXED64)
    return lambda value: tagged + struct.pack("<d", value)


def _any(value: Json) -> bytes:
    return _yaml(orjson.dumps(value))


@lru_cache(maxsize=1024)
def _yaml(content: bytes) -> bytes:
    """Return any value as YAML text; the same few values are found all over a document."""
    from ...codec.yaml import writer  # few clients ask for this form

    # gnostic keeps extensions and defaults as YAML text within the message.
    return block(tag(2, BYTES), writer.dump(orjson.loads(content)))


def _any_named(number: int) -> Write:
    return _field(number, lambda item: _text(1)(item[0]) + _field(2, _any)(item[1]))


def _or_reference(write: Write) -> Write:
    """Return what writes a wrapper of a value or of a reference to one."""
    value_field, reference = _field(1, write), _field(2, _message(0, {"$ref": _text(1)}))
    return lambda value: reference(value) if "$ref" in value else value_field(value)


def _schema_or_flag(write: Write) -> Write:
    return lambda value: _number(2)(value) if isinstance(value, bool) else _field(1, write)(value)


def _bounds(numbers: Mapping[str, int]) -> dict[str, Write]:
    """Return the members that limit a value."""
    floats = {"multipleOf", "maximum", "minimum"}
    return {name: _double(number) if name in floats else _number(number) for name, number in numbers.items()}


# A function, because the table that it uses refers to it.
def _schema2(value: Json) -> bytes:
    return _SCHEMA2(value)


_SCHEMA2 = _message(31, {
    "$ref": _text(1), "format": _text(2), "title": _text(3), "description": _text(4), "default": _field(5, _any),
    **_bounds({"multipleOf": 6, "maximum": 7, "exclusiveMaximum": 8, "minimum": 9, "exclusiveMinimum": 10,
               "maxLength": 11, "minLength": 12}),
    "pattern": _text(13),
    **_bounds({"maxItems": 14, "minItems": 15, "uniqueItems": 16, "maxProperties": 17, "minProperties": 18}),
    "required": _texts(19), "enum": _repeated(20, _any), "additionalProperties": _field(21, _schema_or_flag(_schema2)),
    "type": _field(22, _text(1)), "items": _field(23, _field(1, _schema2)), "properties": _field(25, _pairs(1, _schema2)),
})  # fmt: skip
_QUERY_PARAMETER2 = _message(
    23,
    {
        "required": _number(1),
        "in": _text(2),
        "description": _text(3),
        "name": _text(4),
        "type": _text(6),
        "uniqueItems": _number(20),
    },
)
_PATH_PARAMETER2 = _message(
    22,
    {
        "required": _number(1),
        "in": _text(2),
        "description": _text(3),
        "name": _text(4),
        "type": _text(5),
        "uniqueItems": _number(19),
    },
)
_BODY2 = _message(
    6,
    {
        "description": _text(1),
        "name": _text(2),
        "in": _text(3),
        "required": _number(4),
        "schema": _field(5, _schema2),
    },
)


def _parameter2(value: Json) -> bytes:
    location = value["in"]
    if location == "body":
        return _field(1, _BODY2)(value)
    return _field(2, _field(4, _PATH_PARAMETER2) if location == "path" else _field(3, _QUERY_PARAMETER2))(
        value
    )


_PARAMETER2 = _or_reference(_parameter2)
_RESPONSE2 = _message(5, {"description": _text(1), "schema": _field(2, _field(1, _schema2))})
_OPERATION2 = _message(13, {
    "tags": _texts(1), "description": _text(3), "operationId": _text(5), "produces": _texts(6), "consumes": _texts(7),
    "parameters": _repeated(8, _PARAMETER2), "responses": _field(9, _pairs(1, _or_reference(_RESPONSE2))),
    "schemes": _texts(10),
})  # fmt: skip
_PATH2 = _message(
    10,
    {
        **{
            method: _field(number, _OPERATION2)
            for number, method in enumerate(("get", "put", "post", "delete", "options", "head", "patch"), 2)
        },
        "parameters": _repeated(9, _PARAMETER2),
    },
)
_KEY2 = _message(5, {"type": _text(1), "name": _text(2), "in": _text(3), "description": _text(4)})
_V2 = _message(16, {
    "swagger": _text(1), "info": _field(2, _message(7, {"title": _text(1), "version": _text(2)})),
    "paths": _field(8, _pairs(2, _PATH2)), "definitions": _field(9, _pairs(1, _schema2)),
    "parameters": _field(10, _pairs(1, _parameter2)), "security": _repeated(12, _pairs(1, _texts(1))),
    "securityDefinitions": _field(13, _pairs(1, _field(2, _KEY2))),
})  # fmt: skip


# As above: schemas contain schemas.
def _schema3(value: Json) -> bytes:
    return _or_reference(_SCHEMA3)(value)


def _default3(value: Json) -> bytes:
    if isinstance(value, bool):
        return _number(2)(value)
    if isinstance(value, str):
        return _text(3)(value)
    return _double(1)(value) if isinstance(value, int | float) else b""


def _not3(value: Json) -> bytes:
    return _SCHEMA3(value)


_SCHEMA3 = _message(36, {
    **_bounds({"nullable": 1}), "title": _text(9),
    **_bounds({"multipleOf": 10, "maximum": 11, "exclusiveMaximum": 12, "minimum": 13, "exclusiveMinimum": 14,
               "maxLength": 15, "minLength": 16}),
    "pattern": _text(17),
    **_bounds({"maxItems": 18, "minItems": 19, "uniqueItems": 20, "maxProperties": 21, "minProperties": 22}),
    "required": _texts(23), "enum": _repeated(24, _any), "type": _text(25), "allOf": _repeated(26, _schema3),
    "oneOf": _repeated(27, _schema3), "anyOf": _repeated(28, _schema3), "not": _field(29, _not3),
    "items": _field(30, _field(1, _schema3)), "properties": _field(31, _pairs(1, _schema3)),
    "additionalProperties": _field(32, _schema_or_flag(_schema3)), "default": _field(33, _default3),
    "description": _text(34), "format": _text(35),
})  # fmt: skip
_MEDIA3 = _pairs(1, _message(5, {"schema": _field(1, _schema3)}))
_PARAMETER3 = _or_reference(
    _message(
        14,
        {
            "name": _text(1),
            "in": _text(2),
            "description": _text(3),
            "required": _number(4),
            "schema": _field(10, _schema3),
        },
    )
)
_BODY3 = _or_reference(
    _message(4, {"description": _text(1), "content": _field(2, _MEDIA3), "required": _number(3)})
)
_RESPONSE3 = _or_reference(_message(5, {"description": _text(1), "content": _field(3, _MEDIA3)}))
_OPERATION3 = _message(
    13,
    {
        "tags": _texts(1),
        "description": _text(3),
        "operationId": _text(5),
        "parameters": _repeated(6, _PARAMETER3),
        "requestBody": _field(7, _BODY3),
        "responses": _field(8, _pairs(2, _RESPONSE3)),
    },
)
_PATH3 = _message(
    14,
    {
        **{
            method: _field(number, _OPERATION3)
            for number, method in enumerate(("get", "put", "post", "delete", "options", "head", "patch"), 4)
        },
        "parameters": _repeated(13, _PARAMETER3),
    },
)
_KEY3 = _or_reference(
    _message(9, {"type": _text(1), "description": _text(2), "name": _text(3), "in": _text(4)})
)
_V3 = _message(9, {
    "openapi": _text(1), "info": _field(2, _message(7, {"title": _text(1), "version": _text(6)})),
    "paths": _field(4, _pairs(1, _PATH3)),
    "components": _field(5, _message(10, {
        "schemas": _field(1, _pairs(1, _schema3)), "securitySchemes": _field(7, _pairs(1, _KEY3)),
    })),
})  # fmt: skip
