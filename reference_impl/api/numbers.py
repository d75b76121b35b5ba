"""Whole numbers in annotations, labels and suffixes, as Go's strconv reads them: 64 bits, and its words for
what is none.
"""

from __future__ import annotations

import re

LONGEST = 19
"""Digits of the greatest number of 64 bits."""
_INTEGER = re.compile(r"([-+]?)0*([0-9]+)", re.ASCII)


class NumberError(ValueError):
    """A text is no whole number of 64 bits; the message is Go's."""


def parse(text: str) -> int:
    """Read a number with or without a sign. Raises NumberError."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise NumberError(f'strconv.Atoi: parsing "{text}": invalid syntax')
    value = int(match[1] + match[2]) if len(match[2]) <= LONGEST else 2**63
    if not -(2**63) <= value < 2**63:
        raise NumberError(f'strconv.Atoi: parsing "{text}": value out of range')
    return value


def parse_int64(text: str) -> int | None:
    """Return the number in a text, None when there is none of 64 bits."""
    try:
        return parse(text)
    except NumberError:
        return None


def is_unsigned(text: str) -> bool:
    """Whether a text is a number of 64 bits without a sign."""
    plain = text.lstrip("0") or text[:1]
    return text.isascii() and text.isdecimal() and len(plain) <= LONGEST + 1 and int(plain) < 2**64


def of_32_bits(value: int) -> int:
    """Return a number truncated to 32 bits, as Go does."""
    return (value + 2**31) % 2**32 - 2**31
