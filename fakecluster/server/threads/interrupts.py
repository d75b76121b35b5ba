"""Signals while an event loop turns on the main thread: an exception in the midst of a callback is lost, or
taken for the failure of a task.
"""

from __future__ import annotations

import threading

# What `signal` calls: that module looks each handler up in an enumeration, which takes ten times as long,
# and a case of a suite enters fifty blocks.
from _signal import getsignal, signal  # type: ignore[import-not-found]
from asyncio import AbstractEventLoop, _get_running_loop  # which asyncio offers to event loops
from collections.abc import Callable
from signal import SIGALRM, SIGINT
from types import FrameType


class _LoopEnded(KeyboardInterrupt):
    """Ends an event loop at once: of other exceptions of a task a loop would stop in its next run."""


class Interrupts:
    """Has signals end a block and not a callback within it.

    SIGINT is held back until the block is left; a second one is handled at
    once. What a handler of SIGALRM raises, such as that of a test's time
    limit, ends the loop, and is raised once more when the block is left.
    """

    __slots__ = ("_came", "_found", "_limit", "_loop")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._found: dict[int, Callable[[int, FrameType | None], object]] = {}
        """The handlers before the block, by signal."""
        self._came: tuple[int, FrameType | None] | None = None
        self._limit: BaseException | None = None

    def __enter__(self) -> None:
        # Only the main thread gets signals, and only it may set their handlers.
        if threading.current_thread() is not threading.main_thread():
            return
        # SIGINT last: were it held back when the other signal ends this method, nobody would let it go.
        for number, handler in ((SIGALRM, self._remember), (SIGINT, self._hold_back)):
            handler_before = getsignal(number)
            if callable(handler_before):
                self._found[number] = handler_before
                signal(number, handler)

    def _hold_back(self, number: int, frame: FrameType | None) -> None:
        if self._came is not None:
            self._found[number](number, frame)
        self._came = number, frame

    def _remember(self, number: int, frame: FrameType | None) -> None:
        try:
            self._found[number](number, frame)
        except BaseException as why:
            self._limit = why
            if _get_running_loop() is self._loop and self._loop.is_running():
                self._loop.stop()
                raise _LoopEnded from why
            raise

    def __exit__(self, *_: object) -> None:
        for number, handler_before in self._found.items():
            signal(number, handler_before)
        if self._came is not None:  # who interrupts wants the end of all, and not of this block
            self._found[SIGINT](*self._came)
        if self._limit is not None:
            raise self._limit from None
