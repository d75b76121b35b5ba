"""The subscribers of a store: handlers of its events, in order of revision.

A revision that is stored cannot be taken back. So what a handler raises reaches neither the write nor another
subscriber: it is logged, and the subscriber resyncs.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

LOG = logging.getLogger(__name__)
Stop = Callable[[], None]


class RevisionedEvent(Protocol):
    """An event of a store, as far as subscribers are concerned."""

    @property
    def revision(self) -> int:
        """The revision of the store after the event."""


E = TypeVar("E", bound=RevisionedEvent)
T = TypeVar("T")
ATTEMPTS = 2
"""To handle an event, then to resync."""


def nothing() -> None:
    """Resync nothing, where a missed event is of no further use."""


class Subscriber(Struct, Generic[E], eq=False):
    """A handler of events; `resync` reads all that is stored, after events were missed."""

    handle: Callable[[E], None]
    resync: Callable[[], None]
    resources: Collection[tuple[str, str]] | None
    """(group, plural) of the objects whose events it handles,
    asked at each event; None for those of every object.
    """
    failure: Exception | None = None
    """What was raised when an event was missed."""

    def notify(self, event: E) -> None:
        """Handle an event, or resync."""
        if self.failure is None:
            self.handle(event)
            return
        LOG.error("a subscriber of the store failed at revision %d", event.revision, exc_info=self.failure)
        self.resync()
        self.failure = None


class Subscribers(Generic[E]):
    """All subscribers of one store."""

    def __init__(self) -> None:
        self._subscribers: dict[object, Subscriber[E]] = {}
        self._queue: deque[tuple[E, tuple[str, str]]] = deque()
        self._notifying = False

    def add(
        self,
        handle: Callable[[E], None],
        resync: Callable[[], None] = nothing,
        resources: Collection[tuple[str, str]] | None = None,
    ) -> Stop:
        """Call `handle` with every event, or those of some resources,
        from now on; returns a function that stops that.
        """
        return add_hook(self._subscribers, Subscriber(handle, resync, resources))

    def clear(self) -> None:
        """Remove all subscribers."""
        self._subscribers.clear()

    def notify(self, event: E, resource: tuple[str, str]) -> None:
        """Notify every subscriber to a resource, in order of revision also when one of them writes.

        Never raises an Exception.
        """
        self._queue.append((event, resource))
        # A subscriber that writes: its event waits until all have had the present one.
        if self._notifying:
            return
        self._notifying = True
        try:
            while self._queue:
                event, resource = self._queue.popleft()
                # A subscriber may leave, or bring another, while it is notified.
                for subscriber in tuple(self._subscribers.values()):
                    resources = subscriber.resources
                    # One that missed an event resyncs at the next one of any resource.
                    if resources is not None and resource not in resources and subscriber.failure is None:
                        continue
                    for _ in range(ATTEMPTS):
                        try:
                            subscriber.notify(event)
                        # Logged at the resync, now or at the next event.
                        except Exception as error:  # noqa: BLE001
                            subscriber.failure = error
                        else:
                            break
        finally:
            self._notifying = False


def add_hook(hooks: dict[object, T], hook: T) -> Stop:
    """Add a hook; returns a function that removes it again."""
    key = object()
    hooks[key] = hook

    def stop() -> None:
        # Refers to the dictionary only: what was added is freed without a search for cycles when its owner
        # keeps this.
        hooks.pop(key, None)

    return stop
