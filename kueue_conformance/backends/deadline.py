"""The end of a wait in real time, on a machine that may be busy with other work."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..base.machine_load import tasks_per_core

_LONGEST_TURN_SECONDS = 1.0
_MOST_TIMES = 5


class Deadline:
    """Ends a wait after so many seconds of a core, at the latest after five times as many.

    Where several tasks share a core, a second gives each of them a part of it, and that part counts. A turn
    of a wait takes a tenth of a second, or one where the condition is costly. Where it takes longer, the
    machine ran something else, and most likely not the subject: what is above a second does not count.
    """

    def __init__(
        self,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
        load: Callable[[], float] = tasks_per_core,
    ) -> None:
        self._now, self._load = now, load
        self._seconds_left = seconds
        self._turn_began = now()
        self._latest = self._turn_began + _MOST_TIMES * seconds

    def end_turn(self) -> bool:
        """Count the turn that ends now; return whether there is time for another."""
        instant = self._now()
        self._seconds_left -= min(instant - self._turn_began, _LONGEST_TURN_SECONDS) / self._load()
        self._turn_began = instant
        return self._seconds_left >= 0 and instant <= self._latest

    def is_early(self) -> bool:
        """Tell whether seconds are left: a wait that ends now decides nothing, the machine was too busy."""
        return self._seconds_left >= 0
