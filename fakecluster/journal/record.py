"""The journal of one cluster.

It knows nothing of HTTP or kinds; the handler of a request makes one `Entry` when the answer is known.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from msgspec.structs import force_setattr

from ..base.json_types import Json
from .bounds import TEXT_LIMIT, bound_and_weigh, shorten, weight
from .entry import Entry
from .matching import Matches
from .selection import HotLoop, Question, Selection

LOG = logging.getLogger(__name__)
LIMIT = 20_000
"""Entries kept: twice the history of the store."""
LIMIT_BYTES = 128 * 1024 * 1024
"""The limit of the entries together, so that a client that sends much does not fill the memory."""


class Journal:
    """Entries in order of their commits and answers, numbered from 1; the newest `limit` are kept, as far as
    they weigh no more than `limit_bytes`.
    """

    def __init__(
        self,
        *,
        limit: int = LIMIT,
        limit_bytes: int = LIMIT_BYTES,
        current_time: Callable[[], float] | None = None,
    ) -> None:
        self._entries: list[Entry] = []
        self.dropped = 0
        """How many entries were forgotten for newer ones."""
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._weight = 0
        self._current_time = current_time or self._newest
        self._listeners: list[Callable[[Entry], None]] = []

    @property
    def last(self) -> int:
        """The number of the newest entry, 0 when there is none."""
        return self.dropped + len(self._entries)

    def record(self, entry: Entry) -> Entry:
        """Append an entry, which gets its number here."""
        # The entry was made a moment ago and is shared with no reader yet; a copy for its number would cost
        # every request.
        force_setattr(entry, "seq", self.last + 1)
        entry, heavy = bound_and_weigh(entry)
        self._entries.append(entry)
        self._weight += heavy
        if len(self._entries) > self._limit or self._weight > self._limit_bytes:
            self._forget()
        # A listener may unsubscribe, itself or another.
        for listener in tuple(self._listeners):
            try:
                listener(entry)
            except Exception:
                # Neither the answer nor another listener has to do with it.
                LOG.exception("a listener of the journal failed at entry %d", entry.seq)
        return entry

    def complete(self, entry: Entry, answered: Entry) -> None:
        """Give an entry that was recorded before its answer was there what is known of the answer now."""
        before = weight(entry)
        for name in ("code", "reason", "answered"):
            force_setattr(entry, name, getattr(answered, name))
        force_setattr(entry, "message", shorten(answered.message, TEXT_LIMIT))
        if entry.seq > self.dropped:
            self._weight += weight(entry) - before

    def subscribe(self, listener: Callable[[Entry], None]) -> Callable[[], None]:
        """Call `listener` with every entry from now on; returns the way to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def __iter__(self) -> Iterator[Entry]:
        # A copy: the loop goes on appending while a test in another thread reads.
        return iter(tuple(self._entries))

    def since(self, seq: int) -> tuple[Entry, ...]:
        """Return the entries after number `seq`."""
        return tuple(self._entries[max(0, seq - self.dropped) :])

    def revision_at(self, time: float) -> int:
        """Return the revision of the last change until a time, 0 when there was none."""
        changes = (
            entry.changes[-1].revision
            for entry in reversed(self._entries)
            if entry.changes and entry.time <= time
        )
        return next(changes, 0)

    @property
    def all(self) -> Selection:
        """Everything that is kept."""
        return Selection(self._entries, self._current_time)

    def of(self, resource: str, namespace: str, name: str) -> Selection:
        """Return the entries about one object, subresources included."""
        identity = (resource, namespace, name)
        return self.where(lambda entry: (entry.resource, entry.namespace, entry.name) == identity)

    def where(self, /, matches: Matches | None = None, **values: Json) -> Selection:
        """Return the entries with all of these values (see `matcher`) that also satisfy `matches`."""
        return self.all.where(matches, **values)

    def writes(self) -> Selection:
        """Return the entries that changed something."""
        return self.all.writes()

    def writes_by_manager(self) -> dict[str, int]:
        """Return how many entries of each field manager changed something."""
        return self.all.writes_by_manager()

    def hot_loops(self, min: int = 20) -> tuple[HotLoop, ...]:  # noqa: A002 - the word of F-01
        """Return the writes that one actor sent at least `min` times in a row without any change."""
        return self.all.hot_loops(min)

    def assert_never(self, **values: Json) -> None:
        """Fail when an entry has these values."""
        self.all.assert_never(**values)

    def assert_order(self, *questions: Question) -> None:
        """Fail unless entries that answer the questions follow one another in this order."""
        self.all.assert_order(*questions)

    def assert_quiesced(self, window: float) -> None:
        """Fail when something was written in the last `window` seconds."""
        self.all.assert_quiesced(window)

    def _forget(self) -> None:
        """Drop the oldest entries until half of what may be kept is left:
        so each is moved once, not at every request.
        """
        drop_count = 0
        while len(self._entries) - drop_count > 1 and (
            len(self._entries) - drop_count > self._limit // 2 + 1 or self._weight > self._limit_bytes // 2
        ):
            self._weight -= weight(self._entries[drop_count])
            drop_count += 1
        del self._entries[:drop_count]
        self.dropped += drop_count

    def _newest(self) -> float:
        return self._entries[-1].time if self._entries else 0.0
