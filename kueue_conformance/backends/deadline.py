"""The end of a wait in real time, on a machine that may be busy with other work."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..base.slowdown import MOST_TIMES, measure_slowdown

_LONGEST_TURN_SECONDS = 1.0


class Deadline:
    """Ends a wait after so many seconds of an idle machine, at the latest after five times as many.

    A turn of a wait takes a tenth of a second, or one where the condition is costly. Where it takes longer,
    the machine ran something else, and most likely not the subject: what is above a second does not count.
    When the seconds are over, the slowdown is measured, and the wait takes longer by as much.
    """

    def __init__(
        self,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
        slowdown: Callable[[], float] = measure_slowdown,
    ) -> None:
        self._now, self._measure_slowdown = now, slowdown
        self._seconds, self._seconds_left = seconds, seconds
        self._slowdown = 0.0
        self._turn_began = now()
        self._latest = self._turn_began + MOST_TIMES * seconds

    def end_turn(self) -> bool:
        """Count the turn that ends now; return whether there is time for another."""
        instant = self._now()
        self._seconds_left -= min(instant - self._turn_began, _LONGEST_TURN_SECONDS)
        self._turn_began = instant
        if self._seconds_left < 0 and self._seconds and not self._slowdown:
            self._slowdown = self._measure_slowdown()
            self._seconds_left += self._seconds * (self._slowdown - 1)
        return self._seconds_left >= 0 and instant <= self._latest

    def is_early(self) -> bool:
        """Tell whether a wait that ends now decides nothing, since the machine is too busy."""
        return self._slowdown > MOST_TIMES
