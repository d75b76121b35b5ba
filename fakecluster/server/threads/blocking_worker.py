"""A thread in which a controller may wait for webhooks while the loop goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ...api.outcome import Outcome, Response
from ...api.steps import Begun
from ..listener import Listener


class BlockingWorker:
    """One thread beside the loop, on which it is made. What it asks is answered on the loop, and it waits for the answer."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="fakecluster-worker")

    @property
    def can_wait(self) -> bool:
        """Whether the caller runs in a thread that may wait, which is any but the loop's."""
        return threading.get_ident() != self._loop_thread

    def run(self, work: Callable[[], Any], done: Callable[[Future[Any]], None]) -> None:
        """Do work in the thread; `done` gets its future on the loop."""
        self._executor.submit(work).add_done_callback(
            lambda future: self._loop.call_soon_threadsafe(done, future)
        )

    def ask(self, step: Callable[[], Begun]) -> Outcome:
        """Take a step on the loop and wait until it is answered; only for callers in another thread."""

        async def answer() -> Outcome:
            found = await self._listener.complete(step())
            if not isinstance(found, Response):
                raise TypeError(f"expected an answer, not {type(found).__name__}: nobody inside watches")
            return found

        return asyncio.run_coroutine_threadsafe(answer(), self._loop).result()

    def stop(self) -> None:
        """End the thread once it has nothing left to do."""
        self._executor.shutdown(wait=False, cancel_futures=True)
