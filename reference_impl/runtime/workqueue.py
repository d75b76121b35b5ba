"""The work queue: each key once, one worker a key, failed keys again after a growing delay through the clock.

Holds a busy token while a key waits for a worker or is worked on: programs with the same clock see that there
is work.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from .backoff import Backoff
from .clock import Clock, Timer

K = TypeVar("K", bound=Hashable)
# The limits of client-go's default rate limiter for controllers.
RETRY_BASE = 0.005
RETRY_LIMIT = 1000.0


class WorkQueue(Generic[K]):
    """Keys that want work. `get` and `done` are for workers, the rest for event handlers."""

    def __init__(self, clock: Clock, *, base: float = RETRY_BASE, limit: float = RETRY_LIMIT) -> None:
        self._clock = clock
        self._base, self._limit = base, limit
        self._ready: deque[K] = deque()
        self._dirty: set[K] = set()
        self._working: set[K] = set()
        self._timers: dict[K, tuple[float, Timer]] = {}
        self._failures: dict[K, Backoff] = {}
        self._wakeup = asyncio.Event()
        self._token: AbstractContextManager[None] | None = None
        self._has_worker = False

    def __len__(self) -> int:
        return len(self._ready)

    def add(self, key: K) -> None:
        """Want work on a key, once however often it is added; one that is at work comes again afterwards."""
        if key in self._dirty:
            return
        self._dirty.add(key)
        # A key at work is not handed to a second worker. `done` queues it again.
        if key not in self._working:
            self._push(key)

    def add_after(self, key: K, seconds: float) -> None:
        """Want work on a key later; of several wishes the earliest counts."""
        if seconds <= 0:
            self.add(key)
            return
        due = self._clock.now() + seconds
        if key in self._timers:
            # The earliest wish counts, as in client-go's delaying queue.
            if self._timers[key][0] <= due:
                return
            self._timers.pop(key)[1].cancel()
        self._timers[key] = (due, self._clock.call_at(due, lambda: self._due(key)))

    def add_rate_limited(self, key: K) -> None:
        """Want work on a key that failed, after a delay that doubles with each failure."""
        if key not in self._failures:
            self._failures[key] = Backoff(base=self._base, limit=self._limit)
        self.add_after(key, self._failures[key].next())

    def forget(self, key: K) -> None:
        """Forget the failures of a key."""
        self._failures.pop(key, None)

    async def get(self) -> K:
        """Return the next key, which is at work until `done`."""
        self._has_worker = True
        if self._ready:
            self._hold_token()
        while not self._ready:
            self._wakeup.clear()
            await self._wakeup.wait()
        key = self._ready.popleft()
        self._dirty.discard(key)
        self._working.add(key)
        return key

    def done(self, key: K) -> None:
        """Finish work on a key."""
        self._working.discard(key)
        if key in self._dirty:
            self._push(key)
        self._release_token_when_idle()

    def close(self) -> None:
        """Drop everything, timers and the token included."""
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._ready.clear()
        self._dirty.clear()
        self._working.clear()
        self._release_token_when_idle()

    def _push(self, key: K) -> None:
        # Before the key is visible: between the two a virtual clock could pass on.
        self._hold_token()
        self._ready.append(key)
        self._wakeup.set()

    def _due(self, key: K) -> None:
        self._timers.pop(key, None)
        self.add(key)

    def _hold_token(self) -> None:
        # A replica that does not lead has keys and no worker: it waits for time to pass.
        if self._has_worker and self._token is None:
            self._token = self._clock.busy()
            self._token.__enter__()

    def _release_token_when_idle(self) -> None:
        if self._token is not None and not self._ready and not self._working:
            token, self._token = self._token, None
            token.__exit__(None, None, None)
