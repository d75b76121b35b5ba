"""Resource quantities in rules: `quantity("1.5Gi")` (FK-275)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

KEY = "__quantity"
_FORMAT = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+|)$", re.ASCII)
_BINARY = {f"{letter}i": Decimal(1024) ** (i + 1) for i, letter in enumerate("KMGTPE")}
_DECIMAL = {
    letter: Decimal(10) ** (3 * i - 9)
    for i, letter in enumerate(("n", "u", "m", "", "k", "M", "G", "T", "P", "E"))
}
Value = Mapping[str, Any]


def _parse(text: str) -> Decimal:
    match = _FORMAT.match(text)
    if match is None:
        raise ValueError(
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        )
    suffix = match[2]
    if suffix[:1] in {"e", "E"} and len(suffix) > 1:
        return Decimal(match[1] + suffix)
    return Decimal(match[1]) * (_BINARY.get(suffix) or _DECIMAL[suffix])


def _wrapped(number: Decimal) -> dict[str, str]:
    return {KEY: format(number.normalize(), "f")}


def number(value: Value | int) -> Decimal:
    """Return the number behind a quantity."""
    return Decimal(value) if isinstance(value, int) else Decimal(value[KEY])


def quantity(text: str) -> dict[str, str]:
    """Parse a quantity. Raises ValueError."""
    return _wrapped(_parse(text))


def is_quantity(text: str) -> bool:
    """Whether a text is a quantity."""
    return _FORMAT.match(text) is not None


def is_integer(value: Value) -> bool:
    """Whether a quantity is a whole number of 64 bits."""
    found = number(value)
    return found == found.to_integral_value() and -(2**63) <= found < 2**63


def as_integer(value: Value) -> int:
    """Return a quantity as an integer. Raises ValueError when it is none."""
    if not is_integer(value):
        raise ValueError("cannot convert value to integer")
    return int(number(value))


def as_float(value: Value) -> float:
    """Return a quantity as a float."""
    return float(number(value))


def sign(value: Value) -> int:
    """Return -1, 0 or 1."""
    return compare(value, 0)


def add(one: Value, other: Value | int) -> dict[str, str]:
    """Add two quantities, or a quantity and an integer."""
    return _wrapped(number(one) + number(other))


def subtract(one: Value, other: Value | int) -> dict[str, str]:
    """Subtract a quantity or an integer from a quantity."""
    return _wrapped(number(one) - number(other))


def compare(one: Value, other: Value | int) -> int:
    """Return -1, 0 or 1."""
    left, right = number(one), number(other)
    return (left > right) - (left < right)
