"""Informers: a local copy of all objects of a kind that follows the API server (spec/apiserver.md §2.3).

Watch-list first (one stream brings what is there and what changes), list and watch where a server refuses it.
A revision that is too old (410) means everything is read again; handlers get the difference as changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections.abc import Callable
from random import Random

from ..api.resource import Json, Key, Resource, key_of
from .backoff import Backoff
from .client import Client, Stream
from .clock import Clock, pause
from .errors import ApiError, UnreachableError
from .log import Logger
from .store import Indexer, Store

Fresh = dict[Key, Json] | None
Handler = Callable[[Json | None, Json | None], None]
FOLLOW = {"allowWatchBookmarks": "true"}
WATCH_LIST = {**FOLLOW, "sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
# A watch is asked to end after this time to twice of it, as client-go does: one that is
# open and brings nothing would hide every change.
SHORTEST_WATCH_SECONDS = 300
INITIAL_END = "k8s.io/initial-events-end"
REFUSED = frozenset({400, 403, 422})


class Informer:
    """Follows one resource, or `only` one object of it.

    Handlers get (old, new): None and new when added, old and None when deleted.
    """

    def __init__(
        self,
        client: Client,
        resource: Resource,
        clock: Clock,
        log: Logger,
        *,
        random: Random,
        only: Key | None = None,
    ) -> None:
        self.resource = resource
        self.store = Store()
        self.synced = asyncio.Event()
        self._client = client
        # What a right to one named object covers: its namespace, and no other name.
        self._namespace = only.namespace if only else ""
        self._selected = {"fieldSelector": f"metadata.name={only.name}"} if only else {}
        self._clock = clock
        self._log = log.with_name("informer", resource=str(resource))
        self._handlers: list[Handler] = []
        self._revision = ""
        # Spread by resource and not by chance, so that what is random elsewhere stays as it was.
        spread = zlib.crc32(str(resource).encode()) % SHORTEST_WATCH_SECONDS
        self._watch_seconds = SHORTEST_WATCH_SECONDS + spread
        self._anew: asyncio.Event | None = None
        self._turn: asyncio.Timeout | None = None
        self._watch_list = True
        self._backoff = Backoff(base=0.8, limit=30.0, jitter=random)

    def add_handler(self, handler: Handler) -> None:
        """Have every change told to `handler`; must be added before the informer runs."""
        self._handlers.append(handler)

    def add_index(self, name: str, indexer: Indexer) -> None:
        """Keep an index over the store."""
        self.store.add_index(name, indexer)

    @property
    def position(self) -> int:
        """Return the revision up to which everything was seen; 0 while everything is read again."""
        return int(self._revision) if self._revision.isdecimal() else 0

    def forget(self) -> None:
        """Forget everything that was followed, and all handlers, so that a stopped manager is small."""
        self._handlers.clear()
        self.store.clear()

    async def run(self) -> None:
        """Follow the resource until cancelled."""
        while True:
            if self._anew is not None:
                self.synced, self._anew, self._revision = self._anew, None, ""
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None) as self._turn:
                    await self._follow_or_pause()
            self._turn = None

    async def refresh(self) -> None:
        """Read everything again, and return when handlers know all that was stored when this was called."""
        synced = self._anew = self._anew or asyncio.Event()
        if self._turn is not None and not self._turn.expired():
            # A watch may be silent for minutes: its turn ends now, so that the next one
            # reads everything.
            self._turn.reschedule(asyncio.get_running_loop().time())
        await synced.wait()

    async def _follow_or_pause(self) -> None:
        """Read one stream; when it brought nothing, wait a little before the next."""
        try:
            if await self._follow():
                return
        except ApiError as error:
            self._forget(error)
        except UnreachableError as error:
            self._log.warning("watch broke", error=str(error))
        await pause(self._clock, self._backoff.next())

    def _forget(self, error: ApiError) -> None:
        """Decide what an error answer means for the next try."""
        if error.is_expired or error.reason == "Timeout":
            self._revision = ""
            self._log.info("reading everything again", reason=error.message)
        elif self._watch_list and not self._revision and error.code in REFUSED:
            # An old server, or one whose gate is off, refuses `sendInitialEvents`. It
            # is not asked again: it would refuse each time.
            self._watch_list = False
        else:
            self._log.warning("watch failed", error=str(error))

    async def _follow(self) -> bool:
        """Read one stream until its end; True when it brought anything, or lasted as long
        as was asked for.
        """
        until = self._clock.now() + self._watch_seconds
        with contextlib.ExitStack() as behind:
            # Virtual time must not pass while objects are still unknown.
            behind.enter_context(self._clock.busy())
            if not self._revision and not self._watch_list:
                await self._list()
            # Without a revision the stream begins with all that there is: it is
            # collected, and compared with the store at its end.
            fresh: Fresh = None if self._revision else {}
            options = {**FOLLOW, "resourceVersion": self._revision} if self._revision else WATCH_LIST
            options = {**options, **self._selected, "timeoutSeconds": str(self._watch_seconds)}
            async with self._client.watch(self.resource, options, self._namespace) as stream:
                return await self._read(stream, fresh, behind) or self._clock.now() >= until

    async def _read(self, stream: Stream, fresh: Fresh, behind: contextlib.ExitStack) -> bool:
        """Handle every batch of a stream; no longer `behind` once the initial events are through."""
        brought = False
        if fresh is None:
            self._report(stream)
            behind.close()
        async for batch in stream.batches:
            brought = True
            for event in batch:
                if event["type"] == "DELETED" and fresh is None:
                    # A handler that was told of the object acts on it before it is gone, as if the events had
                    # come apart.
                    await asyncio.sleep(0)
                fresh = self._take(event, fresh)
            if fresh is None:
                self._backoff.reset()
                self._report(stream)
                behind.close()
        return brought

    def _report(self, stream: Stream) -> None:
        if stream.audit_id and self._revision.isdecimal():
            self._clock.saw(stream.audit_id, int(self._revision))

    def _take(self, event: Json, fresh: Fresh) -> Fresh:
        """Handle one event; `fresh` collects the existing objects until the initial events end."""
        kind, obj = event["type"], event["object"]
        if kind == "ERROR":
            raise ApiError.of(obj)
        if kind == "BOOKMARK":
            return self._bookmark(obj["metadata"], fresh)
        key = key_of(obj)
        if fresh is not None:
            fresh[key] = obj
            return fresh
        self._revision = obj["metadata"]["resourceVersion"]
        # A handler gets the object as it went: its last labels say which queue or Job
        # has lost it.
        if kind == "DELETED":
            self._set(key, None, last=obj)
        else:
            self._set(key, obj)
        return None

    def _bookmark(self, metadata: Json, fresh: Fresh) -> Fresh:
        if fresh is not None:
            # Bookmarks in between only keep the stream open: the objects before the
            # marked one are not complete.
            if (metadata.get("annotations") or {}).get(INITIAL_END) != "true":
                return fresh
            self._replace(fresh)
        self._revision = metadata["resourceVersion"]
        return None

    async def _list(self) -> None:
        answer = await self._client.list(self.resource, self._namespace, **self._selected)
        meta = {"apiVersion": self.resource.api_version, "kind": self.resource.kind}
        self._replace({key_of(item): {**meta, **item} for item in answer.get("items") or ()})
        self._revision = answer["metadata"]["resourceVersion"]

    def _replace(self, fresh: dict[Key, Json]) -> None:
        # Deletions come first: what took the place of a deleted object meets a free
        # place, as it would have in the stream that was missed.
        for key in self.store.absent_from(fresh):
            self._set(key, None)
        for key, obj in fresh.items():
            self._set(key, obj)
        self.synced.set()

    def _set(self, key: Key, obj: Json | None, last: Json | None = None) -> None:
        """Bring one object into the store and tell the handlers; `last` is a deleted object as it went."""
        old = self.store.get(key)
        if _revision_of(old) == _revision_of(obj):
            return
        # The store changes before handlers run: a handler that reads it sees what it is
        # told.
        self.store.put(key, obj)
        for handler in self._handlers:
            self._tell(handler, key, last or old, obj)

    def _tell(self, handler: Handler, key: Key, old: Json | None, new: Json | None) -> None:
        try:
            handler(old, new)
        except Exception as error:  # noqa: BLE001 one odd object must not end the stream for all others
            self._log.error("handler broke", key=key, error=f"{type(error).__name__}: {error}")


def _revision_of(obj: Json | None) -> str | None:
    return None if obj is None else obj["metadata"].get("resourceVersion", "")
