"""The loop that all controllers share: store events become keys, keys are worked off in order, time comes
from the clock (FK-123, FK-455…460).

Nothing runs by itself: work is due on the clock at the moment it came up, so a
cluster in virtual time stands still until time is moved, and `settle` sees that it
is not idle. The order is that of the events, hence the same in every run. Work on a
key that makes many requests goes on in later slices; no other is begun meanwhile. Work
that waits, for a webhook say, holds up its own key; other keys go on.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, Protocol

from ..api.status import StatusError
from ..api.steps import PAUSE, Answers, Computation, Pending, Steps, Wait, begin
from ..base.clock import Timer
from ..base.subscribers import nothing
from ..registry.machinery import Api
from ..store import Event, Resource, Store
from .backoff import exponential

Key = tuple[str, ...]
Work = tuple[int, Key]
Progress = float | None | Pending[float | None]
"""What the work on a key has come to: its end, or what it waits for."""
Await = Callable[[Wait], Awaitable[Answers]]
"""Waits on behalf of a controller, on the loop."""
KEYS_PER_TURN = 16
"""Keys begun and requests made in one go, so that the server can answer in between."""
WORKERS = 5
"""Keys of one controller that wait at the same time: the concurrent syncs of most controllers."""
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


class WaitingWork(NamedTuple):
    """Work that waits; the cluster does not count as quiet until `busy` is closed."""

    task: asyncio.Task[None]
    busy: ExitStack
    computes: bool
    """Whether it waits for a computation; no other work is begun meanwhile, so that the order is the same in
    every run.
    """


class Engine:
    """Runs controllers over one API server, on its loop; `wait` awaits what their requests wait for."""

    def __init__(self, api: Api, controllers: Mapping[str, Controller], wait: Await | None = None) -> None:
        self._api = api
        self._await = wait
        self.controllers = controllers
        self._controllers = tuple(controllers.values())
        self._concerned: dict[Resource, tuple[tuple[int, Controller], ...]] = {}
        """The controllers that events of a resource concern, with their numbers."""
        # A dict is a queue without repetitions: a key that is due already keeps its place.
        self._queue: dict[Work, None] = {}
        self._timers: dict[Work, Timer] = {}
        self._failures: dict[Work, int] = {}
        self._paused: deque[tuple[Work, Pending[float | None]]] = deque()
        """The work that goes on in the next slice; several after waits that ended in the same turn."""
        self._waiting: dict[Work, WaitingWork] = {}
        self._postponed: defaultdict[int, dict[Work, None]] = defaultdict(dict)
        """By controller, the work that is due and begins when a wait of the controller ends."""
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
        self._paused.clear()
        self._postponed.clear()
        for waiting in self._waiting.values():
            waiting.task.cancel()
            waiting.busy.close()
        self._waiting.clear()

    def _look(self) -> None:
        for number, controller in enumerate(self._controllers):
            self._enqueue((number, key) for key in controller.initial(self._api.store))

    def _observe(self, event: Event) -> None:
        resource = event.after.resource
        concerned = self._concerned.get(resource)
        if concerned is None:
            # Kept by resource, as most events concern a few controllers of many.
            concerned = self._concerned[resource] = tuple(
                (number, controller)
                for number, controller in enumerate(self._controllers)
                if controller.resources is None or resource in controller.resources
            )
        for number, controller in concerned:
            self._enqueue((number, key) for key in controller.keys(event))

    def _enqueue(self, items: Iterable[Work]) -> None:
        self._queue.update(dict.fromkeys(items))
        if (self._queue or self._paused) and self._wake is None and not self._is_computing():
            # Due now, and not run now: an event is told within a write, which must be over first.
            self._wake = self._api.clock.call_at(self._api.clock.now(), self._drain)

    def _drain(self) -> None:
        self._wake = None
        try:
            for _ in range(KEYS_PER_TURN):
                if not self._advance():
                    break
        finally:
            # Also after a defect: work that is left must not wait for the next event.
            self._enqueue(())

    def _advance(self) -> bool:
        """Take the work that has paused, or else the first of the queue that may begin, to its end or its
        next request; tell whether there was any.
        """
        if self._is_computing():
            return False
        if self._paused:
            item, pending = self._paused.popleft()
            self._run(item, partial(pending.resume, ()))
            return True
        begun = self._take()
        if begun is None:
            return False
        number, key = begun
        # Work that is done now need not be looked at again at its former time.
        if earlier := self._timers.pop(begun, None):
            earlier.cancel()
        self._run(begun, lambda: begin(self._controllers[number].work(key)))
        return True

    def _take(self) -> Work | None:
        """Take the oldest work that may begin out of the queue."""
        while self._queue:
            # The oldest key, by the order of insertion.
            item = next(iter(self._queue))
            del self._queue[item]
            if not self._waiting or self._may_begin(item):
                return item
            self._postponed[item[0]][item] = None
        return None

    def _is_computing(self) -> bool:
        return any(waiting.computes for waiting in self._waiting.values())

    def _may_begin(self, item: Work) -> bool:
        """Tell whether no work on the same key waits, and fewer than WORKERS of the same controller do."""
        return item not in self._waiting and sum(number == item[0] for number, _ in self._waiting) < WORKERS

    def _run(self, item: Work, step: Callable[[], Progress]) -> None:
        try:
            progress = step()
        except StatusError:
            self._look_again(item, self._patience(item))
            return
        if not isinstance(progress, Pending):
            self._done(item, progress)
        elif progress.wait == PAUSE:
            self._paused.append((item, progress))
        elif self._await is None:
            raise RuntimeError(f"{item[1]} waits for {progress.wait}, and this engine waits for nothing")
        else:
            # Waiting for a webhook, say, the cluster is not quiet, although nothing is queued.
            busy = ExitStack()
            busy.enter_context(self._api.clock.busy())
            task = asyncio.get_running_loop().create_task(self._wait(item, progress, self._await))
            self._waiting[item] = WaitingWork(task, busy, isinstance(progress.wait, Computation))

    async def _wait(self, item: Work, pending: Pending[float | None], wait: Await) -> None:
        """Go on when what the work waits for has come."""
        try:
            answers = await wait(pending.wait)
        finally:
            # Nothing is left of it when the engine was stopped meanwhile.
            if waiting := self._waiting.pop(item, None):
                waiting.busy.close()
        try:
            self._run(item, partial(pending.resume, answers))
        finally:
            self._enqueue(self._postponed.pop(item[0], ()))

    def _done(self, item: Work, delay: float | None) -> None:
        # A success starts the waits over.
        self._failures.pop(item, None)
        if delay is not None:
            self._look_again(item, delay)

    def _look_again(self, item: Work, seconds: float) -> None:
        when = self._api.clock.now() + seconds
        self._timers[item] = self._api.clock.call_at(when, lambda: self._enqueue([item]))

    def _patience(self, item: Work) -> float:
        """Return when to look again after a refusal: the journal has it, and what forbids this may change."""
        failed = self._failures[item] = self._failures.get(item, 0) + 1
        return exponential(FIRST_RETRY, failed - 1, LAST_RETRY)
