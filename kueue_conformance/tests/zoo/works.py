"""Work by key: each key at most once at a time,
again when it was marked meanwhile, later and later while it fails.
"""

from .api import TROUBLE

FIRST, LONGEST = 0.5, 30.0


class Works:
    """`step(key)` returns after how many seconds it wants to look again, None for not at all."""

    def __init__(self, clock, step, tasks):
        self._clock, self._step, self._tasks = clock, step, tasks
        self._running, self._again, self._timers, self._waits = set(), set(), {}, {}
        self._alone = set()

    def mark(self, key):
        """Have a key worked on now, or when the server no longer wants it left alone (CC-076)."""
        if key not in self._alone:
            self._take(key)

    def _take(self, key):
        if key in self._running:
            self._again.add(key)
        else:
            self._running.add(key)
            self._tasks.create_task(self._work(key))

    async def _work(self, key):
        with self._clock.busy():
            self._again.add(key)
            while key in self._again:
                self._again.discard(key)
                seconds = await self._attempt(key)
                if key in self._alone:
                    self._again.discard(key)
            self._running.discard(key)
            self._later(key, seconds)

    async def _attempt(self, key):
        self._alone.discard(key)
        try:
            seconds = await self._step(key)
        except TROUBLE as problem:
            wait = self._waits[key] = self.wait_after(problem, self._waits.get(key, 0.0))
            server_wait = getattr(problem, "wait", 0.0)
            if server_wait:
                self._alone.add(key)
            return max(wait, server_wait)
        self._waits.pop(key, None)
        return seconds

    def wait_after(self, problem, last):
        """Return the pause after a failure: twice the last one."""
        return min(LONGEST, max(FIRST, 2 * last))

    def _later(self, key, seconds):
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        if seconds is not None:
            self._timers[key] = self._clock.call_at(self._clock.now() + seconds, lambda: self._take(key))
