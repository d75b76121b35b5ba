"""Why a strategically merged tree is no object of its type,
in the words of the converter that restores objects (FK-166).

It speaks of kinds of values where a JSON decoder speaks of fields, so the words are its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....base.json_types import Json
from ....schema.structural import Structural

_SOURCES = {str: "string", bool: "bool", list: "slice", dict: "map", int: "int64", float: "float64"}
_JSON_TYPES: Mapping[str, frozenset[type]] = {
    "string": frozenset({str}),
    "bool": frozenset({bool}),
    "int32": frozenset({int}),
    "int64": frozenset({int}),
    "float64": frozenset({int, float}),
}
_CONVERTIBLE_TYPES = frozenset({("int64", "string"), ("float64", "int32"), ("float64", "int64")})
"""Pairs that the language could convert and JSON does not allow; they have a text of their own."""


def problem(value: Json, typed: Structural) -> str:
    """Return why a value does not fit its type; empty when it does."""
    # null leaves the zero value of any type.
    if value is None:
        return ""
    if typed.type == "object":
        return _object(value, typed)
    if typed.type == "array":
        return _slice(value, typed)
    # Bytes are a slice to the converter, and a text in JSON.
    if typed.raw.get("format") == "byte":
        return "" if isinstance(value, str) else f"cannot restore slice from {_SOURCES[type(value)]}"
    return _scalar(value, _target(typed)) if _target(typed) in _JSON_TYPES else ""


def _object(value: Json, typed: Structural) -> str:
    if not isinstance(value, dict):
        go_kind = "map from" if typed.additional is not None else "struct from:"
        return f"cannot restore {go_kind} {_SOURCES[type(value)]}"
    children = ((child, value[name]) for name in value if (child := typed.child(name)) is not None)
    return next(filter(None, (problem(member, child) for child, member in children)), "")


def _slice(value: Json, typed: Structural) -> str:
    if not isinstance(value, list):
        return f"cannot restore slice from {_SOURCES[type(value)]}"
    items = typed.items
    return "" if items is None else next(filter(None, (problem(element, items) for element in value)), "")


def _target(typed: Structural) -> str:
    """Return the language's name of a scalar type; another word for types that read themselves."""
    if typed.type == "integer":
        return str(typed.raw.get("format") or "int64")
    plain = {"string": "string", "boolean": "bool", "number": "float64"}.get(typed.type, "")
    # Strings of a format, such as times, read themselves.
    return "" if plain == "string" and typed.raw.get("format") else plain


def _scalar(value: Json, target: str) -> str:
    source = _SOURCES[type(value)]
    is_whole_number = isinstance(value, float) and value.is_integer() and target.startswith("int")
    if type(value) in _JSON_TYPES[target] or is_whole_number:
        return ""
    if (source, target) in _CONVERTIBLE_TYPES:
        return f"cannot convert {source} to {target}"
    return f"unrecognized type: {target}"
