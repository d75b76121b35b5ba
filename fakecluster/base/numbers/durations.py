"""Durations such as `1h2m0.5s` in text,
as Go's time.ParseDuration reads them: 63 bits of nanoseconds (FK-014).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .integers import MAX_INT64, parse_capped
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
MAX_COMPONENTS = 1024
"""Numbers with a unit in one duration. Go reads any number of them, but a request may not cost so much."""
DURATION_COMPONENT = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)")
FRACTION_DIGITS, FRACTION_SCALE = 18, 10**18
"""Digits of a fraction that count; the rest is below a nanosecond of the longest unit."""


class DurationError(ValueError):
    """A text is no duration; the message is Go's, without the package's name."""


def nanoseconds(text: str) -> int:
    """Read a duration. Raises DurationError."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    # The only number that Go takes without a unit.
    if rest == "0":
        return 0
    total, at, components = 0, 0, 0
    while at < len(rest) or not at:
        if components == MAX_COMPONENTS:
            raise DurationError(f"invalid duration of more than {MAX_COMPONENTS} components")
        components += 1
        match = DURATION_COMPONENT.match(rest, at)
        if match is None or not (match[1] or match[2]):
            raise DurationError(f"invalid duration {time_quote(text)}")
        total += _component(match[1], match[2] or "", match[3], text)
        at = match.end()
        # The smallest int64 is one further from zero than the largest.
        if total > MAX_INT64 + (sign < 0):
            raise DurationError(f"invalid duration {time_quote(text)}")
    return sign * total


def wrap_to_64_bits(seconds: int) -> float:
    """Return so many seconds as 64 bits of nanoseconds hold them:
    Go's multiplication wraps around after 292 years.
    """
    return ((seconds * SECOND + 2**63) % 2**64 - 2**63) / SECOND


def _component(integer_digits: str, fraction: str, unit: str, text: str) -> int:
    number = parse_capped(integer_digits)
    # One beyond the largest is still possible where the sign is minus.
    if number > MAX_INT64 + 1:
        raise DurationError(f"invalid duration {time_quote(text)}")
    if not unit:
        raise DurationError(f"missing unit in duration {time_quote(text)}")
    if unit not in UNITS:
        raise DurationError(f"unknown unit {time_quote(unit)} in duration {time_quote(text)}")
    # Cut before it is multiplied: a text may have any number of digits.
    fraction_value = int(fraction[:FRACTION_DIGITS].ljust(FRACTION_DIGITS, "0"))
    return number * UNITS[unit] + fraction_value * UNITS[unit] // FRACTION_SCALE
