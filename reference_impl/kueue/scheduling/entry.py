"""A nominated head: its place in the cycle, and what becomes of it after those that were processed
before it (scheduling §6.2–6.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final, TypeAlias

from ..queueing.heads import Head
from ..queueing.last_assignment import LastAssignment, record_assignment
from ..queueing.strategies import RequeueReason
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.resources import FlavorResource, Usage
from ..quota.tree import Node
from ..workload.unreserved import UnreservedReason
from . import texts
from .assignment import Assignment, PreemptionMode
from .booking import Booking
from .preemption.targets import PreemptionTarget

NO_QUOTA: Final = UnreservedReason.WAITING_FOR_QUOTA


class Recomputation(StrEnum):
    """What came of a head that was assigned anew because of another preemptor of its cycle (KV-21, KV-28)."""

    NEW_TARGETS = "new_targets"
    DEFERRED_FIT = "deferred_fit"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Reserve:
    """Quota for the head, as assigned."""

    head: Head
    assignment: Assignment
    targets: tuple[PreemptionTarget, ...] = ()
    """The victims that it counts on (AC-440)."""


@dataclass(frozen=True, slots=True)
class Requeue:
    """Back into the queue; without a message nothing is written."""

    head: Head
    reason: RequeueReason
    message: str = ""
    cause: UnreservedReason = UnreservedReason.PENDING_EVALUATION
    last_assignment: LastAssignment | None = None
    """Flavors that the next cycle is to try first (Q-178)."""
    is_preemption_skipped: bool = False
    """Whether its targets were not preempted because of another head of the cycle (MT-003)."""
    recomputation: Recomputation | None = None
    """What came of its new assignment, None without one."""


@dataclass(frozen=True, slots=True)
class WaitForPodsReady:
    """It fits, but admission is blocked until all admitted Workloads are ready (Q-231)."""

    head: Head


@dataclass(frozen=True, slots=True)
class Drop:
    """It holds quota already (Q-210)."""

    head: Head


@dataclass(frozen=True, slots=True)
class Preempt:
    """Targets have to go before it fits (Q-230)."""

    head: Head
    message: str
    targets: tuple[PreemptionTarget, ...]
    recomputation: Recomputation | None = None


Verdict = Reserve | Preempt | Requeue | WaitForPodsReady | Drop


@dataclass(frozen=True, slots=True)
class Entry:
    """A nominated head."""

    head: Head
    spec: ClusterQueueSpec
    assignment: Assignment
    targets: tuple[PreemptionTarget, ...] = ()
    displaced: tuple[str, ...] = ()
    """The reservations that it takes victims from (AC-472)."""
    is_deferred: bool = False
    """Whether it fits only once the targets of other preemptors of the cycle are gone (KV-21)."""

    @property
    def is_viable(self) -> bool:
        """Whether it fits, now or once its targets are gone."""
        return self.assignment.mode is PreemptionMode.FIT or bool(self.targets)

    def last_assignment(self, generation: int) -> LastAssignment | None:
        """Return the record of the search for flavors, made for a state of quota (Q-178)."""
        head, stops = self.head, {} if self.head.is_blocked else self.assignment.last_tried_flavors
        return record_assignment(head.pending.last_assignment, stops, generation, head.cycle, head.tree_state)

    @property
    def cluster_queue(self) -> str:
        """Where it would run."""
        return self.spec.name

    @property
    def usage(self) -> Usage:
        """What it would use."""
        return self.assignment.usage

    @property
    def sort_key(self) -> tuple[int, int, float, str]:
        """The place in the cycle: borrowing less, more important, older, smaller UID (Q-220, T-11)."""
        rank = self.head.pending.rank
        return (self.assignment.borrowing_level, rank.lower_priority, rank.since, rank.uid)


Order: TypeAlias = Callable[[Iterable[Entry]], Iterator[Entry]]
"""Yields entries; the next one is chosen once the one before was processed."""


def classical_order(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries that borrow less, are more important or older first (Q-220, T-11)."""
    return iter(sorted(entries, key=lambda entry: entry.sort_key))


Fits = Callable[[Entry, Node, Booking], bool]


def process_entry(entry: Entry, node: Node, booking: Booking) -> Reserve | Preempt | Requeue:
    """Give quota to what fits once all targets of the cycle are gone (Q-224…Q-230).

    What a target holds beyond the claim made for it so seems free to several entries, and may be given to
    each of them.
    """
    return _process_entry(entry, node, booking, _fits_without_targets)


