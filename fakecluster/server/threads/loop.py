"""One event loop in a thread of its own, shared by every
cluster of the process (S1, S2, S5, S6, S9, design.md §6).
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import ctypes
import gc
import os
import resource
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from .errors import CALLED_ON_OWN_LOOP, CLUSTER_STOPPED, NotRunning
from .handover import Handover, Waits
from .loop_shutdown import end
from .shared_instance import SharedInstance

T = TypeVar("T")
SWITCH_INTERVAL = 0.0003
EXIT_SECONDS = 5.0
"""Seconds that the end of the interpreter waits for a loop that was not stopped."""
GC_THRESHOLDS = (50_000, 20, 100)
"""Stored objects are trees without cycles and are many:
looking for cycles among them often finds nothing (S9).
"""


class LoopThread(SharedInstance):
    """A running loop and its thread.

    While it runs, the process has other settings for switches between threads, garbage collection and open
    files; the end gives those back that it found.
    """

    def __init__(self) -> None:
        super().__init__()
        self._descriptors = _raise_descriptor_limit()
        self.loop = _new_loop()
        self._pending: Waits = set()
        """What other threads wait for; the end of the loop ends their wait."""
        self._ending = False
        self._interval = sys.getswitchinterval()
        self._garbage = gc.get_threshold()
        started = threading.Event()
        self.loop.call_soon(started.set)
        self._thread = threading.Thread(target=self._main, name="fakecluster", daemon=True)
        self._thread.start()
        started.wait()
        # Known for a fork, where atexit runs although the thread is not there.
        self._process = os.getpid()
        atexit.register(self._farewell)
        # A busy main thread would otherwise keep the server waiting for 5 ms at each turn.
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.set_threshold(*GC_THRESHOLDS)

    def _end(self) -> None:
        atexit.unregister(self._farewell)
        sys.setswitchinterval(self._interval)
        gc.set_threshold(*self._garbage)
        _limit_descriptors(self._descriptors)
        self.loop.call_soon_threadsafe(self.loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _farewell(self) -> None:
        """End the thread while there is an interpreter:
        extension modules must not run when it has been taken apart.

        In a process that was forked off there is no such thread.
        """
        if os.getpid() == self._process and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(EXIT_SECONDS)

    @classmethod
    def disown(cls) -> LoopThread | None:
        """In a process that was forked off: forget the loop of the other one, and never take it apart.

        Its thread is not here, and uvloop dies of freeing a loop that runs. Clusters of this process get a
        loop of their own.
        """
        abandoned = super().disown()
        if abandoned is not None:
            # Never freed: uvloop dies of freeing a loop that runs in another process.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(abandoned.loop))
        return abandoned

    @property
    def inside(self) -> bool:
        """Whether the caller runs on the loop's thread."""
        return threading.current_thread() is self._thread

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine on the loop and wait for its result, from any other thread."""
        if self.inside:
            coroutine.close()
            raise RuntimeError(CALLED_ON_OWN_LOOP)
        result: Handover[T] = Handover()
        try:
            self._soon(self._begin, result, coroutine)
        except NotRunning:
            coroutine.close()
            raise
        return self._await(result, timeout)

    def call(self, function: Callable[[], T]) -> T:
        """Call a function on the loop's thread and return its result;
        directly when the caller is there already.
        """
        if self.inside:
            return function()
        result: Handover[T] = Handover()
        self._soon(result.fulfil, function)
        return self._await(result)

    def _begin(self, result: Handover[T], coroutine: Coroutine[Any, Any, T]) -> None:
        if self._ending:
            coroutine.close()
            result.cancel()
            return
        self.loop.create_task(coroutine).add_done_callback(result.follow)

    def _soon(self, action: Callable[..., object], *arguments: Any) -> None:
        try:
            self.loop.call_soon_threadsafe(action, *arguments)
        except RuntimeError as error:
            raise NotRunning(CLUSTER_STOPPED) from error

    def _await(self, result: Handover[T], timeout: float | None = None) -> T:
        """Return the result. Raises NotRunning when the loop ends before."""
        # Before the check: a loop that ends between the two finds it in the set.
        self._pending.add(result)
        if self.loop.is_closed():
            result.cancel()
        try:
            return result.take(timeout)
        except CancelledError as error:
            if self._ending:
                raise NotRunning(CLUSTER_STOPPED) from error
            raise
        finally:
            self._pending.discard(result)

    def _main(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self._close()

    def _close(self) -> None:
        self._ending = True
        end(self.loop)
        # What came in after the last turn is never looked at.
        for result in tuple(self._pending):
            result.cancel()


os.register_at_fork(after_in_child=LoopThread.disown)


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        _shrink_tls_buffers()
        loop = asyncio.new_event_loop()
    else:
        loop = uvloop.new_event_loop()
    # A client that breaks off is no defect, and would fill the log of every test run.
    loop.set_exception_handler(_quiet)
    return loop


def _quiet(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Leave out what broken clients cause: failed handshakes and connections that went away."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


def _raise_descriptor_limit() -> tuple[int, int]:
    """Allow as many open files as the process may have; return the limits before."""
    before = soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        _limit_descriptors((hard, hard))
    return before


def _limit_descriptors(limits: tuple[int, int]) -> None:
    # macOS refuses an unlimited number of open files.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def _shrink_tls_buffers() -> None:
    from asyncio import sslproto

    if hasattr(sslproto.SSLProtocol, "max_size"):
        sslproto.SSLProtocol.max_size = 16 * 1024
