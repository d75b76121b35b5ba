"""Exponential backoff: the next delay is twice the last one, up to a limit, spread by jitter if given."""

from __future__ import annotations

from random import Random


class Backoff:
    """Delays of one thing that is tried again."""

    def __init__(self, *, base: float, limit: float, jitter: Random | None = None) -> None:
        self._base = base
        self._limit = limit
        self._jitter = jitter
        self._failures = 0

    def next(self) -> float:
        """Count a failure and return how long to wait."""
        # Beyond 64 doublings the limit holds anyway, and the power would only grow.
        delay = min(self._limit, self._base * 2.0 ** min(self._failures, 64))
        self._failures += 1
        # Jitter spreads clients that failed at the same moment.
        return delay if self._jitter is None else delay * (1.0 + self._jitter.random())

    def reset(self) -> None:
        """Forget the failures."""
        self._failures = 0
