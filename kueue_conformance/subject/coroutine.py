"""A subject that is a coroutine on the loop of the cluster it works on, and lives by the cluster's clock."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..backends.cluster import Cluster
from ..base.errors import Nonconformance
from . import SubjectContext
from .clock import SubjectClock
from .log import Line, LogRing

Controller = Callable[[SubjectContext], Coroutine[Any, Any, object]]
_CANCEL_SECONDS = 1.0
"""Real seconds for a cancelled coroutine to end without the cluster's clock: it closes connections."""


class RunningCoroutine:
    """A coroutine at work; it ends when it is cancelled."""

    def __init__(self, target: Controller, context: SubjectContext, cluster: Cluster, name: str) -> None:
        self._target = target
        self._context = context
        self._cluster = cluster
        self._name = name
        self._task: asyncio.Task[None] = cluster.run(self._begin)

    def exit_reason(self) -> str:
        """Return that the coroutine has returned, empty while it runs."""
        return f"{self._name} returned" if self._task.done() else ""

    def log(self) -> list[Line]:
        """Return the traceback that it ended with, if it did."""
        return self._log.whole()

    def stop(self, seconds: float) -> bool:
        """Cancel it; one that goes on after so many seconds by the cluster's clock is left behind."""
        # On the loop of the cluster: a task may be cancelled by its own loop only.
        self._cluster.run(lambda _: self._cancel())
        # A coroutine that cleans up after a cancellation needs time by the cluster's clock to go
        # on.
        if not self._task.done():
            with suppress(Nonconformance):  # A coroutine without rest does not end either.
                self._cluster.wait(self._task.done, seconds, lambda: False)
        return self._detach()

    def kill(self) -> None:
        """Cancel it; it was cut off before, so that its reaction has no effect."""
        self._cluster.run(lambda _: self._cancel())
        self._detach()

    def _detach(self) -> bool:
        """Detach from the coroutine; returns whether it has ended."""
        self._cluster.run(lambda _: self._let_go())
        return self._task.done()

    async def _begin(self, clock: Any) -> asyncio.Task[None]:
        # A backend without a clock of its own gives None; the subject then lives in real time.
        own = self._context.clock if clock is None else clock
        cluster = self._cluster
        self._clock = SubjectClock(own, self._note, lambda: cluster.ahead)
        self._log = LogRing(self._clock.now)
        context = replace(self._context, clock=self._clock)
        return asyncio.create_task(self._run(context), name="subject")

    async def _cancel(self) -> None:
        self._task.cancel()
        # `wait` neither raises what the task raised nor cancels it anew at the time-out, as
        # `wait_for` does.
        await asyncio.wait([self._task], timeout=_CANCEL_SECONDS)

    async def _let_go(self) -> None:
        self._clock.close()
        if self._task.done():
            self._forget_where()

    async def _run(self, context: SubjectContext) -> None:
        try:
            await self._target(context)
        # CancelledError is no Exception: a cancelled subject ends without a trace in its log.
        # Any exception of the subject's code ends it; `ended` reports which.
        except (Exception, SystemExit):  # noqa: BLE001
            self._note()

    def _forget_where(self) -> None:
        """Forget where it was cancelled: a task group's frame and that error hold each other, and through
        them the cluster.
        """
        try:
            # Raises for a cancelled task, which is how the error can be reached.
            self._task.exception()
        except asyncio.CancelledError as error:
            error.__traceback__ = None

    def _note(self) -> None:
        """Keep the traceback of what went wrong."""
        self._log.fill(traceback.format_exc().splitlines())
