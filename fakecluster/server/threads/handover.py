"""What one thread waits for while the loop's thread works on it.

A future of the standard library can be waited for by many, called back, cancelled and logged. One result that
one thread waits for needs a lock, and every request of a test is handed over once or twice.
"""

from __future__ import annotations

import _thread
from asyncio import Task
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")
NO_TIMEOUT = -1.0


class Handover(Generic[T]):
    """A result that is set once, on the loop's thread, and taken once, by the thread that waits."""

    __slots__ = ("_error", "_free", "_result")

    def __init__(self) -> None:
        self._result: T | None = None
        self._error: BaseException | None = None
        self._free = _thread.allocate_lock()
        # Taken at once: the thread that waits takes it a second time when the result is there.
        self._free.acquire()

    def fulfil(self, function: Callable[[], T]) -> None:
        """Set what a function returns or raises."""
        try:
            self._result = function()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            self._error = error
        self._done()

    def follow(self, task: Task[T]) -> None:
        """Set what came of a task that is done."""
        if task.cancelled():
            self._error = CancelledError()
        elif (error := task.exception()) is not None:
            self._error = error
        else:
            self._result = task.result()
        self._done()

    def cancel(self) -> None:
        """End the wait with a CancelledError, unless there is a result."""
        if self._free.locked():
            self._error = CancelledError()
            self._done()

    def take(self, timeout: float | None) -> T:
        """Wait for the result and return it.

        Raises what was raised in its place, TimeoutError after so many seconds.
        """
        if not self._free.acquire(timeout=NO_TIMEOUT if timeout is None else max(0.0, timeout)):
            raise TimeoutError
        if self._error is not None:
            try:
                raise self._error
            finally:
                self._error = None  # which knows this frame
        return cast("T", self._result)

    def _done(self) -> None:
        with suppress(RuntimeError):  # a loop that ends and the thread that finds it ended both say so
            self._free.release()


Waits = set[Handover[Any]]
"""What threads wait for."""
