"""Whole numbers of 32 or 64 bits in text, as Go's strconv reads them: bounds, and the words of what it
refuses (FK-028, FK-138).
"""

from __future__ import annotations

import re
from typing import Final

from .quoting import go_quote

MAX_INT64: Final = 2**63 - 1
MAX_DIGITS = 20
"""Digits of the greatest number of 64 bits."""
_DIGITS = re.compile(r"[0-9]*")


class NumberError(ValueError):
    """A text is no number of so many bits; the message is strconv's."""

    def __init__(self, reader: str, text: str, why: str) -> None:
        super().__init__(f"strconv.{reader}: parsing {go_quote(text)}: {why}")


def parse_int(text: str, bits: int = 64, *, reader: str = "ParseInt") -> int:
    """Read a whole number with or without a sign; `reader` is the function that messages name.

    Raises NumberError.
    """
    # One sign only, as strconv takes it; no underscores, which base 10 does not allow.
    plain = text[1:] if text[:1] in ("+", "-") else text
    magnitude = _parse_digits(plain, text, bits, reader)
    value = -magnitude if text[:1] == "-" else magnitude
    if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise NumberError(reader, text, "value out of range")
    return value


def parse_uint(text: str, bits: int = 64) -> int:
    """Read a whole number without a sign. Raises NumberError."""
    return _parse_digits(text, text, bits, "ParseUint")


def fits(text: str, bits: int) -> bool:
    """Whether a text is a whole number of so many bits."""
    try:
        parse_int(text, bits)
    except NumberError:
        return False
    return True


def short(text: str) -> int | None:
    """Return a number of decimal digits alone that 64 bits hold; None for any other text."""
    try:
        return parse_uint(text)
    except NumberError:
        return None


def _parse_digits(plain: str, text: str, bits: int, reader: str) -> int:
    """Read digits; a number out of range is reported before what
    follows its digits, as a parser from left to right does.
    """
    match = _DIGITS.match(plain)
    digits = match[0] if match else ""
    value = parse_capped(digits)
    # The range first: a number too long is out of range even with letters behind it.
    if value >= 2**bits:
        raise NumberError(reader, text, "value out of range")
    if not digits or digits != plain:
        raise NumberError(reader, text, "invalid syntax")
    return value


def parse_capped(digits: str) -> int:
    """Return the number that decimal digits say, 0 when there are none,
    and 2**64 for any that 64 bits do not hold.
    """
    plain = digits.lstrip("0")
    # int() of a long text takes the square of its length.
    return 2**64 if len(plain) > MAX_DIGITS else min(int(plain or "0"), 2**64)
