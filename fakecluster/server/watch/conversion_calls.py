"""Calls that watch streams wait for, such as conversions:
each is made once, however many streams wait (FK-330, FK-332).

A call that brings nothing is made again after a while, and those who wait hear nothing until then: so the
real server's caches do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable

from ...api.status import StatusError
from ...api.steps import NeedsSteps, Steps
from ...base.clock import Clock

Finish = Callable[[Steps[None]], Awaitable[None]]
Proceed = Callable[[], None]
RETRY_SECONDS = 1.0
LOG = logging.getLogger(__name__)


class ConversionCalls:
    """Conversion calls under way on behalf of streams."""

    def __init__(self, finish: Finish, clock: Clock) -> None:
        self._finish = finish
        self._clock = clock
        self._waiting: dict[Hashable, list[Proceed]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pending(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._waiting)

    def ask(self, unready: NeedsSteps, proceed: Proceed) -> None:
        """Make the calls unless they are under way, and go on when they are answered."""
        key = unready.key
        if key in self._waiting:
            self._waiting[key].append(proceed)
            return
        self._waiting[key] = [proceed]
        task = asyncio.get_running_loop().create_task(self._ask(key, unready.steps))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Cancel the calls that are under way."""
        for task in self._tasks:
            task.cancel()

    async def _ask(self, key: Hashable, steps: Steps[None]) -> None:
        try:
            await self._finish(steps)
        except Exception as error:
            # Every waiter has to go on, whatever was raised.
            if not isinstance(error, StatusError):
                LOG.exception("a call that watches wait for failed")
            waiting = self._waiting.pop(key)
            self._clock.call_at(self._clock.now() + RETRY_SECONDS, lambda: _all(waiting))
        else:
            _all(self._waiting.pop(key))


def _all(waiting: list[Proceed]) -> None:
    for proceed in waiting:
        proceed()
