"""Time for everything in the control plane: the `Clock` that is handed in, and the wall clock (design.md §6).

Nothing here reads the time elsewhere. A part holds a busy token while it has work and tells how far it has
read a watch stream, so that a program with the same clock can decide quiet instead of sleeping for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
# Linux stops CLOCK_MONOTONIC while the machine sleeps, macOS does not.
BOOT_TIME = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Timer(Protocol):
    """A call that is due later and may be cancelled."""

    def cancel(self) -> None:
        """Forget the call; harmless when it was made already."""


class Clock(Protocol):
    """What a part may ask of time. Times are seconds since the epoch."""

    def now(self) -> float:
        """Return the present."""

    def elapsed(self) -> float:
        """Return monotonic seconds since an arbitrary moment: setting the time of day
        does not change them.
        """

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Have `action` called on the loop once `when` has come."""

    def busy(self) -> AbstractContextManager[None]:
        """Hold a token while there is work that will still change something."""

    def saw(self, stream: str, revision: int) -> None:
        """Report that the events of a watch stream (its Audit-Id) are handled up to `revision`."""


class WallClock:
    """Real time on the running event loop; `busy` and `saw` cost nothing."""

    def now(self) -> float:
        """Return the present."""
        return time.time()

    def elapsed(self) -> float:
        """Return seconds that count the sleep of the machine too, where the system can tell."""
        return time.clock_gettime(BOOT_TIME)

    def call_at(self, when: float, action: Callable[[], None]) -> Timer:
        """Use the loop's timer; a wall clock that is set back makes it late, never early."""
        return asyncio.get_running_loop().call_later(max(0.0, when - time.time()), action)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Do nothing: there is no wait for quiet in real time."""
        yield

    def saw(self, stream: str, revision: int) -> None:
        """Do nothing."""
        del stream, revision


async def pause(clock: Clock, seconds: float) -> None:
    """Wait until `seconds` have passed on the clock."""
    due = asyncio.get_running_loop().create_future()
    timer = clock.call_at(clock.now() + seconds, lambda: None if due.done() else due.set_result(None))
    try:
        await due
    finally:
        timer.cancel()


async def within(clock: Clock, seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of work that may take so many seconds of the clock; raises TimeoutError."""
    task = asyncio.ensure_future(work)
    tasks = (task, asyncio.ensure_future(pause(clock, seconds)))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError(f"it took longer than {seconds:g} s")
        return task.result()
    finally:
        for other_task in tasks:
            other_task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
