"""The end of a wait in real time, on a machine that may be busy with other work."""

from __future__ import annotations

import time
from collections.abc import Callable

_LONGEST_TURN_SECONDS = 1.0
_MOST_TIMES = 3


class Deadline:
    """Ends a wait after so many seconds in which this process was run, at the latest after three times as
    many.

    A turn of a wait takes a tenth of a second, or one where the condition is costly. Where it takes longer,
    the machine ran something else, and most likely not the subject: what is above a second does not count.
    """

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seconds_left = seconds
        self._turn_began = now()
        self._latest = self._turn_began + _MOST_TIMES * seconds

    def end_turn(self) -> bool:
        """Count the turn that ends now; return whether there is time for another."""
        instant = self._now()
        self._seconds_left -= min(instant - self._turn_began, _LONGEST_TURN_SECONDS)
        self._turn_began = instant
        return self._seconds_left >= 0 and instant <= self._latest
