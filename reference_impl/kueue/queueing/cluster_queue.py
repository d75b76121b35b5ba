"""The pending Workloads of one ClusterQueue: the heap, the parked ones, the one in flight (Q-020…Q-045).

Every Workload is in exactly one place. Two orders are kept as the queue changes: `line` holds all pending
Workloads, which gives positions, and the heap only those that will be tried (P-030, P-031).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from ..workload.unreserved import UnreservedReason
from .heap import Heap
from .last_assignment import TreeState
from .pending import PendingWorkload
from .queue_order import Order, PositionedWorkload, QueueOrder, RankedWorkload
from .rules import V0_19, PendingRules
from .strategies import EQUIVALENT_REASONS, RequeueReason, Strategy
from .usage_order import UsageOf, UsageOrder


class PendingState(Enum):
    """Where a pending Workload is."""

    HEAP = auto()
    SHELVED = auto()
    """Parked with all its equals, because one of them did not fit (Q-045)."""
    INADMISSIBLE = auto()
    IN_FLIGHT = auto()


IN_HEAP: Final = frozenset({PendingState.HEAP, PendingState.SHELVED})
NOT_TRIED: Final = frozenset({PendingState.SHELVED, PendingState.INADMISSIBLE})


@dataclass(slots=True)
class QueueEntry:
    """A Workload in its place; `standing` is what the sorted lists hold.

    Whether one of the heap was put aside with its equals since, the heap tells.
    """

    pending: PendingWorkload
    state: PendingState
    ranked: RankedWorkload
    evaluated: int | None = None


class ClusterQueue:
    """Owns the places of the pending Workloads of one ClusterQueue."""

    def __init__(self, strategy: Strategy = Strategy.BEST_EFFORT_FIFO, rules: PendingRules = V0_19) -> None:
        self.strategy = strategy
        self._rules = rules
        self.entries: dict[str, QueueEntry] = {}
        self._usage: UsageOf | None = None
        self.order = QueueOrder()
        self._heap = Heap()
        self._inadmissible_hashes: dict[str, UnreservedReason] = {}
        """Why Workloads of a shape were parked together (Q-045)."""
        self._inadmissible: dict[str, None] = {}
        self.in_flight: set[str] = set()
        self._sticky: str | None = None
        self._requeued_since_pop = False
        self._blocked: tuple[PendingWorkload | None, TreeState] | None = None
        self._retried: tuple[str, TreeState] | None = None

    # -- counters

    @property
    def pending(self) -> int:
        """How many wait: heap, parked and in flight (Q-370)."""
        return len(self.entries)

    @property
    def active(self) -> int:
        """How many will be tried: heap and in flight (Q-020)."""
        return len(self.entries) - len(self._inadmissible) - self._heap.shelved

    def is_inadmissible(self, key: str) -> bool:
        """Tell whether a Workload was tried and waits for an event."""
        entry = self.entries.get(key)
        return entry is not None and self._state(entry) in NOT_TRIED

    def equivalent_failure(self, key: str) -> UnreservedReason | None:
        """Return why Workloads like a parked one were parked together, None where it is not parked so."""
        if not self.is_inadmissible(key):
            return None
        return self._inadmissible_hashes.get(self.entries[key].pending.scheduling_hash)

    def find(self, key: str) -> PositionedWorkload | None:
        """Return a Workload with its positions, None when it does not wait here."""
        entry = self.entries.get(key)
        return None if entry is None else self.order.place(entry.ranked)

    @property
    def sticky(self) -> str | None:
        """The preemptor that stands first, whatever its rank (Q-022)."""
        return self._sticky

    def order_by(self, usage: UsageOf | None) -> None:
        """Let the usage of LocalQueues come before the rank of a Workload; None: by rank alone (VIS-512b)."""
        if usage == self._usage:
            return
        self._usage = usage
        before, begun = self.order, self.order.generation
        self.order = QueueOrder(begun) if usage is None else UsageOrder(usage, begun)
        self._heap.order_by(Order() if usage is None else UsageOrder(usage))
        for standing in before:
            self.order.add(standing)

    # -- coming in

    def push(self, new: PendingWorkload, current_time: float) -> None:
        """Add a Workload or take note of its change (Q-030…Q-034)."""
        old = self.entries.get(new.key)
        if old is not None and old.state is PendingState.IN_FLIGHT:
            return
        if old is not None:
            new = new.replacing(old.pending)
            position = self._state(old)
            if position in NOT_TRIED and not self._rules.requeue_on_check_change(
                old.pending, new, old.evaluated
            ):
                # Parked stays parked. The newer revision is kept, and nothing is tried.
                self._put(new, position)
                return
            self._stay_blocked(old, new)
        self._put(new, self._initial_state(new, old, current_time))

    def _stay_blocked(self, old: QueueEntry, new: PendingWorkload) -> None:
        """Look once more at a head for the sake of what was written about it, and not again (QC-04)."""
        if self._blocked is None or self._blocked[0] is not old.pending:
            return
        if self._rules.requeue_on_check_change(old.pending, new, old.evaluated):
            return
        written = new.key, self._blocked[1]
        if self._retried == written:
            # The write about the head is itself a change of it. One more look, then no
            # more: two messages could take turns for ever (QC-04).
            self._blocked = (new, self._blocked[1])
        self._retried = written

    def restore(self, new: PendingWorkload) -> None:
        """Add a Workload of a LocalQueue that comes back; one that is tracked keeps its place (Q-036)."""
        if new.key not in self.entries:
            self._put(new, PendingState.HEAP)

    def requeue(
        self,
        pending: PendingWorkload,
        reason: RequeueReason,
        current_time: float,
        cause: UnreservedReason = UnreservedReason.PENDING_EVALUATION,
    ) -> bool:
        """Take back a Workload after a cycle; tell whether it will be tried again at once (Q-042…Q-045)."""
        if reason is RequeueReason.PENDING_PREEMPTION:
            sticks = self._rules.has_sticky_workload and self.strategy is Strategy.BEST_EFFORT_FIFO
            self.stick(pending.key if sticks else None)
        elif self._sticky == pending.key and not self._rules.keeps_sticky_workload:
            self.stick(None)
        immediate = reason in self._rules.immediate_requeue_reasons[self.strategy]
        # An event that would have woken it came while it was in flight, or flavors are
        # left to be tried.
        at_once = immediate or self._requeued_since_pop or pending.last_assignment is not None
        if at_once and pending.workload.is_backoff_over(current_time):
            self._put(pending, PendingState.HEAP)
            return True
        self._put(pending, PendingState.INADMISSIBLE)
        shared = self._rules.parks_equivalent_workloads and reason in EQUIVALENT_REASONS
        if shared and self.strategy is Strategy.BEST_EFFORT_FIFO:
            self._inadmissible_hashes[pending.scheduling_hash] = cause
            # Equals would fail in the same way: one step instead of a cycle for each.
            self._heap.shelve(pending.scheduling_hash)
        return False

    def stick(self, key: str | None) -> None:
        """Let the newest preemptor stand first, and the one before it in its own place again (Q-022)."""
        before, self._sticky = self._sticky, key
        for name in (before, key) if before != key else ():
            if name in self.entries:
                entry = self.entries[name]
                self._put(entry.pending, self._state(entry))

    def delete(self, key: str) -> None:
        """Forget a Workload, if it is there."""
        entry = self.entries.get(key)
        if entry is None:
            return
        if self._sticky == key:
            self._sticky = None
        self._take(key, entry)

    # -- going out

    def head(self) -> PendingWorkload | None:
        """The Workload that would be popped next."""
        first = self._heap.first()
        return None if first is None else first.pending

    def is_blocked(self, sight: TreeState) -> bool:
        """Tell whether the head was looked at when its tree was just the same, beside
        the same heads (P-036).
        """
        return self._blocked == (self.head(), sight)

    def block(self, sight: TreeState) -> None:
        """Remember that the head needs no other look before its tree or the heads beside it change."""
        self._blocked = (self.head(), sight)

    def pop(self) -> PendingWorkload | None:
        """Take the head into flight (Q-038)."""
        self._requeued_since_pop = False
        head = self.head()
        if head is None:
            return None
        self._put(head, PendingState.IN_FLIGHT)
        self.entries[head.key].evaluated = head.workload.generation
        return head

    def queue_inadmissible_workloads(
        self, admits: Callable[[PendingWorkload], bool], current_time: float
    ) -> None:
        """Move the parked Workloads that may be tried again into the heap (Q-050)."""
        self._requeued_since_pop = True
        self._inadmissible_hashes.clear()

        def may_be_tried(pending: PendingWorkload) -> bool:
            return pending.workload.is_backoff_over(current_time) and admits(pending)

        self._heap.unshelve(may_be_tried)
        parked = [self.entries[key].pending for key in self._inadmissible]
        for pending in filter(may_be_tried, parked):
            self._put(pending, PendingState.HEAP)

    # -- places

    def _initial_state(
        self, new: PendingWorkload, old: QueueEntry | None, current_time: float
    ) -> PendingState:
        if old is not None and self._state(old) is PendingState.HEAP:
            return PendingState.HEAP
        if not new.workload.is_backoff_over(current_time):
            return PendingState.INADMISSIBLE
        return PendingState.SHELVED if new.scheduling_hash in self._inadmissible_hashes else PendingState.HEAP

    def _state(self, entry: QueueEntry) -> PendingState:
        if entry.state not in IN_HEAP:
            return entry.state
        return PendingState.SHELVED if self._heap.is_shelved(entry.ranked) else PendingState.HEAP

    def _put(self, pending: PendingWorkload, position: PendingState) -> None:
        old = self.entries.get(pending.key)
        behind_sticky = pending.key != self._sticky
        if old is None:
            self._enter(
                QueueEntry(pending, position, RankedWorkload(behind_sticky, *pending.rank[1:], pending))
            )
        # Fast path: the same Workload changes its place, and the sorted order of all
        # need not be touched.
        elif old.pending is pending and old.ranked.is_behind_sticky == behind_sticky:
            self._untrack(pending.key, old)
            old.state = position
            self._track(old)
        else:
            self._take(pending.key, old)
            standing = RankedWorkload(behind_sticky, *pending.rank[1:], pending)
            self._enter(QueueEntry(pending, position, standing, old.evaluated))

    def _enter(self, entry: QueueEntry) -> None:
        self.entries[entry.pending.key] = entry
        self.order.add(entry.ranked)
        self._track(entry)

    def _take(self, key: str, entry: QueueEntry) -> None:
        del self.entries[key]
        self.order.remove(entry.ranked)
        self._untrack(key, entry)

    def _track(self, entry: QueueEntry) -> None:
        """Note a Workload in its place; in the order of all it is already."""
        pending, position = entry.pending, entry.state
        if position is PendingState.IN_FLIGHT:
            self.in_flight.add(pending.key)
        elif position is PendingState.INADMISSIBLE:
            self._inadmissible[pending.key] = None
        else:
            self._heap.add(entry.ranked, aside=position is PendingState.SHELVED)

    def _untrack(self, key: str, entry: QueueEntry) -> None:
        self.in_flight.discard(key)
        self._inadmissible.pop(key, None)
        if entry.state in IN_HEAP:
            self._heap.remove(entry.ranked)
