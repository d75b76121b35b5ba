"""JSON values as the server's messages print them,
in the notation of the language it is written in (FK-165, FK-204).
"""

from __future__ import annotations

import orjson

from ..base.json_types import Json

_TYPES: tuple[tuple[type, str], ...] = (
    # bool before int: in Python a bool is an int, and the first match is taken.
    (bool, "bool"),
    (str, "string"),
    (int, "int64"),
    (float, "float64"),
    (dict, "map[string]interface {}"),
    (list, "[]interface {}"),
)


def format_plain(value: Json) -> str:
    """Return a value as plain output shows it: `map[a:1 b:[x y]]`."""
    if isinstance(value, dict):
        # fmt prints maps by sorted key since Go 1.12; order of insertion would differ from run to run
        # there.
        return "map[" + " ".join(f"{name}:{format_plain(value[name])}" for name in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(format_plain, value)) + "]"
    return value if isinstance(value, str) else _scalar(value, null="<nil>")


def literal(value: Json) -> str:
    """Return a value as it would be written in source: `map[string]interface {}{"a":1}`."""
    if isinstance(value, dict):
        inside = ", ".join(f"{literal(name)}:{literal(value[name])}" for name in sorted(value))
        return f"{type_name(value)}{{{inside}}}"
    if isinstance(value, list):
        return type_name(value) + "{" + ", ".join(map(literal, value)) + "}"
    return _scalar(value, null="interface {}(nil)")


def as_text(value: Json) -> str:
    """Return a value as it appears where a message expected a text."""
    # A verb that does not fit its argument prints itself: %s of a number is `%!s(int64=5)`.
    return "%!s(<nil>)" if value is None else _inside_text(value)


def _inside_text(value: Json) -> str:
    """Return a value within one that appears where a text was expected."""
    if isinstance(value, dict):
        return "map[" + " ".join(f"{name}:{_inside_text(value[name])}" for name in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(_inside_text, value)) + "]"
    return value if isinstance(value, str) else "<nil>" if value is None else _mismatch(value)


def _mismatch(value: Json) -> str:
    return f"%!s({type_name(value)}={format_plain(value)})"


def type_name(value: Json) -> str:
    """Return the name of a value's type."""
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "<nil>")


def _scalar(value: Json, null: str) -> str:
    return null if value is None else orjson.dumps(value).decode()
