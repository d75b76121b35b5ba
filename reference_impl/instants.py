"""Moments as the API writes them: RFC 3339 with second precision (AC-008), seconds since the epoch inside."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache


@lru_cache(maxsize=4096)
def render(seconds: float) -> str:
    """Write a moment as the API does, cut to the second."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@lru_cache(maxsize=4096)
def parse(text: str) -> float:
    """Read a moment written by anybody: fractions and offsets are allowed."""
    return datetime.fromisoformat(text).timestamp()
