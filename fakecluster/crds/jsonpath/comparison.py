"""How filters of JSON paths compare: as Go's templates do, which tell whole numbers from fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.json_types import Json


class GoInt(int):
    """A whole number that does not come from an object: of the path itself, or a byte of a text.

    Its Go type is another one than that of numbers in objects, and columns show it as text only.
    """


class Incomparable(Exception):
    """Two values are of different types, or of types that are not compared."""


KINDS: Mapping[type, type] = {bool: bool, int: int, GoInt: int, float: float, str: str}
"""What is compared with its like alone."""


def incomparable(left: Json, right: Json) -> bool:
    """Raise Incomparable, as an operator does that there is not."""
    del left, right
    raise Incomparable


def _equal(left: Json, right: Json) -> bool:
    kind = KINDS.get(type(left))
    if kind is None or kind is not KINDS.get(type(right)):
        raise Incomparable
    return bool(left == right)


def _less(left: Json, right: Json) -> bool:
    kind = KINDS.get(type(left), bool)
    if kind is bool or kind is not KINDS.get(type(right)):
        raise Incomparable
    return bool(left < right)


OPERATORS: Mapping[str, Callable[[Json, Json], bool]] = {
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    "<": _less,
    "<=": lambda left, right: _less(left, right) or _equal(left, right),
    ">": lambda left, right: not (_less(left, right) or _equal(left, right)),
    ">=": lambda left, right: not _less(left, right),
}
