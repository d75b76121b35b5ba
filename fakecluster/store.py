"""The revisioned store: persistent maps of objects and the
log of what happened to them (AR-02, FK-130, FK-125).

A revision is one write. Every state in the window stays readable, so an exact
list, a snapshot and a fork are pointer copies. Objects are plain JSON trees
that do not change after they are stored; their JSON encoding is made once.
"""

from __future__ import annotations

import builtins
import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import attrgetter
from typing import Any, Literal, TypeAlias

import orjson
from msgspec import Struct, field
from rpds import HashTrieMap

from .base.json_types import Json
from .base.subscribers import Stop, Subscribers, add_hook, nothing

Resource = tuple[str, str]
Name = tuple[str, str]


# Compared by identity: two revisions of an object are never the same one.
class Stored(Struct, frozen=True, eq=False):
    """An object at a revision: (group, plural), (namespace, name), the object in storage version."""

    resource: Resource
    name: Name
    revision: int
    object: Json
    cache: dict[Any, Any] = field(default_factory=dict)
    """Encodings by representation, and conversions;
    each is made when it is first needed and shared by every reader.
    """

    @property
    def uid(self) -> str:
        """The object's uid."""
        return str(self.object["metadata"].get("uid", ""))

    def json(self) -> bytes:
        """Return the JSON of the stored object, made at most once.

        Raises TypeError for what cannot be written.
        """
        return self.encode_once(JSON, encode)

    def encode_once(self, key: Any, encode: Callable[[Json], bytes]) -> bytes:
        """Return the encoding under `key`, made at most once."""
        encoding: bytes | None = self.cache.get(key)
        if encoding is None:
            encoding = self.cache[key] = exact(encode(self.object))
        return encoding


class Event(Struct, frozen=True):
    """One revision: the object before and after.

    ADDED has no `before`; DELETED's `after` is the final object.
    """

    type: Literal["ADDED", "MODIFIED", "DELETED"]
    revision: int
    before: Stored | None
    after: Stored

    @property
    def resource(self) -> Resource:
        """(group, plural) of the object."""
        return self.after.resource


Bucket: TypeAlias = "HashTrieMap[Name, Stored]"
State: TypeAlias = "HashTrieMap[Resource, Bucket]"
_EMPTY_BUCKET: Bucket = HashTrieMap()
_NAME, _REVISION = attrgetter("name"), attrgetter("revision")
MAX_SORTED_LISTS = 100
"""Lists kept in order before that begins anew."""
MANAGED_FIELDS, JSON = "managedFields", "json"
REVISIONS_PER_STATE = 64
"""Revisions from one kept state to the next; those between are made again from the events."""


class Conflict(Exception):
    """The object was changed, created or removed since it was read; `current` is the stored one."""

    def __init__(self, current: Stored | None) -> None:
        super().__init__("the object has been modified")
        self.current = current


