"""How long ago something was, in the words of kubectl (FK-422, FK-426)."""

from __future__ import annotations

from ..base.numbers.timestamps import since_epoch

MINUTE, HOUR, DAY = 60, 3600, 86_400
YEAR = 365 * DAY
MAX_DURATION_SECONDS = 2**63 // 10**9
"""What Go's Duration holds."""
UNKNOWN, INVALID = "<unknown>", "<invalid>"
AGE_STEPS = (
    # The limits of HumanDuration: 119 seconds are shown as such, 120 as 2m.
    (2 * MINUTE, 1, "s", 0, ""),
    (10 * MINUTE, MINUTE, "m", 1, "s"),
    (3 * HOUR, MINUTE, "m", 0, ""),
    (8 * HOUR, HOUR, "h", MINUTE, "m"),
    (2 * DAY, HOUR, "h", 0, ""),
    (8 * DAY, DAY, "d", HOUR, "h"),
    (2 * YEAR, DAY, "d", 0, ""),
    (8 * YEAR, YEAR, "y", DAY, "d"),
)
"""(below, unit, its letter, unit of a second part, its letter)"""


def duration(seconds: float) -> str:
    """Return a length of time, coarser the longer it is."""
    # Go subtracts times into a Duration, which stops at 292 years instead of going over.
    full_seconds = int(min(seconds, MAX_DURATION_SECONDS))
    # Clocks of two machines differ by a second easily; only more than that is shown as invalid.
    if full_seconds < -1:
        return INVALID
    if full_seconds < 0:
        return "0s"
    for below, unit, letter, smaller_unit, smaller_letter in AGE_STEPS:
        if full_seconds < below:
            smaller_count = full_seconds % unit // smaller_unit if smaller_unit else 0
            return (
                f"{full_seconds // unit}{letter}{f'{smaller_count}{smaller_letter}' if smaller_count else ''}"
            )
    return f"{full_seconds // YEAR}y"


def since(timestamp: str | None, current_time: float) -> str:
    """Return how long ago a timestamp was."""
    if not timestamp:
        return UNKNOWN
    try:
        return duration(current_time - to_epoch_seconds(timestamp))
    except ValueError:
        return INVALID


def to_epoch_seconds(timestamp: str) -> float:
    """Return a timestamp as seconds since the epoch. Raises ValueError."""
    return since_epoch(timestamp)
