"""How many seats a level was asked for: those in use and those waited for, over time (FK-520)."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

DECAY_PER_PERIOD = 0.977
"""What is left of an earlier demand after a period."""


class Demand(Struct):
    """The demand on one level since the last look."""

    since: float
    seats: int = 0
    highest: int = 0
    smoothed: float = 0.0
    """Follows a rise at once, and a fall slowly."""
    _period_highest: int = 0
    _elapsed: float = 0.0
    _sum: float = 0.0
    _squares: float = 0.0

    def add(self, seats: int, current_time: float) -> None:
        """Note that more seats are asked for, or fewer."""
        # The demand so far lasted until now; only then it changes.
        self._integrate(current_time)
        self.seats += seats
        self._period_highest = max(self._period_highest, self.seats)

    def close(self, current_time: float, idle_periods: int = 0) -> None:
        """End a period, and so many further ones in which nothing changed."""
        self._integrate(current_time)
        if self._elapsed > 0:
            average = self._sum / self._elapsed
            deviation = sqrt(max(0.0, self._squares / self._elapsed - average * average))
            # As upstream: the average and its deviation, an envelope that rises at once and falls by
            # FADING.
            self._smooth(average + deviation, 1)
        self.highest = self._period_highest
        if idle_periods:
            self._smooth(self.seats, idle_periods)
            self.highest = self.seats
        self._period_highest = self.seats
        self._elapsed = self._sum = self._squares = 0.0

    def _smooth(self, demand: float, periods: int) -> None:
        self.smoothed = max(demand, demand + (self.smoothed - demand) * DECAY_PER_PERIOD**periods)

    def _integrate(self, current_time: float) -> None:
        span, self.since = current_time - self.since, current_time
        self._elapsed += span
        self._sum += span * self.seats
        self._squares += span * self.seats * self.seats
