"""Paths of members (`.spec.a`, `.spec['a.b']`) and the schema node they lead to (FK-272 fieldPath, FK-280)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ..base.json_types import Json

_PART = re.compile(r"'(?:\\.|[^'\\])*'|[.\[\]]|[^.\[\]]+")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "'": "'", "\\": "\\"}
NOWHERE = "does not refer to a valid field"


class PathError(Exception):
    """A path that leads nowhere; the text says why."""


class Target(Struct, frozen=True):
    """Where a path leads: its normal form as error messages use it, and the schema node."""

    path: str
    node: Json


def follow(schema: Json, path: str, *, brackets: bool = True) -> Target:
    """Follow a path through a schema. Raises PathError."""
    target, parts = Target("", schema), iter(_PART.findall(path))
    for part in parts:
        if part == "[":
            if not brackets:
                raise PathError("array notation is not allowed")
            target = _step(target, _quoted(_next(parts)))
            if (closing := _next(parts)) != "]":
                raise PathError(f"expected ] but got {closing}")
        elif part == ".":
            target = _step(target, _next(parts))
        else:
            raise PathError(f"expected [ or . but got: {part}")
    return target


def _next(parts: Iterator[str]) -> str:
    part = next(parts, None)
    if part is None:
        raise PathError("unexpected end of JSON path")
    return part


def _quoted(part: str) -> str:
    if len(part) < 2 or part[0] != "'" or part[-1] != "'":
        raise PathError(f"expected single quoted string but got {part}")
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), part[1:-1])


def _step(target: Target, name: str) -> Target:
    properties, extra = target.node.get("properties"), target.node.get("additionalProperties")
    if properties is None and isinstance(extra, dict):
        return Target(f"{target.path}[{name}]", extra)
    if properties is None or name not in properties:
        raise PathError(NOWHERE)
    return Target(f"{target.path}.{name}".lstrip("."), properties[name])
