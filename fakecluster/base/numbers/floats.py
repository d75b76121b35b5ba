"""Fractions as Go prints them (`%v`)."""

from __future__ import annotations

from decimal import Decimal
from math import isinf

PLAIN_EXPONENTS = range(-4, 6)
"""Exponents of what is printed without one; the whole numbers of Go's float64 count as fractions here."""


def go_float(value: float) -> str:
    """Return the fewest digits that tell a number from others, from a million on with an exponent."""
    # Decimal would print it as Infinity.
    if isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    power = len(digits) + exponent - 1 if any(digits) else 0
    if power in PLAIN_EXPONENTS:
        return f"{Decimal(repr(value)).normalize():f}"
    first, rest = str(digits[0]), "".join(map(str, digits[1:]))
    return f"{'-' * sign}{first}{'.' * bool(rest)}{rest}e{'-' if power < 0 else '+'}{abs(power):02d}"
