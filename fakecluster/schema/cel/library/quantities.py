"""Resource quantities in rules: `quantity("1.5Gi")` (FK-275)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ....base.numbers.quantity import Quantity, QuantityError

KEY = "__quantity"
Value = Mapping[str, Any]


def _wrap(amount: Quantity) -> dict[str, str]:
    return {KEY: str(Quantity(amount.amount, "exponent"))}  # equal amounts are written alike


def _read(value: Value | int) -> Quantity:
    return Quantity(number(value))


def number(value: Value | int) -> Decimal:
    """Return the number behind a quantity."""
    return Decimal(value) if isinstance(value, int) else Decimal(value[KEY])


def quantity(text: str) -> dict[str, str]:
    """Parse a quantity. Raises QuantityError."""
    return _wrap(Quantity.of(text))


def is_quantity(text: str) -> bool:
    """Whether a text is a quantity."""
    try:
        Quantity.of(text)
    except QuantityError:
        return False
    return True


def is_integer(value: Value) -> bool:
    """Whether a quantity is a whole number of 64 bits."""
    amount = number(value)
    return -(2**63) <= amount < 2**63 and amount == amount.to_integral_value()


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


def add(value: Value, other: Value | int) -> dict[str, str]:
    """Add two quantities, or a quantity and an integer."""
    return _wrap(_read(value).plus(_read(other)))


def subtract(value: Value, other: Value | int) -> dict[str, str]:
    """Subtract a quantity or an integer from a quantity."""
    return _wrap(_read(value).minus(_read(other)))


def compare(value: Value, other: Value | int) -> int:
    """Return -1, 0 or 1."""
    left, right = number(value), number(other)
    return (left > right) - (left < right)
