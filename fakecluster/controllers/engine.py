"""The loop that all controllers share: store events become keys, keys are worked off in order, time comes from the clock
(FK-123, FK-455…460).

Nothing runs by itself: work is due on the clock at the moment it came up, so a cluster in virtual time stands still until
somebody lets it turn, and `settle` sees that it is not idle. The order is that of the events, hence the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Protocol

from ..api.status import StatusError
from ..clock import Timer
from ..registry.machinery import Api
from ..store import Event, Store

Key = tuple[str, ...]
Work = tuple[int, Key]
HOOKS = (
    ("admissionregistration.k8s.io", "mutatingwebhookconfigurations"),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations"),
)
SLICE = 64
"""Keys worked off in one go, so that the server can answer in between."""
FIRST_RETRY = 1.0
LAST_RETRY = 60.0


class Controller(Protocol):
    """One thing that a cluster does by itself."""

    def initial(self, store: Store) -> Iterable[Key]:
        """Return the keys to look at when starting."""

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the keys that an event concerns."""

    def work(self, key: Key) -> float | None:
        """Do what is to be done for a key; return in how many seconds to look again, None for not at all."""


class Engine:
    """Runs controllers over one API server, on its loop."""

    def __init__(self, api: Api, controllers: Mapping[str, Controller]) -> None:
        self._api = api
        self.controllers = controllers
        self._controllers = tuple(controllers.values())
        self._queue: dict[Work, None] = {}
        self._timers: dict[Work, Timer] = {}
        self._failures: dict[Work, int] = {}
        self._away = ExitStack()
        """Held while the worker works, so that the cluster does not count as quiet."""
        self._is_away = self._stopped = False
        self._converting = (-1, False)
        self._wake: Timer | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Look at everything there is, and from now on at everything that happens."""
        self._unsubscribe = self._api.store.subscribe(self._observe, self._look)
        self._look()

    def stop(self) -> None:
        """Forget all work."""
        self._unsubscribe()
        for timer in (*self._timers.values(), *filter(None, [self._wake])):
            timer.cancel()
        self._queue.clear()
        self._timers.clear()
        self._stopped = True
        self._away.close()

    def _look(self) -> None:
        for number, controller in enumerate(self._controllers):
            self._enqueue((number, key) for key in controller.initial(self._api.store))

    def _observe(self, event: Event) -> None:
        for number, controller in enumerate(self._controllers):
            self._enqueue((number, key) for key in controller.keys(event))

    def _enqueue(self, items: Iterable[Work]) -> None:
        self._queue.update(dict.fromkeys(items))
        if self._queue and self._wake is None and not self._is_away:
            self._wake = self._api.clock.call_at(self._api.clock.now(), self._drain)

    def _drain(self) -> None:
        self._wake = None
        try:
            for _ in range(min(SLICE, len(self._queue))):
                if self._is_away:
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
        worker = self._api.blocking_worker if self._may_wait() else None
        if worker is None:
            self._finish(item, lambda: self._controllers[number].work(key))
            return
        self._is_away = True
        self._away.enter_context(self._api.clock.busy())
        worker.run(lambda: self._controllers[number].work(key), lambda future: self._back(item, future))

    def _back(self, item: Work, future: Future[float | None]) -> None:
        """Go on after work that was done in the worker."""
        if self._stopped:
            return
        self._is_away = False
        self._away.close()
        try:
            self._finish(item, future.result)
        finally:
            self._enqueue(())

    def _finish(self, item: Work, work: Callable[[], float | None]) -> None:
        try:
            again = work()
            self._failures.pop(item, None)
        except StatusError:
            again = self._patience(item)
        if again is not None:
            when = self._api.clock.now() + again
            self._timers[item] = self._api.clock.call_at(when, lambda: self._enqueue([item]))

    def _may_wait(self) -> bool:
        """Whether a write may have to wait for a webhook, of admission or conversion."""
        return any(self._api.store.state_of(one) is not None for one in HOOKS) or self._converts()

    def _converts(self) -> bool:
        registry = self._api.registry
        if self._converting[0] != registry.generation:
            found = any(kind.schema.converter is not None for kind in registry.kinds())
            self._converting = (registry.generation, found)
        return self._converting[1]

    def _patience(self, item: Work) -> float:
        """Return when to look again after a refusal: the journal has it, and what forbids this may change."""
        failed = self._failures[item] = self._failures.get(item, 0) + 1
        return float(min(FIRST_RETRY * 2 ** (failed - 1), LAST_RETRY))
