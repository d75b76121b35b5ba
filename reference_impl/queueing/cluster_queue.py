"""The pending Workloads of one ClusterQueue: the heap, the parked ones, the one in flight (Q-020…Q-045).

Every Workload is in exactly one place. Both sorted lists hold ranks, kept as the queue changes: the first knows all
pending Workloads (positions), the second only those that will be tried (P-030, P-031).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from sortedcontainers import SortedList

from .pending import Pending, Rank, Reactivates, reactivates
from .strategies import IMMEDIATE, SHARED_FATE, Reason, Strategy


class Place(Enum):
    """Where a pending Workload is."""

    HEAP = "heap"
    PARKED = "parked"
    IN_FLIGHT = "in flight"


@dataclass(slots=True)
class Entry:
    """A Workload in its place; `rank` is the one under which the sorted lists hold it."""

    pending: Pending
    place: Place
    rank: Rank
    evaluated: int | None = None


class ClusterQueue:
    """Owns the places of the pending Workloads of one ClusterQueue."""

    def __init__(
        self, strategy: Strategy = Strategy.BEST_EFFORT_FIFO, stirs: Reactivates = reactivates
    ) -> None:
        self.strategy = strategy
        self._stirs = stirs
        self.entries: dict[str, Entry] = {}
        self._by_uid: dict[str, str] = {}
        self._all: SortedList[Rank] = SortedList()
        self._heap: SortedList[Rank] = SortedList()
        self._shapes: dict[str, set[str]] = {}
        self._doomed: set[str] = set()
        self._parked: dict[str, None] = {}
        self.in_flight: set[str] = set()
        self._sticky: str | None = None
        self._pops = 0
        self._woken_at = -1
        self._blocked: tuple[Pending, int] | None = None

    # -- counters ----------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> int:
        """How many wait: heap, parked and in flight (Q-370)."""
        return len(self.entries)

    @property
    def active(self) -> int:
        """How many will be tried: heap and in flight (Q-020)."""
        return len(self.entries) - len(self._parked)

    def is_parked(self, key: str) -> bool:
        """Tell whether a Workload was tried and waits for an event."""
        return key in self._parked

    def ordered(self) -> Iterator[Pending]:
        """All pending Workloads in order (Q-381)."""
        return (self.entries[self._by_uid[rank.uid]].pending for rank in self._all)

    def position(self, key: str) -> int:
        """The place in the line, from 0 (P-030)."""
        return int(self._all.index(self.entries[key].rank))

    # -- coming in ---------------------------------------------------------------------------------------------------

    def push(self, new: Pending, now: float) -> None:
        """Add a Workload or take note of its change (Q-030…Q-034)."""
        old = self.entries.get(new.key)
        if old is not None and old.place is Place.IN_FLIGHT:
            return
        if old is not None and old.place is Place.PARKED and not self._stirs(old.pending, new, old.evaluated):
            self._put(new, Place.PARKED)
            return
        self._put(new, self._place_of(new, old, now))

    def restore(self, new: Pending) -> None:
        """Add a Workload of a LocalQueue that comes back; one that is tracked keeps its place (Q-036)."""
        if new.key not in self.entries:
            self._put(new, Place.HEAP)

    def requeue(self, pending: Pending, reason: Reason, now: float) -> bool:
        """Take back a Workload after a cycle; tell whether it will be tried again at once (Q-042…Q-045)."""
        if reason is Reason.PENDING_PREEMPTION:
            self._stick(pending.key if self.strategy is Strategy.BEST_EFFORT_FIFO else None)
        at_once = reason in IMMEDIATE[self.strategy] or self._woken_at >= self._pops
        if at_once and pending.workload.backoff_over(now):
            self._put(pending, Place.HEAP)
            return True
        self._put(pending, Place.PARKED)
        if self.strategy is Strategy.BEST_EFFORT_FIFO and reason in SHARED_FATE:
            self._park_equals(pending.shape)
        return False

    def delete(self, key: str) -> bool:
        """Forget a Workload; tell whether it was there."""
        entry = self.entries.get(key)
        if entry is None:
            return False
        if self._sticky == key:
            self._sticky = None
        self._take(key, entry)
        return True

    # -- going out ---------------------------------------------------------------------------------------------------

    def head(self) -> Pending | None:
        """The Workload that would be popped next."""
        return self.entries[self._by_uid[self._heap[0].uid]].pending if self._heap else None

    def is_blocked(self, version: int) -> bool:
        """Tell whether the head was looked at when its tree was just the same (P-036)."""
        return self._blocked is not None and self._blocked == (self.head(), version)

    def block(self, version: int) -> None:
        """Remember that the head needs no other look before its tree changes."""
        head = self.head()
        self._blocked = (head, version) if head else None

    def pop(self) -> Pending | None:
        """Take the head into flight (Q-038)."""
        self._pops += 1
        head = self.head()
        if head is None:
            return None
        self._put(head, Place.IN_FLIGHT)
        self.entries[head.key].evaluated = head.workload.generation
        return head

    def wake(self, admits: Callable[[Pending], bool], now: float) -> int:
        """Move the parked Workloads that may be tried again into the heap (Q-050); return how many moved."""
        self._woken_at = self._pops
        self._doomed.clear()
        parked = [self.entries[key].pending for key in self._parked]
        movable = [each for each in parked if each.workload.backoff_over(now) and admits(each)]
        for pending in movable:
            self._put(pending, Place.HEAP)
        return len(movable)

    # -- places ------------------------------------------------------------------------------------------------------

    def _place_of(self, new: Pending, old: Entry | None, now: float) -> Place:
        if old is not None and old.place is Place.HEAP:
            return Place.HEAP
        if not new.workload.backoff_over(now):
            return Place.PARKED
        return Place.PARKED if new.shape in self._doomed else Place.HEAP

    def _stick(self, key: str | None) -> None:
        """Let the newest preemptor stand first, and the one before it in its own place again (Q-022)."""
        before, self._sticky = self._sticky, key
        if before in self.entries and before != key:
            entry = self.entries[before]
            self._put(entry.pending, entry.place)

    def _park_equals(self, shape: str) -> None:
        self._doomed.add(shape)
        for key in tuple(self._shapes.get(shape, ())):
            self._put(self.entries[key].pending, Place.PARKED)

    def _put(self, pending: Pending, place: Place) -> None:
        old = self.entries.get(pending.key)
        rank = pending.rank._replace(behind_sticky=pending.key != self._sticky)
        evaluated = old.evaluated if old else None
        if old is not None:
            self._take(pending.key, old)
        self.entries[pending.key] = Entry(pending, place, rank, evaluated)
        self._by_uid[rank.uid] = pending.key
        self._all.add(rank)
        if place is Place.IN_FLIGHT:
            self.in_flight.add(pending.key)
        elif place is Place.PARKED:
            self._parked[pending.key] = None
        else:
            self._heap.add(rank)
            self._shapes.setdefault(pending.shape, set()).add(pending.key)

    def _take(self, key: str, entry: Entry) -> None:
        del self.entries[key], self._by_uid[entry.rank.uid]
        self._all.remove(entry.rank)
        self.in_flight.discard(key)
        self._parked.pop(key, None)
        if entry.place is Place.HEAP:
            self._heap.remove(entry.rank)
            same = self._shapes[entry.pending.shape]
            same.discard(key)
            if not same:
                del self._shapes[entry.pending.shape]
