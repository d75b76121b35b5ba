"""The loop that all controllers share: store events become keys, keys are worked off in order, time comes
from the clock (FK-123, FK-455…460).

Nothing runs by itself: work is due on the clock at the moment it came up, so a cluster in virtual time stands
still until time is moved, and `settle` sees that it is not idle. The order is that of the events, hence the
same in every run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from typing import Protocol

from ..api.status import StatusError
from ..api.steps import Pending, Steps, begin, rest
from ..clock import Timer
from ..registry.machinery import Api
from ..store import Event, Resource, Store
from ..subscribers import nothing

Key = tuple[str, ...]
Work = tuple[int, Key]
Finish = Callable[[Steps[float | None]], Awaitable[float | None]]
"""Takes steps to their end, on the loop."""
SLICE = 64
"""Keys worked off in one go, so that the server can answer in between."""
FIRST_RETRY = 1.0
LAST_RETRY = 60.0


class Controller(Protocol):
    """One thing that a cluster does by itself."""

    @property
    def resources(self) -> Collection[Resource] | None:
        """The resources whose events concern it; None for all."""

    def initial(self, store: Store) -> Iterable[Key]:
        """Return the keys to look at when starting."""

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the keys that an event concerns."""

    def work(self, key: Key) -> Steps[float | None]:
        """Reconcile a key; return after how many seconds to do so again, None for not at all.

        Raises StatusError.
        """


class Engine:
    """Runs controllers over one API server, on its loop; `finish` takes what waits for a webhook to its end."""

    def __init__(self, api: Api, controllers: Mapping[str, Controller], finish: Finish | None = None) -> None:
        self._api = api
        self._finish = finish
        self.controllers = controllers
        self._controllers = tuple(controllers.values())
        self._concerned: dict[Resource, tuple[tuple[int, Controller], ...]] = {}
        """The controllers that events of a resource concern, with their numbers."""
        self._queue: dict[Work, None] = {}
        self._timers: dict[Work, Timer] = {}
        self._failures: dict[Work, int] = {}
        self._away = ExitStack()
        """Held while work waits, so that the cluster does not count as quiet."""
        self._waiting: asyncio.Task[None] | None = None
        """The work that waits; no other is begun meanwhile, so that the order stays that of the events."""
        self._wake: Timer | None = None
        self._unsubscribe: Callable[[], None] = nothing

    def start(self) -> None:
        """Look at everything there is, and from now on at everything that happens."""
        if self._controllers:
            self._unsubscribe = self._api.store.subscribe(self._observe, self._look)
        self._look()

    def stop(self) -> None:
        """Forget all work."""
        self._unsubscribe()
        for timer in (*self._timers.values(), *filter(None, [self._wake])):
            timer.cancel()
        self._queue.clear()
        self._timers.clear()
        if self._waiting is not None:
            self._waiting.cancel()
        self._away.close()

    def _look(self) -> None:
        for number, controller in enumerate(self._controllers):
            self._enqueue((number, key) for key in controller.initial(self._api.store))

    def _observe(self, event: Event) -> None:
        resource = event.after.resource
        concerned = self._concerned.get(resource)
        if concerned is None:
            concerned = self._concerned[resource] = tuple(
                (number, one)
                for number, one in enumerate(self._controllers)
                if one.resources is None or resource in one.resources
            )
        for number, controller in concerned:
            self._enqueue((number, key) for key in controller.keys(event))

    def _enqueue(self, items: Iterable[Work]) -> None:
        self._queue.update(dict.fromkeys(items))
        if self._queue and self._wake is None and self._waiting is None:
            self._wake = self._api.clock.call_at(self._api.clock.now(), self._drain)

    def _drain(self) -> None:
        self._wake = None
        try:
            for _ in range(min(SLICE, len(self._queue))):
                if self._waiting is not None:
                    break
                item = next(iter(self._queue))
                del self._queue[item]
                self._work(item)
        finally:
            self._enqueue(())

    def _work(self, item: Work) -> None:
        number, key = item
        if earlier := self._timers.pop(item, None):
            earlier.cancel()
        try:
            found = begin(self._controllers[number].work(key))
        except StatusError:
            self._look_again(item, self._patience(item))
            return
        if not isinstance(found, Pending):
            self._done(item, found)
        elif self._finish is None:
            raise RuntimeError(f"{key} waits for {found.wait}, and this engine waits for nothing")
        else:
            self._away.enter_context(self._api.clock.busy())
            left = self._wait(item, rest(found), self._finish)
            self._waiting = asyncio.get_running_loop().create_task(left)

    async def _wait(self, item: Work, left: Steps[float | None], finish: Finish) -> None:
        """Go on when the work that waits is done."""
        try:
            self._done(item, await finish(left))
        except StatusError:
            self._look_again(item, self._patience(item))
        finally:
            self._waiting = None
            self._away.close()
        self._enqueue(())

    def _done(self, item: Work, again: float | None) -> None:
        self._failures.pop(item, None)
        if again is not None:
            self._look_again(item, again)

    def _look_again(self, item: Work, seconds: float) -> None:
        when = self._api.clock.now() + seconds
        self._timers[item] = self._api.clock.call_at(when, lambda: self._enqueue([item]))

    def _patience(self, item: Work) -> float:
        """Return when to look again after a refusal: the journal has it, and what forbids this may change."""
        failed = self._failures[item] = self._failures.get(item, 0) + 1
        return float(min(FIRST_RETRY * 2 ** (failed - 1), LAST_RETRY))
