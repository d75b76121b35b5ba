"""A queue of keys, each in work once at a time."""

import asyncio

Key = tuple[str, str, str]
"""Kind, namespace and name."""


class WorkQueue:
    """Keys to work on: a key that is in work is worked on again if it is added meanwhile."""

    def __init__(self) -> None:
        self.waiting: asyncio.Queue[Key] = asyncio.Queue()
        self.dirty: set[Key] = set()
        self.busy: set[Key] = set()
        self.failures: dict[Key, int] = {}
        self.timers: dict[Key, asyncio.TimerHandle] = {}

    def add(self, key: Key) -> None:
        if key not in self.dirty:
            self.dirty.add(key)
            if key not in self.busy:
                self.waiting.put_nowait(key)

    def add_later(self, key: Key, seconds: float) -> None:
        if key in self.timers:
            self.timers[key].cancel()
        self.timers[key] = asyncio.get_running_loop().call_later(seconds, self.add, key)

    async def take(self) -> Key:
        key = await self.waiting.get()
        self.dirty.discard(key)
        self.busy.add(key)
        return key

    def done(self, key: Key) -> None:
        self.busy.discard(key)
        if key in self.dirty:
            self.waiting.put_nowait(key)

    def count_failure(self, key: Key) -> int:
        """Return how often in turn the work on a key has failed."""
        self.failures[key] = self.failures.get(key, 0) + 1
        return self.failures[key]

    def forget(self, key: Key) -> None:
        """Forget the failures of a key."""
        self.failures.pop(key, None)
