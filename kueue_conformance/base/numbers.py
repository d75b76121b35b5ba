"""Parses numbers and times in text from outside: options, revisions, fields of a subject's objects."""

from __future__ import annotations

import math
import re
from datetime import datetime
from fractions import Fraction
from functools import lru_cache

DIGITS = 18
"""The most digits of a whole number: 64 bits hold it."""
YEAR_ONE = -62_135_596_800.0
"""The epoch time of Python's first datetime, used for earlier times."""

_QUANTITY = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))([KMGTPE]i|[numkMGTPE]?)(?:[eE]([+-]?\d{1,3}))?", re.ASCII)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = " KMGTPE"


def whole(text: str) -> int | None:
    """Parse a whole number of decimal digits; None for any other text."""
    digits = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    return int(text) if digits else None


def real(text: str) -> float | None:
    """Parse a finite number; None for any other text."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def moment(text: str) -> float:
    """Return a time of the API in seconds since the epoch;
    the API takes years that our calendar does not have.
    """
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return YEAR_ONE


@lru_cache(maxsize=4096, typed=True)
def amount(value: str | float) -> Fraction:
    """Parse a resource quantity such as `100m`, `2Gi` or `1e3`, exactly; nothing for a text that is none."""
    match = _QUANTITY.fullmatch(str(value))
    if match is None:
        return Fraction(0)
    digits, suffix, exponent = match.groups()
    if suffix.endswith("i"):
        return Fraction(digits) * int(1024 ** _BINARY.index(suffix[0]))
    power = int(exponent) if exponent else _DECIMAL[suffix]
    return Fraction(digits) * int(10**power) if power >= 0 else Fraction(digits) / int(10**-power)
