"""How long to wait before another try: twice as long after every failure."""

from __future__ import annotations

MAX_DOUBLINGS = 64
"""Doublings after which any wait has reached its limit; more would be no number."""


def exponential(first: float, times: int, most: float) -> float:
    """Return `first` seconds, doubled so many times, at most `most`."""
    return min(first * 2.0 ** min(times, MAX_DOUBLINGS), most)
