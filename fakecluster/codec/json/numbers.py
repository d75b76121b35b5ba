"""Numbers without a fraction are whole numbers, however they are written:
`1.0` and `1e3` are stored as 1 and 1000 (FK-029).

What has no place in 64 bits is what a float64 holds: the shortest digits that tell it from others, and zeros.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from math import isinf
from sys import float_info
from typing import Any

from ...base.json_types import Json

SUSPECT_NUMBER = rb"(?:[\"\s]:|[\[,\s])[-+]?(?:[0-9]+(?:\.[0-9]|[eE][-+]?[0-9])|[0-9]{19})"
"""What looks like a fraction, an exponent or very many digits where JSON or YAML may have a number; digits
within times and uids do not.
"""
HUGE_NUMBER = re.compile(rb"(?<=[:\[,\s])([-+]?[0-9]{309,}|[-+]?[0-9]+(?:\.[0-9]+)?[eE]\+?[0-9]{3,})")
"""What may be more than a float can hold."""
SIGNED, UNSIGNED, LONG = 2**63, 2**64, 1e21

NO_PATHS: frozenset[tuple[str, ...]] = frozenset()


@cache
def _finder() -> Any:
    import re2  # built-in objects need none; it reads a body six times as fast as `re`

    return re2.compile(SUSPECT_NUMBER)


def may_have_unusual_number(body: bytes) -> bool:
    """Tell whether a body may hold a number that is no plain whole one; few bodies do."""
    return _finder().search(body) is not None


def with_whole_numbers(tree: Json, except_paths: frozenset[tuple[str, ...]] = NO_PATHS) -> Json:
    """Return the tree of a body with whole numbers as such, `but` at these paths."""
    return _whole(tree, except_paths)


def beyond(tree: Json, body: bytes) -> str:
    """Return the literal of the first number of a body that no float holds; empty when there is none."""
    # Only the text has the literal; in the tree it is infinity.
    overflowing = [text for text in HUGE_NUMBER.findall(body) if isinf(float(text))]
    return overflowing[0].decode() if overflowing and _holds_beyond(tree) else ""


def _holds_beyond(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_beyond, value.values()))
    if isinstance(value, list):
        return any(map(_holds_beyond, value))
    return isinstance(value, int | float) and abs(value) > float_info.max


def _whole(value: Json, except_paths: frozenset[tuple[str, ...]] = NO_PATHS) -> Json:
    if isinstance(value, dict):
        return {key: _whole(child, _below(except_paths, key)) for key, child in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, float) and () not in except_paths:
        # 1.0 is stored as 1, because Go writes a float64 by its shortest digits.
        return whole(value)
    return fit(value) if type(value) is int else value


def fit(value: int) -> int | float:
    """Return a whole number as a reader with 64 bits understands it."""
    return value if -SIGNED <= value < SIGNED else whole(float(value))


def whole(value: float) -> int | float:
    """Return a float without a fraction as the whole number that
    it is written as, where 64 bits have a place for that.
    """
    if not value.is_integer() or abs(value) >= UNSIGNED:
        return value
    # By way of the shortest digits: int(1e22) would show digits that Go does not print.
    digits = int(Decimal(repr(value)))
    return digits if -SIGNED <= digits < UNSIGNED else value


def _below(paths: frozenset[tuple[str, ...]], key: str) -> frozenset[tuple[str, ...]]:
    return frozenset(path[1:] for path in paths if path and path[0] == key)


def text(value: float) -> str:
    """Return how Go writes a float that it computed: in full, unless it is very long."""
    return f"{Decimal(repr(value)):f}" if value.is_integer() and abs(value) < LONG else str(value)
