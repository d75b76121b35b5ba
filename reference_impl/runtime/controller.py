"""The controller loop: take a key, reconcile it, try again when that failed or when it asks to come back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from .clock import Clock
from .errors import ApiError, UnreachableError
from .log import Logger
from .workqueue import WorkQueue

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RequeueAfter:
    """What a reconcile returns to see its key again: after seconds, or None for the failures' backoff."""

    after: float | None = None


class Controller(Generic[K]):
    """Reconciles keys, each by at most one worker at a time.

    One worker more than are at work waits, up to `workers`.
    """

    def __init__(
        self,
        name: str,
        reconcile: Callable[[K], Awaitable[RequeueAfter | None]],
        clock: Clock,
        log: Logger,
        *,
        workers: int = 1,
    ) -> None:
        self.name = name
        self.queue: WorkQueue[K] = WorkQueue(clock)
        self._reconcile = reconcile
        self._log = log.with_name(name)
        self._workers = workers
        self._hired = self._idle = 0

    async def run(self) -> None:
        """Work until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                self._hire(group)
        finally:
            self.queue.close()

    def _hire(self, group: asyncio.TaskGroup) -> None:
        self._hired += 1
        group.create_task(self._work(group))

    async def _work(self, group: asyncio.TaskGroup) -> None:
        while True:
            self._idle += 1
            key = await self.queue.get()
            self._idle -= 1
            if not self._idle and self._hired < self._workers:
                self._hire(group)
            try:
                await self._once(key)
            finally:
                self.queue.done(key)

    async def _once(self, key: K) -> None:
        try:
            requeue_after = await self._reconcile(key)
        except ApiError as error:
            self._retry(key, error)
        except UnreachableError as error:
            self._log.warning("no answer", key=key, error=error)
            self.queue.add_rate_limited(key)
        except Exception as error:  # noqa: BLE001 a bug in one object must not stop the others
            self._log.error("reconcile broke", key=key, error=f"{type(error).__name__}: {error}")
            self.queue.add_rate_limited(key)
        else:
            self._forget(key, requeue_after)

    def _retry(self, key: K, error: ApiError) -> None:
        """Retry, not before the server wants to be asked again; a conflict or a missing object is nothing to
        talk about (AC-374).
        """
        if error.is_not_found:
            self.queue.forget(key)
            return
        if not error.is_conflict:
            self._log.error("reconcile failed", key=key, error=error)
        if error.retry_after:
            # The server said how long it wants to be left alone (429, 503): the own
            # back-off would ask too early.
            self.queue.add_after(key, error.retry_after)
        else:
            self.queue.add_rate_limited(key)

    def _forget(self, key: K, requeue_after: RequeueAfter | None) -> None:
        if requeue_after is not None and requeue_after.after is None:
            self.queue.add_rate_limited(key)
            return
        self.queue.forget(key)
        if requeue_after is not None and requeue_after.after is not None:
            self.queue.add_after(key, requeue_after.after)
