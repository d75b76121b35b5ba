"""Durations such as `1h2m0.5s`, read as Go's time.ParseDuration reads them (VIS-131, VC-04)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from .quoting import time_quote

NANOSECONDS: Final[Mapping[str, int]] = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
LONGEST: Final = 2**63 - 1
DIGITS: Final = 18
"""Digits of a fraction that count; the rest is less than a nanosecond of the longest unit."""
_PART: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)", re.ASCII)


class DurationError(ValueError):
    """A text is no duration; the message is Go's."""


def nanoseconds(text: str) -> int:
    """Read a duration. Raises DurationError."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return 0
    total = at = 0
    while at < len(rest) or not at:
        match = _PART.match(rest, at)
        if match is None or not (match[1] or match[2]):
            raise _invalid(text)
        total += _part(match[1], match[2] or "", match[3], text)
        at = match.end()
        if total > LONGEST + (sign < 0):
            raise _invalid(text)
    return sign * total


def seconds(text: str) -> float:
    """Read a setting: a duration that is not negative, in seconds. Raises ValueError."""
    try:
        total = nanoseconds(text)
    except DurationError:
        total = -1
    if total < 0:
        raise ValueError(f"{text!r} is no duration; for example 30m or 1h30m")
    return total / 10**9


def _part(integer: str, fraction: str, unit: str, text: str) -> int:
    if not unit:
        raise DurationError(f"time: missing unit in duration {time_quote(text)}")
    if unit not in NANOSECONDS:
        raise DurationError(f"time: unknown unit {time_quote(unit)} in duration {time_quote(text)}")
    digits = integer.lstrip("0")  # int() refuses thousands of digits, zeros among them
    if len(digits) > len(str(LONGEST)):
        raise _invalid(text)
    scale = NANOSECONDS[unit]
    return int(digits or "0") * scale + int(f"{fraction:0<{DIGITS}}"[:DIGITS]) * scale // 10**DIGITS


def _invalid(text: str) -> DurationError:
    return DurationError(f"time: invalid duration {time_quote(text)}")
