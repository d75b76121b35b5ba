"""`python:MODULE:CALLABLE`: the subject is a function of this process, called with its `SubjectContext`.

A plain function runs in a thread, in real time, until `context.stop` is set. A coroutine function runs on the
cluster's loop and by `context.clock` (coroutine.py), and is cancelled.
"""

from __future__ import annotations

import inspect
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import SubjectDied, UsageError
from . import Handle, SubjectContext
from .callables import NotCallable, import_callable, split_callable
from .log import Line, LogRing

if TYPE_CHECKING:
    from ..backends.cluster import Cluster


class InProcessConnector:
    """Finds the callable and starts it."""

    alone = False
    account = ""
    needs: tuple[str, ...] = ()

    def __init__(self, where: str, folder: Path | None = None) -> None:
        self._where = where
        self._folder = (folder or Path.cwd()).absolute()
        self._module, self._callable = split_callable(where)
        if not self._module:
            raise UsageError(
                f"subject 'python:{where}' is incomplete", hint="write python:package.module:function"
            )

    @property
    def on_the_loop(self) -> bool:
        """Whether the callable is a coroutine function;
        one that cannot be found is not, which `start` tells.
        """
        try:
            return inspect.iscoroutinefunction(self._target())
        # Asked while a run is set up, where a raised problem would stop runs that do not start
        # the subject.
        except SubjectDied:
            return False

    def look(self) -> None:
        """Raise SubjectDied when the module cannot be imported, or has no such callable."""
        self._target()

    def start(self, context: SubjectContext, cluster: Cluster) -> Handle:
        """Import the module, also from the folder of the subject file, and call the function."""
        target = self._target()
        # A plain function would block the loop of the cluster, and so the cluster.
        if inspect.iscoroutinefunction(target):
            from .coroutine import RunningCoroutine

            return RunningCoroutine(target, context, cluster, self._where)
        return RunningThread(target, context, self._where)

    def _target(self) -> Callable[[SubjectContext], Any]:
        try:
            return import_callable(self._module, self._callable, self._folder)
        except NotCallable as problem:
            raise SubjectDied(
                f"the subject cannot be started: {problem}",
                hint="check the module and the function after python:",
            ) from problem


class RunningThread:
    """A function at work; it ends when it looks at `context.stop`."""

    def __init__(
        self, target: Callable[[SubjectContext], object], context: SubjectContext, name: str
    ) -> None:
        self._target = target
        self._context = context
        self._name = name
        self._log = LogRing()
        self._thread = threading.Thread(target=self._run, daemon=True, name="subject")
        self._thread.start()

    def exit_reason(self) -> str:
        """Return that the function has returned, empty while it runs."""
        return "" if self._thread.is_alive() else f"{self._name} returned"

    def log(self) -> list[Line]:
        """Return the traceback that it ended with, if it did."""
        return self._log.whole()

    def stop(self, seconds: float) -> bool:
        """Set the event; a thread cannot be ended by force and is left behind."""
        # Python has no way to end a thread from outside.
        self._context.stop.set()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def kill(self) -> None:
        """Set the event; the subject was cut off before, so that its reaction has no effect."""
        self._context.stop.set()

    def _run(self) -> None:
        try:
            self._target(self._context)
        except Exception:  # noqa: BLE001 - any exception of the subject's code ends it, reported by `ended`
            self._log.fill(traceback.format_exc().splitlines())