def process_entry_beside_targets(entry: Entry, node: Node, booking: Booking) -> Reserve | Preempt | Requeue:
    """Give quota at once only to what fits while targets still hold theirs (Q-224, corrected)."""
    return _process_entry(entry, node, booking, _fits_beside_targets)


def _process_entry(entry: Entry, node: Node, booking: Booking, fits: Fits) -> Reserve | Preempt | Requeue:
    assignment, head = entry.assignment, entry.head
    requeue = partial(Requeue, head, last_assignment=entry.last_assignment(node.generation))
    if assignment.mode is PreemptionMode.NO_FIT:
        return requeue(RequeueReason.NO_FIT, assignment.message, assignment.no_fit_reason(entry.spec.groups))
    if not entry.is_viable:
        # Nothing can be preempted for this head, but smaller ones behind it must not
        # take what it waits for, or it would starve.
        booking.keep(node, reserve_free(entry, node))
        return requeue(RequeueReason.PREEMPTION_NO_CANDIDATES, assignment.message, NO_QUOTA)
    if entry.is_deferred:
        # A claim without targets of its own: those behind it must not take what it
        # waits for. No flavor is kept in mind, as another one may be free by then.
        booking.claim(node, assignment.usage, ())
        cause = UnreservedReason.WAITING_FOR_PREEMPTED_WORKLOADS
        return Requeue(head, RequeueReason.PENDING_PREEMPTION, texts.FITS_AFTER_PREEMPTIONS, cause)
    # Both would count the quota of the same victim as theirs.
    if booking.overlaps_targets(entry.targets):
        return requeue(
            RequeueReason.FAILED_AFTER_NOMINATION,
            texts.OVERLAPPING_TARGETS,
            NO_QUOTA,
            is_preemption_skipped=True,
        )
    at_once = assignment.mode is PreemptionMode.FIT
    if not fits(entry, node, booking):
        return requeue(
            RequeueReason.FAILED_AFTER_NOMINATION,
            texts.NO_LONGER_FITS,
            NO_QUOTA,
            is_preemption_skipped=not at_once,
        )
    return Reserve(head, assignment) if at_once else Preempt(head, assignment.message, entry.targets)


def with_recomputation(verdict: Verdict, entry: Entry) -> Verdict:
    """Return the verdict on an entry that was assigned anew with what came of that."""
    match verdict:
        case Preempt():
            return replace(verdict, recomputation=Recomputation.NEW_TARGETS)
        case Requeue():
            deferred = entry.is_viable and entry.is_deferred
            recomputation = Recomputation.DEFERRED_FIT if deferred else Recomputation.SKIPPED
            return replace(verdict, recomputation=recomputation)
        case _:
            return verdict


def reserve_free(entry: Entry, node: Node) -> Usage:
    """What a head without candidates keeps from the heads behind it (Q-226, T-13)."""
    # A queue that may reclaim from anybody gets its quota back by preemption: it need
    # not block others (T-13).
    return {} if entry.spec.preemption.reclaim_within_cohort == "Any" else usage_within_limits(entry, node)


def whole_usage(entry: Entry, _node: Node) -> Usage:
    """What a preemptor keeps from the entries behind it: all that it will use (Q-229)."""
    return entry.assignment.usage


def usage_within_limits(entry: Entry, node: Node) -> Usage:
    """What an entry keeps from those behind it of its own quota, and of what it may borrow (Q-226)."""
    borrows = entry.assignment.borrowing_level > 0
    return {
        fr: _limit_usage(node, fr, value, borrows=borrows) for fr, value in entry.assignment.usage.items()
    }


def _fits_without_targets(entry: Entry, node: Node, booking: Booking) -> bool:
    return booking.fits_without_targets(entry.targets, node, entry.assignment.usage)


def _fits_beside_targets(entry: Entry, node: Node, booking: Booking) -> bool:
    at_once = entry.assignment.mode is PreemptionMode.FIT
    return _fits_without_targets(entry, node, booking) and (
        not at_once or booking.fits_beside_victims(node, entry.assignment.usage)
    )


def _limit_usage(node: Node, fr: FlavorResource, value: int, *, borrows: bool) -> int:
    """Never less than nothing: a queue whose quota was lowered may use more than it could take."""
    quota = node.quota(fr)
    limit = quota.borrowing_limit if borrows else 0
    return value if limit is None else max(0, min(value, quota.nominal + limit - node.usage_of(fr)))
