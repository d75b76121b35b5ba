"""The pending Workloads of one ClusterQueue: the heap, the parked ones, the one in flight (Q-020…Q-045).

Every Workload is in exactly one place. Two orders are kept as the queue changes: `line` holds all pending
Workloads, which gives positions, and the heap only those that will be tried (P-030, P-031).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from .heap import Heap
from .line import Line, Order, PendingWorkload, Standing
from .pending import Pending
from .rules import V0_19, PendingRules
from .scan import Sight
from .strategies import SHARED_FATE, Reason, Strategy
from .usage_order import UsageLine, UsageOf


class Place(Enum):
    """Where a pending Workload is."""

    HEAP = auto()
    SHELVED = auto()
    """Parked with all its equals, because one of them did not fit (Q-045)."""
    PARKED = auto()
    IN_FLIGHT = auto()


IN_HEAP: Final = frozenset({Place.HEAP, Place.SHELVED})
PUT_ASIDE: Final = frozenset({Place.SHELVED, Place.PARKED})


@dataclass(slots=True)
class Entry:
    """A Workload in its place; `standing` is what the sorted lists hold.

    Whether one of the heap was put aside with its equals since, the heap tells.
    """

    pending: Pending
    position: Place
    standing: Standing
    evaluated: int | None = None


class ClusterQueue:
    """Owns the places of the pending Workloads of one ClusterQueue."""

    def __init__(self, strategy: Strategy = Strategy.BEST_EFFORT_FIFO, rules: PendingRules = V0_19) -> None:
        self.strategy = strategy
        self._rules = rules
        self.entries: dict[str, Entry] = {}
        self._usage: UsageOf | None = None
        self.line = Line()
        self._heap = Heap()
        self._doomed: set[str] = set()
        self._parked: dict[str, None] = {}
        self.in_flight: set[str] = set()
        self._sticky: str | None = None
        self._woken_since_pop = False
        self._blocked: tuple[Pending | None, Sight] | None = None
        self._looked_again: tuple[str, Sight] | None = None

    # -- counters
    # ----------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> int:
        """How many wait: heap, parked and in flight (Q-370)."""
        return len(self.entries)

    @property
    def active(self) -> int:
        """How many will be tried: heap and in flight (Q-020)."""
        return len(self.entries) - len(self._parked) - self._heap.shelved

    def is_parked(self, key: str) -> bool:
        """Tell whether a Workload was tried and waits for an event."""
        entry = self.entries.get(key)
        return entry is not None and self._place(entry) in PUT_ASIDE

    def find(self, key: str) -> PendingWorkload | None:
        """Return a Workload with its positions, None when it does not wait here."""
        entry = self.entries.get(key)
        return None if entry is None else self.line.place(entry.standing)

    @property
    def sticky(self) -> str | None:
        """The preemptor that stands first, whatever its rank (Q-022)."""
        return self._sticky

    def order_by(self, usage: UsageOf | None) -> None:
        """Let the usage of LocalQueues come before the rank of a Workload; None: by rank alone (VIS-512b)."""
        if usage == self._usage:
            return
        self._usage = usage
        before, begun = self.line, self.line.generation
        self.line = Line(begun) if usage is None else UsageLine(usage, begun)
        self._heap.order_by(Order() if usage is None else UsageLine(usage))
        for standing in before:
            self.line.add(standing)

    # -- coming in
    # ---------------------------------------------------------------------------------------------------

    def push(self, new: Pending, current_time: float) -> None:
        """Add a Workload or take note of its change (Q-030…Q-034)."""
        old = self.entries.get(new.key)
        if old is not None and old.position is Place.IN_FLIGHT:
            return
        if old is not None:
            new = new.instead_of(old.pending)
            position = self._place(old)
            if position in PUT_ASIDE and not self._rules.stirs(old.pending, new, old.evaluated):
                self._put(new, position)
                return
            self._stay_blocked(old, new)
        self._put(new, self._place_of(new, old, current_time))

    def _stay_blocked(self, old: Entry, new: Pending) -> None:
        """Look once more at a head for the sake of what was written about it, and not again: two messages
        could take turns for ever (QC-04).
        """
        if self._blocked is None or self._blocked[0] is not old.pending:
            return
        if self._rules.stirs(old.pending, new, old.evaluated):
            return
        written = new.key, self._blocked[1]
        if self._looked_again == written:
            self._blocked = (new, self._blocked[1])
        self._looked_again = written

    def restore(self, new: Pending) -> None:
        """Add a Workload of a LocalQueue that comes back; one that is tracked keeps its place (Q-036)."""
        if new.key not in self.entries:
            self._put(new, Place.HEAP)

    def requeue(self, pending: Pending, reason: Reason, current_time: float) -> bool:
        """Take back a Workload after a cycle; tell whether it will be tried again at once (Q-042…Q-045)."""
        if reason is Reason.PENDING_PREEMPTION:
            sticks = self._rules.sticks and self.strategy is Strategy.BEST_EFFORT_FIFO
            self.stick(pending.key if sticks else None)
        immediate = reason in self._rules.immediate[self.strategy]
        at_once = immediate or self._woken_since_pop or pending.scan is not None
        if at_once and pending.workload.backoff_over(current_time):
            self._put(pending, Place.HEAP)
            return True
        self._put(pending, Place.PARKED)
        shared = self._rules.parks_equals and reason in SHARED_FATE
        if shared and self.strategy is Strategy.BEST_EFFORT_FIFO:
            self._doomed.add(pending.shape)
            self._heap.shelve(pending.shape)
        return False

    def stick(self, key: str | None) -> None:
        """Let the newest preemptor stand first, and the one before it in its own place again (Q-022)."""
        before, self._sticky = self._sticky, key
        for name in (before, key) if before != key else ():
            if name in self.entries:
                entry = self.entries[name]
                self._put(entry.pending, self._place(entry))

    def delete(self, key: str) -> None:
        """Forget a Workload, if it is there."""
        entry = self.entries.get(key)
        if entry is None:
            return
        if self._sticky == key:
            self._sticky = None
        self._take(key, entry)

    # -- going out
    # ---------------------------------------------------------------------------------------------------

    def head(self) -> Pending | None:
        """The Workload that would be popped next."""
        first = self._heap.first()
        return None if first is None else first.pending

    def is_blocked(self, sight: Sight) -> bool:
        """Tell whether the head was looked at when its tree was just the same, beside the same heads (P-036)."""
        return self._blocked == (self.head(), sight)

    def block(self, sight: Sight) -> None:
        """Remember that the head needs no other look before its tree or the heads beside it change."""
        self._blocked = (self.head(), sight)

    def pop(self) -> Pending | None:
        """Take the head into flight (Q-038)."""
        self._woken_since_pop = False
        head = self.head()
        if head is None:
            return None
        self._put(head, Place.IN_FLIGHT)
        self.entries[head.key].evaluated = head.workload.generation
        return head

    def wake(self, admits: Callable[[Pending], bool], current_time: float) -> None:
        """Move the parked Workloads that may be tried again into the heap (Q-050)."""
        self._woken_since_pop = True
        self._doomed.clear()

        def may_be_tried(pending: Pending) -> bool:
            return pending.workload.backoff_over(current_time) and admits(pending)

        self._heap.unshelve(may_be_tried)
        parked = [self.entries[key].pending for key in self._parked]
        for pending in filter(may_be_tried, parked):
            self._put(pending, Place.HEAP)

    # -- places
    # ------------------------------------------------------------------------------------------------------

    def _place_of(self, new: Pending, old: Entry | None, current_time: float) -> Place:
        if old is not None and self._place(old) is Place.HEAP:
            return Place.HEAP
        if not new.workload.backoff_over(current_time):
            return Place.PARKED
        return Place.SHELVED if new.shape in self._doomed else Place.HEAP

    def _place(self, entry: Entry) -> Place:
        if entry.position not in IN_HEAP:
            return entry.position
        return Place.SHELVED if self._heap.is_shelved(entry.standing) else Place.HEAP

    def _put(self, pending: Pending, position: Place) -> None:
        old = self.entries.get(pending.key)
        behind_sticky = pending.key != self._sticky
        if old is None:
            self._enter(Entry(pending, position, Standing(behind_sticky, *pending.rank[1:], pending)))
        elif old.pending is pending and old.standing.behind_sticky == behind_sticky:
            self._lift(pending.key, old)
            old.position = position
            self._lay(old)
        else:
            self._take(pending.key, old)
            standing = Standing(behind_sticky, *pending.rank[1:], pending)
            self._enter(Entry(pending, position, standing, old.evaluated))

    def _enter(self, entry: Entry) -> None:
        self.entries[entry.pending.key] = entry
        self.line.add(entry.standing)
        self._lay(entry)

    def _take(self, key: str, entry: Entry) -> None:
        del self.entries[key]
        self.line.remove(entry.standing)
        self._lift(key, entry)

    def _lay(self, entry: Entry) -> None:
        """Note a Workload in its place; in the order of all it is already."""
        pending, position = entry.pending, entry.position
        if position is Place.IN_FLIGHT:
            self.in_flight.add(pending.key)
        elif position is Place.PARKED:
            self._parked[pending.key] = None
        else:
            self._heap.add(entry.standing, aside=position is Place.SHELVED)

    def _lift(self, key: str, entry: Entry) -> None:
        self.in_flight.discard(key)
        self._parked.pop(key, None)
        if entry.position in IN_HEAP:
            self._heap.remove(entry.standing)
