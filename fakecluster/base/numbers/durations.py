"""Durations such as `1h2m0.5s` in text,
as Go's time.ParseDuration reads them: 63 bits of nanoseconds (FK-014).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .integers import MOST, bounded
from .quoting import time_quote

SECOND = 10**9
UNITS: Mapping[str, int] = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
}
PART = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)")
TOLD_DIGITS, WHOLE = 18, 10**18
"""Digits of a fraction that count; the rest is below a nanosecond of the longest unit."""


class DurationError(ValueError):
    """A text is no duration; the message is Go's, without the package's name."""


def nanoseconds(text: str) -> int:
    """Read a duration. Raises DurationError."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return 0
    total, at = 0, 0
    while at < len(rest) or not at:
        match = PART.match(rest, at)
        if match is None or not (match[1] or match[2]):
            raise DurationError(f"invalid duration {time_quote(text)}")
        total += _part(match[1], match[2] or "", match[3], text)
        at = match.end()
        if total > MOST + (sign < 0):
            raise DurationError(f"invalid duration {time_quote(text)}")
    return sign * total


def wrapped(seconds: int) -> float:
    """Return so many seconds as 64 bits of nanoseconds hold them:
    Go's multiplication wraps around after 292 years.
    """
    return ((seconds * SECOND + 2**63) % 2**64 - 2**63) / SECOND


def _part(whole: str, fraction: str, unit: str, text: str) -> int:
    number = bounded(whole)
    if number > MOST + 1:
        raise DurationError(f"invalid duration {time_quote(text)}")
    if not unit:
        raise DurationError(f"missing unit in duration {time_quote(text)}")
    if unit not in UNITS:
        raise DurationError(f"unknown unit {time_quote(unit)} in duration {time_quote(text)}")
    told = int(fraction[:TOLD_DIGITS].ljust(TOLD_DIGITS, "0"))
    return number * UNITS[unit] + told * UNITS[unit] // WHOLE
