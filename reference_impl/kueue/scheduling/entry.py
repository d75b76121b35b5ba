"""A nominated head, and what may become of it in a cycle (scheduling §6.2–6.4)."""

from __future__ import annotations

from dataclasses import dataclass

from ..queueing.heads import Head
from ..queueing.last_assignment import LastAssignment, record_assignment
from ..queueing.strategies import RequeueReason
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.resources import Usage
from .assignment import Assignment
from .granular_mode import PreemptionMode
from .preemption.targets import PreemptionTarget


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
    last_assignment: LastAssignment | None = None
    """Flavors that the next cycle is to try first (Q-178)."""
    is_preemption_skipped: bool = False
    """Whether its targets were not preempted because of another head of the cycle (MT-003)."""


@dataclass(frozen=True, slots=True)
class Wait:
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


Verdict = Reserve | Preempt | Requeue | Wait | Drop


@dataclass(frozen=True, slots=True)
class Entry:
    """A nominated head."""

    head: Head
    spec: ClusterQueueSpec
    assignment: Assignment
    targets: tuple[PreemptionTarget, ...] = ()
    displaced: tuple[str, ...] = ()
    """The reservations that it takes victims from (AC-472)."""

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
