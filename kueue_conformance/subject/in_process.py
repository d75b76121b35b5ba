"""`python:MODULE:CALLABLE`: the subject is a function of this process, called in a thread with its `SubjectContext`."""

from __future__ import annotations

import importlib
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from ..errors import SubjectDied, UsageError
from . import SubjectContext
from .log import LogRing


class InProcess:
    """Finds the callable and starts it."""

    alone = False

    def __init__(self, where: str) -> None:
        self._module, _, self._callable = where.partition(":")
        if not self._module or not self._callable:
            raise UsageError(
                f"subject 'python:{where}' is incomplete", hint="write python:package.module:function"
            )

    def start(self, context: SubjectContext) -> RunningThread:
        """Import the module, also from the working directory, and call the function in a thread."""
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)
        try:
            target = getattr(importlib.import_module(self._module), self._callable)
        except (ImportError, AttributeError) as problem:
            raise SubjectDied(
                f"the subject cannot be started: {problem}",
                hint="check the module and the function after python:",
            ) from problem
        return RunningThread(target, context, f"{self._module}:{self._callable}")


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

    def ended(self) -> str:
        """Return that the function has returned, empty while it runs."""
        return "" if self._thread.is_alive() else f"{self._name} returned"

    def log(self) -> list[str]:
        """Return the traceback that it ended with, if it did."""
        return self._log.tail()

    def stop(self, seconds: float) -> None:
        """Set the event; a thread cannot be ended by force and is left behind."""
        self._context.stop.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self._target(self._context)
        except Exception:  # noqa: BLE001 - whatever somebody's code raises is the end of the subject, told by `ended`
            self._log.fill(traceback.format_exc().splitlines())
