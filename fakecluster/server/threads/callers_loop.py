"""An asyncio event loop that runs on the thread of its caller, during calls only (design.md §6)."""

from __future__ import annotations

import asyncio
import os
from asyncio import _get_running_loop, _set_running_loop  # which asyncio offers to event loops
from collections.abc import Callable, Coroutine
from threading import Lock, get_ident
from typing import Any, TypeVar

from .errors import CALLED_ON_OWN_LOOP, CLUSTER_STOPPED, NotRunning
from .interrupts import Interrupts
from .loop_shutdown import end
from .shared_instance import SharedInstance

T = TypeVar("T")


class CallersLoop(SharedInstance):
    """A loop that turns while a caller waits for it.

    Nothing happens between two calls, so the same calls give the same story. A client with a connection of
    its own is answered during calls only.
    """

    def __init__(self) -> None:
        super().__init__()
        # Not uvloop, which makes and closes sockets each time that it begins to turn.
        self.loop = asyncio.SelectorEventLoop()
        self._turn = Lock()
        self._caller = 0
        """The thread on which it turns, 0 while it stands still."""
        self._over = False
        """It ends with the call that is being made."""

    def _end(self) -> None:
        # The caller is a callback of the loop: ending it here would end the call itself.
        if self.inside:
            self._over = True
            return
        with self._turn:
            end(self.loop)

    @property
    def inside(self) -> bool:
        """Whether the caller runs on the loop."""
        return self._caller == get_ident()

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine on the loop until it has its result. Raises NotRunning, TimeoutError."""
        if self.inside:
            coroutine.close()
            raise RuntimeError(CALLED_ON_OWN_LOOP)
        with Interrupts(self.loop), self._turn:
            if self.loop.is_closed():
                coroutine.close()
                raise NotRunning(CLUSTER_STOPPED)
            self._caller = get_ident()
            try:
                return self.loop.run_until_complete(
                    coroutine if timeout is None else asyncio.wait_for(coroutine, timeout)
                )
            finally:
                self._leave()

    def call(self, function: Callable[[], T]) -> T:
        """Call a function as if by the loop; what it leaves to the loop is done during a later `run`."""
        if self.inside:
            return function()
        with Interrupts(self.loop), self._turn:
            if self.loop.is_closed():
                raise NotRunning(CLUSTER_STOPPED)
            self._caller, outer_loop = get_ident(), _get_running_loop()
            # asyncio functions look for a running loop; this one runs as far as they can tell.
            _set_running_loop(self.loop)
            try:
                return function()
            finally:
                _set_running_loop(outer_loop)
                self._leave()

    def _leave(self) -> None:
        self._caller = 0
        if self._over:
            end(self.loop)


os.register_at_fork(after_in_child=CallersLoop.disown)
