"""How many seats a level was asked for: those in use and those waited for, over time (FK-520)."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

FADING = 0.977
"""What is left of an earlier demand after a period."""


class Demand(Struct):
    """The demand on one level since the last look."""

    since: float
    seats: int = 0
    highest: int = 0
    smoothed: float = 0.0
    """Follows a rise at once, and a fall slowly."""
    _now_highest: int = 0
    _elapsed: float = 0.0
    _sum: float = 0.0
    _squares: float = 0.0

    def add(self, seats: int, now: float) -> None:
        """Note that more seats are asked for, or fewer."""
        self._integrate(now)
        self.seats += seats
        self._now_highest = max(self._now_highest, self.seats)

    def close(self, now: float, further: int = 0) -> None:
        """End a period, and so many further ones in which nothing changed."""
        self._integrate(now)
        if self._elapsed > 0:
            average = self._sum / self._elapsed
            deviation = sqrt(max(0.0, self._squares / self._elapsed - average * average))
            self._smooth(average + deviation, 1)
        self.highest = self._now_highest
        if further:
            self._smooth(self.seats, further)
            self.highest = self.seats
        self._now_highest = self.seats
        self._elapsed = self._sum = self._squares = 0.0

    def _smooth(self, demand: float, periods: int) -> None:
        self.smoothed = max(demand, demand + (self.smoothed - demand) * FADING**periods)

    def _integrate(self, now: float) -> None:
        span, self.since = now - self.since, now
        self._elapsed += span
        self._sum += span * self.seats
        self._squares += span * self.seats * self.seats
