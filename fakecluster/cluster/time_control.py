"""The time of a cluster in the hands of a test: to let it pass, and to wait until the cluster is quiet
(design.md §6, F-02).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, TypeVar

from ..base.clock import VirtualClock, WallClock
from ..base.validators import is_number
from ..journal import Journal
from ..server import quiescence
from ..server.listener import Listener
from ..server.quiescence import QUIET_BUDGET_SECONDS
from .loop_access import LoopAccess
from .options import OptionError

T = TypeVar("T")
LOOK_AGAIN_SECONDS = 0.05
"""What is waited for may be no object of the cluster:
it is looked at this often even when nothing was written.
"""


class TimeControl(LoopAccess, ABC):
    """Moves the time of a cluster and of those that share its clock."""

    @abstractmethod
    def _listeners(self) -> Sequence[Listener]: ...

    @property
    def virtual_clock(self) -> VirtualClock:
        """The cluster's time where it is virtual. Raises TypeError on the wall clock."""
        return self._require_virtual_clock("virtual_clock")

    def skew(self, seconds: float) -> None:
        """Let the server's time be ahead of that of its clients, or behind it; 0 for right.

        Raises OptionError, TypeError on virtual time.
        """
        if not isinstance(self.clock, WallClock):
            raise TypeError("skew() needs the wall clock: on virtual time every client has the same time")
        if not is_number(seconds, -math.inf):
            raise OptionError(f"seconds is {seconds!r}: expected a number")
        self.clock.ahead = seconds

    def settle(self, budget: float = QUIET_BUDGET_SECONDS) -> None:
        """Wait until nothing goes on any more. Raises NotQuiet after `budget` real seconds."""
        self.run(quiescence.settle(self._listeners(), self._require_virtual_clock("settle"), budget))

    def tick(self) -> None:
        """Make the calls that are due at this very moment of virtual time, without moving it."""
        clock = self._require_virtual_clock("tick")
        self.call(lambda: clock.advance_to(clock.now()))

    def advance(self, seconds: float, budget: float = QUIET_BUDGET_SECONDS) -> None:
        """Move virtual time on; whatever becomes due in between happens in order.

        Raises OptionError, NotQuiet.
        """
        clock = self._require_virtual_clock("advance")
        self.run(quiescence.advance(self._listeners(), clock, seconds_of("seconds", seconds), budget))

    def advance_until_asked(self, seconds: float, budget: float = QUIET_BUDGET_SECONDS) -> None:
        """Move virtual time on until a request was answered at
        some moment of it, or that many seconds have passed.
        """
        clock, journal = self._require_virtual_clock("advance_until_asked"), self.journal
        # Counted before the first step: a request of this very moment counts as well.
        before, end = journal.last, clock.now() + seconds_of("seconds", seconds)
        self.run(quiescence.until(lambda: journal.last != before, self._listeners(), clock, end, budget))

    def run_until(
        self, holds: Callable[[], T], max_virtual: float = 3600.0, budget: float = QUIET_BUDGET_SECONDS
    ) -> T:
        """Move virtual time on until `holds` returns something true, and return that (F-02).

        It is called in the caller's thread whenever the cluster is at rest, so it may ask over the network.
        Raises NeverHeld after `max_virtual` seconds of virtual time, NotQuiet after `budget` real ones,
        OptionError, TypeError.
        """
        clock = self._require_virtual_clock("run_until")
        end = clock.now() + seconds_of("max_virtual", max_virtual)
        _check_callable("run_until", holds)
        # First, so that the condition is asked of a state at rest.
        self.settle(budget)
        while not (value := holds()):
            if not self.run(quiescence.step(self._listeners(), clock, end, budget)):
                raise NeverHeld(
                    f"it did not hold within {max_virtual:g} s of virtual time:\n{self.journal.all}"
                )
        return value

    def wait_until(self, holds: Callable[[], T], seconds: float = 60.0) -> T:
        """Wait until `holds` returns something true, and return that: virtual seconds where time is virtual,
        else real ones.

        It may ask over the network. Raises NeverHeld, NotQuiet, OptionError, TypeError.
        """
        _check_callable("wait_until", holds)
        if isinstance(self.clock, WallClock):
            return wait_until(holds, self.journal, self.clock, seconds_of("seconds", seconds))
        return self.run_until(holds, seconds)

    def _require_virtual_clock(self, method: str) -> VirtualClock:
        if not isinstance(self.clock, VirtualClock):
            raise TypeError(
                f"{method}() needs virtual time, but this cluster runs on the wall clock: use FakeCluster(clock='virtual')"
            )
        return self.clock


def seconds_of(name: str, value: Any) -> float:
    """Return a number of seconds that was given. Raises OptionError."""
    if not is_number(value, 0):
        raise OptionError(f"{name} is {value!r}: expected seconds from 0")
    return float(value)


def _check_callable(method: str, holds: Any) -> None:
    """Raise TypeError for what cannot be called again:
    `wait_until(pods() == 1)` would be looked at once only.
    """
    if not callable(holds):
        raise TypeError(f"{method}() needs a function, such as `lambda: …`, and was given {holds!r}")


class NeverHeld(AssertionError):
    """What was waited for did not come."""


def wait_until(holds: Callable[[], T], journal: Journal, clock: WallClock, seconds: float) -> T:
    """Call `holds` after each write until it returns something true, and return that.

    Raises NeverHeld after `seconds`.
    """
    news = Event()
    unsubscribe = journal.subscribe(lambda entry: news.set() if entry.wrote else None)
    end = clock.elapsed() + seconds
    try:
        while True:
            # Before the look: what is written while `holds` looks must wake the next wait.
            news.clear()
            if value := holds():
                return value
            if (seconds_left := end - clock.elapsed()) <= 0:
                raise NeverHeld(f"it did not hold within {seconds:g} s:\n{journal.writes()}")
            news.wait(min(seconds_left, LOOK_AGAIN_SECONDS))
    finally:
        unsubscribe()
