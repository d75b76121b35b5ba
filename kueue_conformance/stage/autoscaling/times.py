"""The times that the autoscaler and its cloud have in a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AutoscalerTimes:
    """The times of a run in seconds: those of production on virtual time, shorter ones in real time, as the
    recordings have them.
    """

    scan: int
    first: int
    """Seconds before the first retry of a request that found no capacity."""
    most: int
    """The most seconds before a retry."""
    boot: int
    ready: int
    """Seconds until a machine has a Node, and again until that is ready."""

    shown: int
    """The number of delays that scenarios wait for: the longest occurs twice."""

    def delays(self, count: int) -> list[int]:
        """Return the first delays: each twice the one before, up to the longest (PR-122)."""
        delays = [self.first]
        while len(delays) < count:
            delays.append(min(2 * delays[-1], self.most))
        return delays


PRODUCTION, SCALED = AutoscalerTimes(20, 60, 600, 60, 5, 6), AutoscalerTimes(1, 5, 20, 3, 1, 4)
