"""Levels lend each other seats: what each was asked for is looked at every ten seconds (FK-520).

Periods that have gone by are caught up on when a seat is asked for or given back; a timer runs only while a
request waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ..base.clock import Clock
from .borrowing import Wish, shared
from .demand import Demand
from .levels import Level, limits
from .queues import QueueSet

PERIOD = 10.0


class Lending:
    """The levels at work, and who of them has which seats."""

    def __init__(self, clock: Clock, total: int) -> None:
        self._clock = clock
        self._total = total
        self._wishes: list[str] = []
        """The levels that take part; others only finish what they have begun."""
        self._demands: dict[str, Demand] = {}
        self._next = clock.now() + PERIOD
        self._due = False
        self.sets: dict[str, QueueSet] = {}

    def configure(self, levels: Mapping[str, Level]) -> None:
        """Go on with another configuration; who waits goes on waiting."""
        self.catch_up()
        now = self._clock.now()
        for name, bounds in limits(levels.values(), self._total).items():
            if name not in self.sets:
                self._demands[name] = Demand(now)
                self.sets[name] = QueueSet(levels[name], bounds, partial(self._note, name))
            else:
                self.sets[name].configure(levels[name], bounds)
        self._wishes = list(levels)
        self._share(now)

    def stop(self) -> None:
        """Hear of no level any more: a level and who hears of it know each other."""
        for one in self.sets.values():
            one.note = _nobody_hears

    def catch_up(self) -> None:
        """Catch up on the periods that have gone by."""
        now = self._clock.now()
        if now < self._next:
            return
        ended, further = self._next, int((now - self._next) // PERIOD)
        self._next += (further + 1) * PERIOD
        self._share(ended, further)

    def _share(self, now: float, further: int = 0) -> None:
        demands = [self._demands[name] for name in self._wishes]
        for demand in demands:
            demand.close(now, further)
        sets = [self.sets[name] for name in self._wishes]
        found = shared(
            [
                Wish(one.bounds, demand.highest, demand.smoothed, one.level.exempt)
                for one, demand in zip(sets, demands, strict=True)
            ]
        )
        for one, limit in zip(sets, found or [one.limit for one in sets], strict=True):
            one.lend(limit)

    def _note(self, name: str, seats: int) -> None:
        """Note that more or fewer seats of a level are asked for."""
        self.catch_up()
        self._demands[name].add(seats, self._clock.now())
        if self.sets[name].waiting and not self._due:
            self._due = True
            self._clock.call_at(self._next, self._look)

    def _look(self) -> None:
        self._due = False
        self.catch_up()
        if any(one.waiting for one in self.sets.values()):
            self._due = True
            self._clock.call_at(self._next, self._look)


def _nobody_hears(seats: int) -> None:
    """Note nothing: the server is stopped."""
    del seats
