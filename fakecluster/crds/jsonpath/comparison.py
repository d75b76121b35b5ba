"""How filters of JSON paths compare: as Go's templates do, which tell whole numbers from fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = Any


class GoInt(int):
    """A whole number that does not come from an object: of the path itself, or a byte of a text.

    Its Go type is another one than that of numbers in objects, and columns show it as text only.
    """


class Incomparable(Exception):
    """Two values are of different types, or of types that are not compared."""


def _equal(left: Json, right: Json) -> bool:
    kind = _kind(left)
    if kind is not _kind(right):
        raise Incomparable
    return bool(left == right)


def _less(left: Json, right: Json) -> bool:
    kind = _kind(left)
    if kind is not _kind(right) or kind is bool:
        raise Incomparable
    return bool(left < right)


def _kind(value: Json) -> type:
    """Return what is compared with its like alone. Raises Incomparable."""
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind
    raise Incomparable


OPERATORS: Mapping[str, Callable[[Json, Json], bool]] = {
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    "<": _less,
    "<=": lambda left, right: _less(left, right) or _equal(left, right),
    ">": lambda left, right: not (_less(left, right) or _equal(left, right)),
    ">=": lambda left, right: not _less(left, right),
}
