"""Numbers and moments in text that others have written: options, revisions, times of a subject's objects."""

from __future__ import annotations

import math
from datetime import datetime

DIGITS = 18
"""Of the longest whole number that is read: 64 bits hold it."""
YEAR_ONE = -62_135_596_800.0
"""Seconds from the epoch to the beginning of Python's calendar, for moments that are not in it."""


def whole(text: str) -> int | None:
    """Return a whole number of decimal digits, None for any other text."""
    digits = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    return int(text) if digits else None


def real(text: str) -> float | None:
    """Return a number that is neither infinite nor no number, None for any other text."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def moment(text: str) -> float:
    """Return a time of the API in seconds since the epoch; the API takes years that our calendar does not have."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return YEAR_ONE
