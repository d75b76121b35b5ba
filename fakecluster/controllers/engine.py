"""The loop that all controllers share: store events become keys, keys are worked off in order, time comes from the clock
(FK-123, FK-455…460).

Nothing runs by itself: work is due on the clock at the moment it came up, so a cluster in virtual time stands still until
somebody lets it turn, and `settle` sees that it is not idle. The order is that of the events, hence the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ..api.machinery import Api
from ..api.outcome import Response
from ..api.status import StatusError
from ..clock import Timer
from ..store import Event, Store
from .actor import Waits

Key = tuple[str, ...]
Work = tuple[int, Key]
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
        self._waiting: set[Work] = set()
        """Work whose last write others have to admit; it is looked at again when they have."""
        self._wake: Timer | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Look at everything there is, and from now on at everything that happens."""
        self._unsubscribe = self._api.store.subscribe(self._observe)
        for number, controller in enumerate(self._controllers):
            self._enqueue((number, key) for key in controller.initial(self._api.store))

    def stop(self) -> None:
        """Forget all work."""
        self._unsubscribe()
        for timer in (*self._timers.values(), *filter(None, [self._wake])):
            timer.cancel()
        self._queue.clear()
        self._timers.clear()
        self._waiting.clear()

    def _observe(self, event: Event) -> None:
        for number, controller in enumerate(self._controllers):
            self._enqueue((number, key) for key in controller.keys(event))

    def _enqueue(self, items: Iterable[Work]) -> None:
        self._queue.update(dict.fromkeys(items))
        if self._queue and self._wake is None:
            self._wake = self._api.clock.call_at(self._api.clock.now(), self._drain)

    def _drain(self) -> None:
        self._wake = None
        try:
            for _ in range(min(SLICE, len(self._queue))):
                item = next(iter(self._queue))
                del self._queue[item]
                self._work(item)
        finally:
            self._enqueue(())

    def _work(self, item: Work) -> None:
        number, key = item
        if item in self._waiting:
            return
        if earlier := self._timers.pop(item, None):
            earlier.cancel()
        try:
            again = self._controllers[number].work(key)
            self._failures.pop(item, None)
        except StatusError:
            again = self._patience(item)
        except Waits as waits:
            self._waiting.add(item)
            self._api.later(waits.outcome, lambda answer: self._answered(item, answer))
            return
        self._look_again(item, again)

    def _answered(self, item: Work, answer: Response) -> None:
        """Go on with work whose write is done: the store says what is left to do."""
        if item not in self._waiting:
            return
        self._waiting.discard(item)
        self._look_again(item, self._patience(item) if answer.code >= 400 else 0.0)

    def _patience(self, item: Work) -> float:
        """Return when to look again after a refusal: the journal has it, and what forbids this may change."""
        failed = self._failures[item] = self._failures.get(item, 0) + 1
        return float(min(FIRST_RETRY * 2 ** (failed - 1), LAST_RETRY))

    def _look_again(self, item: Work, again: float | None) -> None:
        if again is not None:
            when = self._api.clock.now() + again
            self._timers[item] = self._api.clock.call_at(when, lambda: self._enqueue([item]))
