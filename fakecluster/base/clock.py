"""Time for everything in a cluster: one `Clock`, wall or virtual.

Every part takes a `Clock`; none reads the time elsewhere. A part holds a busy token
while it has work, and tells how far it has read a watch stream, so that `quiet` can
be decided instead of slept for (design.md §6). The server, its controllers, an
in-process control plane and the clock share one event loop in a thread of its own.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol


class Timer(Protocol):
    """A call that is due later and may be cancelled."""

    def cancel(self) -> None:
        """Forget the call; harmless when it was made already."""


class Clock(Protocol):
    """What a part of the cluster may ask of time. Times are seconds since the epoch."""

    def now(self) -> float:
        """Return the present."""

    is_virtual: bool
    """Whether computing takes no time."""

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called on the loop once `when` has come."""

    def busy(self) -> AbstractContextManager[None]:
        """Hold a token while there is work that will still change something."""

    def saw(self, stream: str, revision: int) -> None:
        """Report that the reader of the watch stream (its Audit-Id)
        has handled every event up to `revision`.
        """

    def excuse(self) -> ExitStack:
        """Count one busy token as idle until the stack is closed: its holder waits for time to pass."""


class WallClock:
    """Real time on the running event loop, by a clock that may be `ahead`; `busy` and `saw` cost nothing."""

    is_virtual = False
    ahead = 0.0

    def now(self) -> float:
        """Return the present."""
        return time.time() + self.ahead

    def elapsed(self) -> float:
        """Return seconds that never jump, whatever is done to the time of day."""
        return time.monotonic()

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called once `when` has come."""
        return asyncio.get_running_loop().call_later(max(0.0, when - self.now()), action)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Hold a token while there is work."""
        yield

    def saw(self, stream: str, revision: int) -> None:
        """Report how far a watch stream was read."""
        del stream, revision

    def excuse(self) -> ExitStack:
        """Do nothing: there is no wait for quiet in real time."""
        return ExitStack()


class AcceleratedClock(WallClock):
    """Real time that runs faster from now on:
    pods that take an hour are done in a minute at a speed of 60 (F-02).
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._start = time.time()

    def now(self) -> float:
        """Return the present."""
        return self._start + (time.time() - self._start) * self._speed

    def elapsed(self) -> float:
        """Return seconds that never jump, of the time that runs faster."""
        return super().elapsed() * self._speed

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called once `when` has come."""
        return asyncio.get_running_loop().call_later(max(0.0, when - self.now()) / self._speed, action)


class VirtualTimer:
    """An entry of the virtual clock's agenda."""

    __slots__ = ("action",)

    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        """Forget the call."""
        self.action = None


class BusyToken(AbstractContextManager[None]):
    """Counts who is at work; one object for all, because it is entered for every step of every reconcile."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held = 0

    def __enter__(self) -> None:
        self.held += 1

    def __exit__(self, *_: object) -> None:
        self.held -= 1


class VirtualClock:
    """Time that moves only when it is told to, and knows whether any work is under way.

    Not thread-safe: `advance_to` and everything else run on the loop;
    `FakeCluster` brings calls from other threads there.
    """

    is_virtual = True

    def __init__(self, start: float) -> None:
        self._now = start
        self._agenda: list[tuple[float, int, VirtualTimer]] = []
        self._order = itertools.count()
        self._token = BusyToken()
        self._excused = BusyToken()
        self.progress: dict[str, int] = {}

    def now(self) -> float:
        """Return the present."""
        return self._now

    def elapsed(self) -> float:
        """Return seconds that never jump: virtual time is moved forward only."""
        return self._now

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called once `when` has come."""
        timer = VirtualTimer(action)
        # The counter keeps timers of one moment in the order in which they were set.
        heapq.heappush(self._agenda, (when, next(self._order), timer))
        return timer

    def busy(self) -> AbstractContextManager[None]:
        """Hold a token while there is work."""
        return self._token

    def saw(self, stream: str, revision: int) -> None:
        """Report how far a watch stream was read."""
        self.progress[stream] = revision

    def excuse(self) -> ExitStack:
        """Count one busy token as idle until the stack is closed."""
        stack = ExitStack()
        stack.enter_context(self._excused)
        return stack

    @property
    def idle(self) -> bool:
        """Whether no token is held and no timer is due."""
        due = self.next_due()
        return self._token.held <= self._excused.held and (due is None or due > self._now)

    def next_due(self) -> float | None:
        """Return when the earliest timer is due, None when there is none."""
        # Cancelled timers stay in the heap until they come to its top: taking one out would cost a search.
        while self._agenda and self._agenda[0][2].action is None:
            heapq.heappop(self._agenda)
        return self._agenda[0][0] if self._agenda else None

    def advance_to(self, when: float) -> None:
        """Move to `when` and make the calls that became due, in order of their time."""
        while (due := self.next_due()) is not None and due <= when:
            _, _, timer = heapq.heappop(self._agenda)
            # A timer may have been set for the past, and time does not go back for it.
            self._now = max(self._now, due)
            # Before the call, which may look at its own timer.
            action, timer.action = timer.action, None
            if action is not None:
                action()
        self._now = max(self._now, when)

    def fork(self) -> VirtualClock:
        """Return a clock of its own that starts at this one's present, with an empty agenda."""
        return VirtualClock(self._now)
