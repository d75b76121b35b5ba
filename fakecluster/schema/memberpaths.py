"""Paths of members (`.spec.a`, `.spec['a.b']`)
and the schema node they lead to (FK-272 fieldPath, FK-280).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ..base.json_types import Json

_PART = re.compile(r"'(?:\\.|[^'\\])*'|[.\[\]]|[^.\[\]]+")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "'": "'", "\\": "\\"}
NO_SUCH_FIELD = "does not refer to a valid field"


class PathError(Exception):
    """A path that leads nowhere; the text says why."""


class PathTarget(Struct, frozen=True):
    """Where a path leads: its normal form as error messages use it, and the schema node."""

    path: str
    node: Json


def follow(schema: Json, path: str, *, brackets: bool = True) -> PathTarget:
    """Follow a path through a schema. Raises PathError."""
    target, lexemes = PathTarget("", schema), iter(_PART.findall(path))
    for lexeme in lexemes:
        if lexeme == "[":
            if not brackets:
                raise PathError("array notation is not allowed")
            target = _step(target, _unquote(_next(lexemes)))
            if (closing := _next(lexemes)) != "]":
                raise PathError(f"expected ] but got {closing}")
        elif lexeme == ".":
            target = _step(target, _next(lexemes))
        else:
            raise PathError(f"expected [ or . but got: {lexeme}")
    return target


def _next(lexemes: Iterator[str]) -> str:
    lexeme = next(lexemes, None)
    if lexeme is None:
        raise PathError("unexpected end of JSON path")
    return lexeme


def _unquote(lexeme: str) -> str:
    if len(lexeme) < 2 or lexeme[0] != "'" or lexeme[-1] != "'":
        raise PathError(f"expected single quoted string but got {lexeme}")
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), lexeme[1:-1])


def _step(target: PathTarget, name: str) -> PathTarget:
    properties, extra = target.node.get("properties"), target.node.get("additionalProperties")
    if properties is None and isinstance(extra, dict):
        return PathTarget(f"{target.path}[{name}]", extra)
    if properties is None or name not in properties:
        raise PathError(NO_SUCH_FIELD)
    return PathTarget(f"{target.path}.{name}".lstrip("."), properties[name])
