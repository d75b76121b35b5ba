"""Time as a subject of this process may ask of it: on a fork of the fake cluster the cluster's own, elsewhere real time (design.md §6).

A coroutine that shares the cluster's virtual clock holds a busy token while it has work and tells how far it has read a watch;
so `never` is decided by quiet, and time jumps to the next call that somebody asked for.
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
        return asyncio.get_running_loop().call_later(max(0.0, when - time.time()), action)

    def busy(self) -> AbstractContextManager[None]:
        """Do nothing: nobody waits for quiet in real time."""
        return nullcontext()

    def saw(self, stream: str, revision: int) -> None:
        """Do nothing."""
        del stream, revision


WALL = WallClock()