class Oversized(Exception):
    """The JSON of an object has more bytes than were allowed."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the object has {size} bytes")
        self.size = size


class Expired(Exception):
    """The revision has left the window; `oldest` is the first that is still known."""

    def __init__(self, oldest: int) -> None:
        super().__init__(f"the oldest revision kept is {oldest}")
        self.oldest = oldest


class Snapshot(Struct, frozen=True):
    """A state of the store that may be restored or forked; holding it costs nothing."""

    revision: int
    state: State


class Store:
    """Objects by resource and name, one counter of revisions,
    and the events of the last `window` revisions.
    """

    def __init__(self, *, revision: int = 1000, window: int = 10_000) -> None:
        self.revision = revision
        self._window = window
        self._state: State = HashTrieMap()
        self._events: list[Event] = []
        self._marks: list[Snapshot] = [self.snapshot()]
        self._visited = self._marks[0]
        """The past state that was asked for last: pages of a list follow one another."""
        self._base = revision
        self._subscribers = Subscribers[Event]()
        self._hooks: dict[object, Callable[[], None]] = {}
        self._owners: dict[Resource, Json] = {}
        self._sorted_lists: dict[tuple[Resource, str], tuple[Bucket, builtins.list[Stored]]] = {}
        """The newest lists, in order: many are asked for again before anything has changed."""

    @property
    def oldest(self) -> int:
        """The oldest revision whose state is still known."""
        return self._base

    def get(self, resource: Resource, name: Name) -> Stored | None:
        """Return the object, None when there is none."""
        return self._state.get(resource, _EMPTY_BUCKET).get(name)

    def list(self, resource: Resource, *, namespace: str = "", revision: int | None = None) -> list[Stored]:
        """Return the objects in order of namespace and name,
        of one namespace or all, now or at an exact revision.

        Raises Expired when the revision has left the window.
        """
        bucket = self._at(revision).get(resource, _EMPTY_BUCKET)
        sorted_list = self._sorted_lists.get((resource, namespace))
        # A persistent map is another object after every change, so identity says whether the list is still
        # good.
        if sorted_list is None or sorted_list[0] is not bucket:
            if len(self._sorted_lists) >= MAX_SORTED_LISTS:
                self._sorted_lists.clear()
            members = [stored for stored in bucket.values() if not namespace or stored.name[0] == namespace]
            sorted_list = self._sorted_lists[resource, namespace] = (bucket, sorted(members, key=_NAME))
        # A copy: the caller may sort or cut its list.
        return sorted_list[1].copy()

    def has_any(self, resources: Iterable[Resource]) -> bool:
        """Whether there are objects of one of some resources."""
        return any(map(self._state.get, resources))

    def state_of(self, resource: Resource) -> object | None:
        """Return a token that is another one whenever objects
        of the resource have changed; None without objects.
        """
        bucket = self._state.get(resource)
        return bucket or None

    def events(self, since: int) -> Iterator[Event]:
        """Yield what happened after revision `since`. Raises Expired when that has left the window."""
        if since < self._base:
            raise Expired(self._base)
        return iter(self._events[since - self._base :])

    def commit(
        self,
        resource: Resource,
        name: Name,
        object: Json,  # noqa: A002
        *,
        expected: Stored | None,
    ) -> Event:
        """Write an object whose resourceVersion is filled in here.

        `expected` is what was read (None: must not exist).

        Raises Conflict when something else is stored, TypeError for what cannot be written as JSON.
        """
        return self.put(self.prepare(resource, name, object), expected)

    def prepare(
        self,
        resource: Resource,
        name: Name,
        object: Json,  # noqa: A002
        *,
        max_bytes: int = sys.maxsize,
    ) -> Stored:
        """Return an object at the next revision, encoded, for `put`; its JSON may have `max_bytes`.

        Raises Oversized, TypeError for what cannot be written as JSON.
        """
        revision = self.revision + 1
        metadata = {**object["metadata"], "resourceVersion": str(revision)}
        if owners := metadata.get(MANAGED_FIELDS):
            # managedFields are most of many objects and alike in all of them, so that sharing saves most of
            # the memory.
            metadata[MANAGED_FIELDS] = self._share_owners(resource, owners)
        prepared = Stored(resource, name, revision, {**object, "metadata": metadata})
        if (size := len(prepared.json())) > max_bytes:
            raise Oversized(size)
        return prepared

    def put(self, prepared: Stored, expected: Stored | None) -> Event:
        """Store what was prepared; nothing may have been stored in between.

        Raises Conflict when something else than `expected` is stored.
        """
        before = self.check(prepared.resource, prepared.name, expected)
        if prepared.revision != self.revision + 1:
            raise ValueError(
                f"prepared for revision {prepared.revision}, but {self.revision} is stored already"
            )
        return self._append(Event("MODIFIED" if before else "ADDED", prepared.revision, before, prepared))

    def remove(self, expected: Stored, final: Json | None = None) -> Event:
        """Remove an object; `final` is its last state, as a DELETED event and the answer show it.

        Raises Conflict when something else is stored, TypeError for what cannot be written as JSON.
        """
        before = self.check(expected.resource, expected.name, expected)
        revision = self.revision + 1
        last = expected.object if final is None else final
        after = Stored(
            expected.resource,
            expected.name,
            revision,
            {**last, "metadata": {**last["metadata"], "resourceVersion": str(revision)}},
        )
        return self._append(Event("DELETED", revision, before, after))

    def subscribe(
        self,
        handle: Callable[[Event], None],
        resync: Callable[[], None] = nothing,
        resources: Collection[Resource] | None = None,
    ) -> Stop:
        """Call `handle` with every event, or those of some resources,
        from now on; returns a function that stops that.

        What it raises is logged and reaches no other subscriber;
        then `resync` has to read everything that is stored.
        """
        return self._subscribers.add(handle, resync, resources)

    def before_writes(self, hook: Callable[[], None]) -> Stop:
        """Call `hook` before every write, which does not happen
        when that raises; returns a function that stops that.
        """
        return add_hook(self._hooks, hook)

    def close(self) -> None:
        """Remove every subscriber and hook."""
        self._subscribers.clear()
        self._hooks.clear()

    def snapshot(self) -> Snapshot:
        """Return the present state."""
        return Snapshot(self.revision, self._state)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state.

        The counter of revisions only rises; older revisions are expired for every reader.
        """
        # A revision is never given twice, or a client could take an old object for a new one.
        self.revision = max(self.revision, snapshot.revision) + 1
        self._reset(snapshot.state)

    def fork(self, revision: int | None = None) -> Store:
        """Return a store of its own that starts from the present state, or from that at a revision.

        Raises Expired.
        """
        child = Store(revision=self.revision if revision is None else revision, window=self._window)
        child._reset(self._at(revision))
        return child

    def compact(self) -> None:
        """Forget all history, so that every older revision is expired."""
        self._reset(self._state)

    def _reset(self, state: State) -> None:
        self._state, self._events, self._base = state, [], self.revision
        self._visited = Snapshot(self.revision, state)
        self._marks = [self._visited]

    def _at(self, revision: int | None) -> State:
        if revision is None or revision >= self.revision:
            return self._state
        if revision < self._base:
            raise Expired(self._base)
        if self._visited.revision != revision:
            self._visited = self._remade(revision)
        return self._visited.state

    def _remade(self, revision: int) -> Snapshot:
        """Return a past state, from the last one before it that was kept."""
        mark = self._marks[bisect_right(self._marks, revision, key=_REVISION) - 1]
        state = mark.state
        for event in self._events[mark.revision - self._base : revision - self._base]:
            # States between two kept ones are made again: keeping each would hold every bucket that ever
            # was.
            state = _after(state, event)
        return Snapshot(revision, state)

    def _share_owners(self, resource: Resource, owners: Json) -> Json:
        """Return the owners of the object that was written last when they are the same: those of many are."""
        last = self._owners.get(resource)
        if last == owners:
            return last
        self._owners[resource] = owners
        return owners

    def check(self, resource: Resource, name: Name, expected: Stored | None) -> Stored | None:
        """Return the stored object of a name. Raises Conflict when it is another one than `expected`."""
        current = self.get(resource, name)
        # Identity first; after a restore an equal revision is another object.
        if current is not expected and (
            current is None or expected is None or current.revision != expected.revision
        ):
            raise Conflict(current)
        return current

    def _append(self, event: Event) -> Event:
        """Store a revision and notify the subscribers.

        What may fail comes first; from storing on nothing can.
        """
        # Encoded before anything is stored: what cannot be written must not become a revision.
        event.after.json()
        state = _after(self._state, event)
        self._make_room()
        # Before the write, because a hook may refuse it by raising.
        for hook in tuple(self._hooks.values()):
            hook()
        self._state, self.revision = state, event.revision
        self._events.append(event)
        # Last: the state is complete when subscribers look at it.
        self._subscribers.notify(event, event.after.resource)
        return event

    def _make_room(self) -> None:
        """Keep the present state when the last one kept is far away;
        forget the older half of too long a history.
        """
        if self.revision - self._marks[-1].revision >= REVISIONS_PER_STATE:
            self._marks.append(self.snapshot())
        if len(self._events) >= self._window:
            self._shorten(self._window // 2)

    def _shorten(self, events: int) -> None:
        """Forget the oldest events."""
        oldest = self._remade(self._base + events)
        marks = [oldest, *(mark for mark in self._marks if mark.revision > oldest.revision)]
        self._events, self._base, self._marks = self._events[events:], oldest.revision, marks


def _after(state: State, event: Event) -> State:
    """Return the state after an event."""
    bucket, name = state.get(event.resource, _EMPTY_BUCKET), event.after.name
    new_bucket = bucket.discard(name) if event.type == "DELETED" else bucket.insert(name, event.after)
    return state.insert(event.resource, new_bucket)


def exact(encoded: bytes) -> bytes:
    """Return bytes for keeping: those fresh from the encoder
    hold on to its buffer, up to eight times their size.
    """
    return bytes(memoryview(encoded))


def encode(object: Json) -> bytes:  # noqa: A002
    """Encode JSON with sorted keys (FK-029)."""
    return orjson.dumps(object, option=orjson.OPT_SORT_KEYS)
