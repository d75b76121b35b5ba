"""An asyncio event loop that runs on the thread of its caller, during calls only (design.md §6)."""

from __future__ import annotations

import asyncio
import os
from asyncio import _get_running_loop, _set_running_loop  # which asyncio offers to event loops
from collections.abc import Callable, Coroutine
from threading import Lock, get_ident
from typing import Any, TypeVar

from .ending import ENDED, INSIDE, NotRunning, end
from .interrupts import HeldBack

T = TypeVar("T")


class CallersLoop:
    """A loop that turns while a caller waits for it. `share` hands out the process's one; the last `release`
    ends it.

    Nothing happens between two calls, so the same calls give the same story. A client with a connection of
    its own is answered during calls only.
    """

    _lock = Lock()
    _shared: CallersLoop | None = None

    def __init__(self) -> None:
        # Not uvloop, which makes and closes sockets each time that it begins to turn.
        self.loop = asyncio.SelectorEventLoop()
        self.users = 0
        self._turn = Lock()
        self._caller = 0
        """The thread on which it turns, 0 while it stands still."""
        self._over = False
        """It ends with the call that is being made."""

    @classmethod
    def share(cls) -> CallersLoop:
        """Return the process's loop, made for the first user."""
        with cls._lock:
            found = cls._shared = cls._shared or cls()
            found.users += 1
            return found

    def release(self) -> None:
        """Give the loop back; it ends with its last user."""
        with CallersLoop._lock:
            self.users -= 1
            if self.users:
                return
            CallersLoop._shared = None
        if self.inside:
            self._over = True
            return
        with self._turn:
            end(self.loop)

    @classmethod
    def disown(cls) -> None:
        """In a process that was forked off: forget the loop, whose selector is the other process's."""
        cls._lock, cls._shared = Lock(), None

    @property
    def inside(self) -> bool:
        """Whether the caller runs on the loop."""
        return self._caller == get_ident()

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine on the loop until it has its result. Raises NotRunning, TimeoutError."""
        if self.inside:
            coroutine.close()
            raise RuntimeError(INSIDE)
        with self._turn:
            if self.loop.is_closed():
                coroutine.close()
                raise NotRunning(ENDED)
            self._caller = get_ident()
            with HeldBack():
                try:
                    return self.loop.run_until_complete(
                        coroutine if timeout is None else asyncio.wait_for(coroutine, timeout)
                    )
                finally:
                    self._left()

    def call(self, function: Callable[[], T]) -> T:
        """Call a function as if by the loop; what it leaves to the loop is done during a later `run`."""
        if self.inside:
            return function()
        with self._turn:
            if self.loop.is_closed():
                raise NotRunning(ENDED)
            self._caller, around = get_ident(), _get_running_loop()
            _set_running_loop(self.loop)
            with HeldBack():
                try:
                    return function()
                finally:
                    _set_running_loop(around)
                    self._left()

    def _left(self) -> None:
        self._caller = 0
        if self._over:
            end(self.loop)


os.register_at_fork(after_in_child=CallersLoop.disown)
