"""Following a kind: list, then watch from there; a watch that ends goes on from where it was, one that is too
old begins anew.
"""

import asyncio
from contextlib import ExitStack

from .api import GONE, NOT_FOUND, TROUBLE, ApiError

WATCH_SECONDS, GRACE = 60, 5
FIRST, LONGEST = 0.5, 30.0


async def pause(clock, seconds):
    """Wait by the clock."""
    due = asyncio.get_running_loop().create_future()
    timer = clock.call_at(clock.now() + seconds, lambda: None if due.done() else due.set_result(None))
    try:
        await due
    finally:
        timer.cancel()


class Follower:
    """A local copy of what is at a path, also by what it is `about`;
    `told(old, new)` hears of every change.
    """

    def __init__(self, api, clock, path, notify, about=None, **only):
        self._api, self._clock, self._path, self._told, self._only = api, clock, path, notify, only
        self.known, self.synced, self.revision = {}, asyncio.Event(), ""
        self._about, self.groups = about or key_of, {}

    async def run(self):
        """Follow until cancelled, with pauses that grow while nothing works."""
        wait = FIRST
        while True:
            request = 0.0
            try:
                if await self.stream():
                    wait = FIRST
                    continue
            except TROUBLE as problem:
                request = self.forget(problem)
            await pause(self._clock, max(wait, request))
            wait = min(LONGEST, wait * 2)

    def forget(self, problem):
        """Decide what an error means for the next try; return how long the server wants to be left alone."""
        code = getattr(problem, "code", None)
        if code == GONE:
            self.revision = ""
        if code == NOT_FOUND:
            self.nothing()
        return getattr(problem, "wait", 0.0)

    async def stream(self):
        """Read one watch to its end; tell whether it brought anything."""
        brought = False
        with ExitStack() as work:
            work.enter_context(self._clock.busy())
            if not self.revision:
                await self.list()
            query = {
                "resourceVersion": self.revision,
                "allowWatchBookmarks": "true",
                "timeoutSeconds": WATCH_SECONDS,
            }
            async with self._api.watch(self._path, **query, **self._only) as (name, batches):
                reading = asyncio.current_task()
                # A watch that is frozen would never end by itself.
                deadline = self._clock.call_at(
                    self._clock.now() + self.patience(), lambda: reading.cancel("frozen")
                )
                try:
                    self._clock.saw(name, int(self.revision))
                    work.close()
                    async for batch in batches:
                        for event in batch:
                            self.take(event["type"], event["object"])
                        self._clock.saw(name, int(self.revision))
                        brought = True
                except asyncio.CancelledError as end:
                    if end.args != ("frozen",):
                        raise
                    reading.uncancel()
                finally:
                    deadline.cancel()
                    # The error that a cancelled task ends with holds this frame.
                    reading = None
        return brought

    def patience(self):
        """Return after how many seconds a watch is doubted."""
        return WATCH_SECONDS + GRACE

    async def list(self):
        """Read everything and tell the difference."""
        api = await self._api.get(self._path, **self._only)
        fresh = {key_of(item): item for item in api.get("items") or ()}
        for key in self.known.keys() - fresh.keys():
            self.set(key, None)
        for key, member in fresh.items():
            self.set(key, member)
        self.revision = api["metadata"]["resourceVersion"]
        self.synced.set()

    def nothing(self):
        """Note that the kind is not served: there is none of it."""
        for key in [*self.known]:
            self.set(key, None)
        self.synced.set()

    def take(self, kind, manifest):
        """Take one event of a watch. Raises ApiError for one that is an error."""
        if kind == "ERROR":
            raise ApiError(manifest["code"], manifest)
        self.revision = manifest["metadata"]["resourceVersion"]
        if kind != "BOOKMARK":
            self.set(key_of(manifest), None if kind == "DELETED" else manifest)

    def set(self, key, new):
        """Remember an object, or that it is gone, and tell all listeners."""
        old = self.known.get(key)
        if old is not None:
            del self.groups[self._about(old)][key]
        if new is not None:
            self.known[key] = new
            self.groups.setdefault(self._about(new), {})[key] = new
        else:
            self.known.pop(key, None)
        if old != new:
            self._told(old, new)


def key_of(manifest):
    """Return what tells an object from others of its kind."""
    return manifest["metadata"].get("namespace", ""), manifest["metadata"]["name"]
