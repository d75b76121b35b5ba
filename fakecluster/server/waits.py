"""How the server waits for what steps yield: calls are made at the same time, a revision comes or is late,
long computations are done on a thread of their own (FK-139, FK-306).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ..api.outcome import Call, CallResult
from ..api.steps import Answers, Computation, RevisionWait, Steps, Wait
from ..base.clock import Clock
from ..store import Event, Store

T = TypeVar("T")
Perform = Callable[[Call], Awaitable[CallResult]]


class Waits:
    """Waits on behalf of the requests, watches and controllers of one cluster."""

    def __init__(self, perform: Perform, store: Store, clock: Clock) -> None:
        self._perform = perform
        self._worker: ThreadPoolExecutor | None = None
        self._store = store
        self._clock = clock

    async def answers(self, wait: Wait) -> Answers:
        """Return the results of calls; nothing once a revision is there, the time for it is over, or
        something is computed.
        """
        if isinstance(wait, Computation):
            await self.compute(wait.perform)
            return ()
        if isinstance(wait, RevisionWait):
            await wait_for_revision(wait, self._store, self._clock)
            return ()
        if not wait:
            # No calls means: let others have a turn.
            await asyncio.sleep(0)
        return tuple(await asyncio.gather(*(self._perform(call) for call in wait)))

    async def compute(self, computation: Callable[[], T]) -> T:
        """Return the result of a long computation, during which others are answered."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, computation)

    @property
    def _thread(self) -> ThreadPoolExecutor:
        """The thread of long computations: one after another, so that the loop has half of the time."""
        if self._worker is None:
            # One thread: with two, Python's lock would leave the loop a third of the time.
            self._worker = ThreadPoolExecutor(1, "fakecluster-computations")
        return self._worker

    def stop(self) -> None:
        """Begin no computation any more."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)

    async def finish(self, steps: Steps[T]) -> T:
        """Take steps to their end."""
        try:
            wait = next(steps)
            while True:
                wait = steps.send(await self.answers(wait))
        except StopIteration as done:
            result: T = done.value
            return result


async def wait_for_revision(target: RevisionWait, store: Store, clock: Clock) -> None:
    """Return once the store is there, or the time is over."""
    over = asyncio.Event()

    def heard(event: Event) -> None:
        if event.revision >= target.revision:
            over.set()

    unsubscribe = store.subscribe(heard, over.set)
    timer = clock.call_at(clock.now() + target.seconds, over.set)
    try:
        await over.wait()
    finally:
        timer.cancel()
        unsubscribe()
