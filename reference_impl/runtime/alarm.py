"""Wakes a task that works in rounds: after a while, or earlier when something happens."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from .clock import Clock


class Alarm:
    """Made on the running loop.

    Busy from the moment at which it rings until its task waits again: no virtual time passes in between.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._busy = ExitStack()
        self._rung: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Wake the task; does nothing while it works."""
        if self._rung is not None and not self._rung.done():
            self._busy.enter_context(self._clock.busy())
            self._rung.set_result(None)

    async def wait(self, seconds: float) -> None:
        """Wait until it rings, or so many seconds have passed."""
        self._rung = asyncio.get_running_loop().create_future()
        timer = self._clock.call_at(self._clock.now() + seconds, self.ring)
        self._busy.close()
        try:
            await self._rung
        finally:
            timer.cancel()

    def close(self) -> None:
        """Be no longer busy: the task has ended."""
        self._busy.close()
