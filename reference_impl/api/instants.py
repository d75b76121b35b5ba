"""Moments as the API writes them: RFC 3339 with second precision (AC-008), seconds since the epoch inside."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

ZERO = -62_135_596_800.0
"""Seconds from the epoch to Go's zero time; the API server has seen to it that it is a time at all."""


@lru_cache(maxsize=4096)
def render(seconds: float) -> str:
    """Write a moment as the API does, cut to the second."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@lru_cache(maxsize=4096)
def parse(text: str) -> float:
    """Read a moment written by anybody: fractions and offsets are allowed; one outside of our calendar is
    Go's zero time.
    """
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return ZERO
