"""The syntax tree of a rule, read from the engine's serialized form (a cel.expr.CheckedExpr)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

Fields = Mapping[int, list[Any]]


class Const(Struct, frozen=True):
    """A literal."""

    id: int
    value: Any


class Ident(Struct, frozen=True):
    """A variable."""

    id: int
    name: str


class Select(Struct, frozen=True):
    """A field of something; `test` for `has(…)`."""

    id: int
    operand: Expr
    field: str
    test: bool


class Call(Struct, frozen=True):
    """A function or operator."""

    id: int
    target: Expr | None
    function: str
    args: tuple[Expr, ...]


class ListOf(Struct, frozen=True):
    """A list literal."""

    id: int
    elements: tuple[Expr, ...]


class MapOf(Struct, frozen=True):
    """A map literal."""

    id: int
    entries: tuple[tuple[Expr, Expr], ...]


class Entry(Struct, frozen=True):
    """A field of a message literal."""

    id: int
    name: str
    value: Expr


class New(Struct, frozen=True):
    """A message literal, such as `JSONPatch{op: "add"}`."""

    id: int
    name: str
    entries: tuple[Entry, ...]


class Comprehension(Struct, frozen=True):
    """What `all`, `exists`, `map` and `filter` become."""

    id: int
    variable: str
    second: str
    range: Expr
    accumulator: str
    start: Expr
    condition: Expr
    step: Expr
    result: Expr


Expr = Const | Ident | Select | Call | ListOf | MapOf | New | Comprehension


class Tree(Struct, frozen=True):
    """A rule's expression and where each part of it stands in the text."""

    expression: Expr
    positions: Mapping[int, int]


def read(serialized: bytes) -> Tree:
    """Return the tree of a parsed or checked expression, which comes wrapped in an Any."""
    # The envelope names its type, which says whether the checker has run: field numbers differ.
    wrapper = _fields(serialized)
    message = _fields(wrapper[2][0])
    where, expression_field = (3, 2) if wrapper[1][0].endswith(b".ParsedExpr") else (5, 4)
    source = _fields(message[where][0])
    pairs = (_fields(entry) for entry in source.get(4, ()))
    positions = {_first(pair, 1, 0): _first(pair, 2, 0) for pair in pairs}
    return Tree(_expression(message[expression_field][0]), positions)


def _expression(data: bytes) -> Expr:
    message = _fields(data)
    number = _first(message, 2, 0)
    # The field that is present says which kind of expression it is: a `oneof` has one of them.
    for kind, make in _MAKERS.items():
        if kind in message:
            expression: Expr = make(number, _fields(message[kind][0]))
            return expression
    return Const(number, None)


def _const(number: int, message: Fields) -> Expr:
    for kind, value in message.items():
        return Const(number, _CONSTANTS[kind](value[0]))
    return Const(number, None)


def _select(number: int, message: Fields) -> Expr:
    return Select(number, _expression(message[1][0]), _text(message, 2), bool(_first(message, 3, 0)))


def _call(number: int, message: Fields) -> Expr:
    target = _expression(message[1][0]) if 1 in message else None
    return Call(
        number, target, _text(message, 2), tuple(_expression(argument) for argument in message.get(3, ()))
    )


def _struct(number: int, message: Fields) -> Expr:
    entries = [_fields(entry) for entry in message.get(2, ())]
    if 1 in message:
        new_entries = (
            Entry(_first(entry, 1, 0), _text(entry, 2), _expression(entry[4][0])) for entry in entries
        )
        return New(number, _text(message, 1), tuple(new_entries))
    return MapOf(number, tuple((_expression(entry[3][0]), _expression(entry[4][0])) for entry in entries))


def _comprehension(number: int, message: Fields) -> Expr:
    operands = {field: _expression(message[field][0]) for field in (2, 4, 5, 6, 7)}
    return Comprehension(
        number,
        _text(message, 1),
        _text(message, 8),
        operands[2],
        _text(message, 3),
        operands[4],
        operands[5],
        operands[6],
        operands[7],
    )


_MAKERS: Mapping[int, Any] = {
    3: _const,
    4: lambda number, message: Ident(number, _text(message, 1)),
    5: _select,
    6: _call,
    7: lambda number, message: ListOf(number, tuple(_expression(element) for element in message.get(1, ()))),
    8: _struct,
    9: _comprehension,
}
_CONSTANTS: Mapping[int, Any] = {
    1: lambda _: None,
    2: bool,
    # Protocol buffers write a negative int64 as its two's complement in 64 bits.
    3: lambda value: value - (1 << 64) if value >= 1 << 63 else value,
    4: int,
    5: lambda value: struct.unpack("<d", value)[0],
    6: lambda value: value.decode(),
    7: bytes,
}


def _text(message: Fields, field: int) -> str:
    return str(message[field][0].decode()) if field in message else ""


def _first(message: Fields, field: int, otherwise: int) -> int:
    return int(message[field][0]) if field in message else otherwise


def _fields(data: bytes) -> Fields:
    values: dict[int, list[Any]] = {}
    for field, value in _walk(data):
        values.setdefault(field, []).append(value)
    return values


def _walk(data: bytes) -> Iterator[tuple[int, Any]]:
    position = 0
    while position < len(data):
        key, position = _varint(data, position)
        wire = key & 7
        if wire == 0:
            value, position = _varint(data, position)
            yield key >> 3, value
            continue
        # Of the fixed wire types, 1 has 8 bytes and 5 has 4; nothing else occurs in this message.
        size, position = _varint(data, position) if wire == 2 else ({1: 8, 5: 4}[wire], position)
        yield key >> 3, data[position : position + size]
        position += size


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return value, position


def parts(node: Expr) -> tuple[Expr, ...]:
    """Return the expressions that a node is made of."""
    match node:
        case Const() | Ident():
            return ()
        case Select():
            return (node.operand,)
        case Call():
            return (*((node.target,) if node.target is not None else ()), *node.args)
        case ListOf():
            return node.elements
        case MapOf():
            return tuple(expression for entry in node.entries for expression in entry)
        case New():
            return tuple(entry.value for entry in node.entries)
        case Comprehension():
            return node.range, node.start, node.condition, node.step, node.result
