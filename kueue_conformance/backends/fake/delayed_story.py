"""The journal told out of step, as watches of several kinds deliver on a busy cluster, in cluster time."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence

from fakecluster.cluster.fake_cluster import FakeCluster

from ...history.story import Change
from ...wire.transport import Transport
from ..read_revisions import ReadRevisions
from ..watch_delays import random_delays
from .journal import JournalRecorder

_STEP_SECONDS = 0.001
"""Seconds by which a delivery may be early: the sum of a time and a delay is no exact number."""


class DelayedRecorder(JournalRecorder):
    """Delivers each change of the journal after a delay of its kind; one kind keeps its order.

    As on a real cluster the story has what the harness has read: a read delivers changes of its kind up to
    the revision in the answer.
    """

    def __init__(self, cluster: FakeCluster, seed: int, now: Callable[[], float]) -> None:
        super().__init__(cluster)
        self._seed = seed
        self._now = now
        self._read = ReadRevisions()
        self._taken = 0
        self._delays: dict[str, Iterator[float]] = {}
        self._pending: defaultdict[str, deque[tuple[float, Change]]] = defaultdict(deque)
        self._complete_revision = 0
        self._delivered: list[Change] = []
        self._ordered: list[Change] = []

    def witness(self, send: Transport) -> Transport:
        """Return a transport whose answers the story reaches at once."""
        return self._read.witness(send)

    def changes(self) -> Sequence[Change]:
        """Return the delivered changes, in order of their revisions."""
        self._deliver()
        return self._ordered

    def arrivals(self, since: int) -> Sequence[Change]:
        """Return the delivered changes from the `since`-th on, in order of their delivery."""
        self._deliver()
        return self._delivered[since:]

    def next_delivery(self) -> float | None:
        """Return the time of the next delivery in seconds since the epoch; None where nothing is pending."""
        self._deliver()
        return min((changes[0][0] for changes in self._pending.values() if changes), default=None)

    def complete(self) -> None:
        """Deliver at once what was written until now."""
        self._complete_revision = self.newest_revision()

    def _deliver(self) -> None:
        self._take()
        while ready := [kind for kind, changes in self._pending.items() if changes and self._is_due(kind)]:
            first = min(ready, key=lambda kind: self._pending[kind][0][0])
            change = self._pending[first].popleft()[1]
            self._delivered.append(change)
            insort(self._ordered, change, key=lambda ordered: ordered.revision)

    def _take(self) -> None:
        """Give a time of delivery to each new change of the journal."""
        journal = super().changes()
        for change in journal[self._taken :]:
            delays = self._delays.setdefault(change.kind, random_delays(self._seed, change.kind))
            changes = self._pending[change.kind]
            due = change.at + next(delays)
            # A watch keeps its order: none overtakes its predecessor.
            changes.append((max(due, changes[-1][0]) if changes else due, change))
        self._taken = len(journal)

    def _is_due(self, kind: str) -> bool:
        due, change = self._pending[kind][0]
        is_known = change.revision <= max(self._complete_revision, self._read.of(kind))
        return is_known or due <= self._now() + _STEP_SECONDS
