"""Events do not last: each goes an hour after it was last written (FK-124, FK-492)."""

from __future__ import annotations

from collections.abc import Iterable

from ..api.steps import Steps
from ..base.numbers.timestamps import since_epoch
from ..registry.machinery import Api
from ..store import Event, Name, Store
from .engine import Key

EVENTS = ("", "events")
EVENT_SECONDS = 3600.0


class EventExpiry:
    """Removes old Events as the store behind a real server does:
    without a request, hence without admission and authorization.
    """

    resources = (EVENTS,)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._written: dict[Name, float] = {}

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Event; how old one is it tells itself."""
        for event in store.list(EVENTS):
            self._written[event.name] = since_epoch(event.object["metadata"]["creationTimestamp"])
            yield event.name

    def keys(self, event: Event) -> Iterable[Key]:
        """Return an Event that was written."""
        if event.type == "DELETED":
            self._written.pop(event.after.name, None)
            return ()
        self._written[event.after.name] = self._api.clock.now()
        return (event.after.name,)

    def work(self, key: Key) -> Steps[float | None]:
        """Remove an Event whose time is over, or say when to look again."""
        yield from ()
        name = (key[0], key[1])
        stored = self._api.store.get(EVENTS, name)
        if stored is None:
            return None
        remaining = self._written.get(name, self._api.clock.now()) + EVENT_SECONDS - self._api.clock.now()
        if remaining > 0:
            return remaining
        # Not by the API: the lease of an Event in etcd ends without a request, a right or a finalizer.
        self._api.store.remove(stored)
        return None
