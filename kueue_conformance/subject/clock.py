"""Time as a subject of this process may ask of it: on a fork of the fake cluster the cluster's own, elsewhere
real time (design.md §6).

A coroutine that shares the cluster's virtual clock holds a busy token while it has work and tells how far it
has read a watch; so `never` is decided by quiet, and time jumps to the next scheduled call.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Timer(Protocol):
    """A call that is due later and may be cancelled."""

    def cancel(self) -> None:
        """Forget the call; harmless when it was made already."""


class Clock(Protocol):
    """What a subject may ask of time. Times are seconds since the epoch."""

    def now(self) -> float:
        """Return the present."""

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called on the loop once `when` has come."""

    def busy(self) -> AbstractContextManager[None]:
        """Hold a token while there is work that will still change something."""

    def saw(self, stream: str, revision: int) -> None:
        """Report that the events of a watch (the Audit-Id of its answer) are handled up to `revision`."""


class WallClock:
    """Real time; `busy` and `saw` cost nothing."""

    def now(self) -> float:
        """Return the present."""
        return time.time()

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Use the timer of the running loop."""
        # The loop counts by a monotonic clock, so a moment has to become a delay.
        return asyncio.get_running_loop().call_later(max(0.0, when - time.time()), action)

    def busy(self) -> AbstractContextManager[None]:
        """Do nothing: quiet is not detected in real time."""
        return nullcontext()

    def saw(self, stream: str, revision: int) -> None:
        """Do nothing."""
        del stream, revision


WALL = WallClock()


class SubjectTimer:
    """A call that a subject asked for, one of those that are still to be made."""

    timer: Timer

    def __init__(self, to_be_made: set[SubjectTimer]) -> None:
        self._to_be_made = to_be_made
        to_be_made.add(self)

    def cancel(self) -> None:
        """Forget the call."""
        self._to_be_made.discard(self)
        self.timer.cancel()

    def take_off_agenda(self) -> bool:
        """Take it off the agenda; tells whether it is wanted still."""
        is_pending = self in self._to_be_made
        self._to_be_made.discard(self)
        return is_pending


class SubjectClock:
    """A cluster's clock for one subject: its pending timers are dropped when it ends.

    It may be `behind` by some seconds, as clocks of two machines are. What goes wrong in a call that the
    subject asked for is the subject's trouble: `failed` hears of it, and time goes on.
    """

    def __init__(
        self, clock: Clock, failed: Callable[[], None], behind: Callable[[], float] | None = None
    ) -> None:
        self._clock = clock
        self._failed = failed
        self._behind = behind or _in_step
        self._to_be_made: set[SubjectTimer] = set()
        self._over = False

    def now(self) -> float:
        """Return the present."""
        return self._clock.now() - self._behind()

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called once `when` has come, if the subject still runs then."""

        # On the agenda before the clock is asked: a moment that is past may be due at once.
        lent = SubjectTimer(self._to_be_made)

        def due() -> None:
            # A loop may have scheduled the call already when it is cancelled.
            if not lent.take_off_agenda() or self._over:
                return
            try:
                action()
            except Exception:  # noqa: BLE001 - the subject's code must not stop the cluster's clock
                self._failed()

        # The subject names a moment of its own clock, which is behind the cluster's.
        lent.timer = self._clock.call_at(when + self._behind(), due)
        return lent

    def busy(self) -> AbstractContextManager[None]:
        """Hold a token of the clock."""
        return self._clock.busy()

    def saw(self, stream: str, revision: int) -> None:
        """Tell the clock how far a watch is handled."""
        self._clock.saw(stream, revision)

    def close(self) -> None:
        """Drop the timers and the cluster, since a subject may keep a reference to this clock."""
        self._over = True
        # A copy: `cancel` removes the timer from the set.
        for timer in tuple(self._to_be_made):
            timer.cancel()
        # A subject's task may outlive its case; the cluster must not live on through its clock.
        self._clock, self._failed, self._behind = WALL, _nothing, _in_step


def _nothing() -> None:
    """Ignore a failure."""


def _in_step() -> float:
    """Be behind by 0 seconds."""
    return 0.0
