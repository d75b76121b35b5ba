"""Levels lend each other seats: what each was asked for is looked at every ten seconds (FK-520).

Periods that have gone by are caught up on when a seat is asked
for or given back; a timer runs only while a request waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ..base.clock import Clock
from .borrowing import SeatDemand, share_seats
from .demand import Demand
from .levels import Level, limits
from .queues import QueueSet

PERIOD_SECONDS = 10.0


class SeatLending:
    """The levels at work, and who of them has which seats."""

    def __init__(self, clock: Clock, total: int) -> None:
        self._clock = clock
        self._total = total
        self._active_levels: list[str] = []
        """The levels that take part; others only finish what they have begun."""
        self._demands: dict[str, Demand] = {}
        self._next = clock.now() + PERIOD_SECONDS
        self._timer_is_set = False
        self.sets: dict[str, QueueSet] = {}

    def configure(self, levels: Mapping[str, Level]) -> None:
        """Go on with another configuration; who waits goes on waiting."""
        self.catch_up()
        current_time = self._clock.now()
        for name, bounds in limits(levels.values(), self._total).items():
            if name not in self.sets:
                self._demands[name] = Demand(current_time)
                self.sets[name] = QueueSet(levels[name], bounds, partial(self._note, name))
            else:
                self.sets[name].configure(levels[name], bounds)
        self._active_levels = list(levels)
        self._share(current_time)

    def stop(self) -> None:
        """Hear of no level any more: a level and who hears of it know each other."""
        for queue_set in self.sets.values():
            queue_set.note = _ignore_note

    def catch_up(self) -> None:
        """Catch up on the periods that have gone by."""
        current_time = self._clock.now()
        # The usual case, asked for every request.
        if current_time < self._next:
            return
        period_end, further = self._next, int((current_time - self._next) // PERIOD_SECONDS)
        self._next += (further + 1) * PERIOD_SECONDS
        self._share(period_end, further)

    def _share(self, current_time: float, further: int = 0) -> None:
        demands = [self._demands[name] for name in self._active_levels]
        for demand in demands:
            demand.close(current_time, further)
        sets = [self.sets[name] for name in self._active_levels]
        seat_limits = share_seats(
            [
                SeatDemand(queue_set.bounds, demand.highest, demand.smoothed, queue_set.level.exempt)
                for queue_set, demand in zip(sets, demands, strict=True)
            ]
        )
        for queue_set, limit in zip(
            sets, seat_limits or [queue_set.limit for queue_set in sets], strict=True
        ):
            queue_set.lend(limit)

    def _note(self, name: str, seats: int) -> None:
        """Note that more or fewer seats of a level are asked for."""
        self.catch_up()
        self._demands[name].add(seats, self._clock.now())
        if self.sets[name].waiting and not self._timer_is_set:
            # A timer only while a request waits: an idle cluster on virtual time would otherwise never be
            # quiet.
            self._timer_is_set = True
            self._clock.call_at(self._next, self._look)

    def _look(self) -> None:
        self._timer_is_set = False
        self.catch_up()
        if any(queue_set.waiting for queue_set in self.sets.values()):
            self._timer_is_set = True
            self._clock.call_at(self._next, self._look)


def _ignore_note(seats: int) -> None:
    """Note nothing: the server is stopped."""
    del seats
