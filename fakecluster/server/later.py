"""Outcomes that somebody inside cannot wait for, such as a controller whose write a webhook has to admit."""

from __future__ import annotations

import asyncio

from ..api.context import Done
from ..api.outcome import Pending, Response
from .listener import Listener


class Later:
    """Makes the calls of an outcome, then tells the answer; the cluster is not quiet meanwhile."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, outcome: Pending, done: Done) -> None:
        """Begin with the calls; called on the cluster's loop."""
        task = asyncio.get_running_loop().create_task(self._settle(outcome, done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Forget what is under way."""
        for task in self._tasks:
            task.cancel()

    async def _settle(self, outcome: Pending, done: Done) -> None:
        answer = await self._listener.settle(outcome)
        if isinstance(answer, Response):
            done(answer)
