"""A nominated head, and what may become of it in a cycle (scheduling §6.2–6.4)."""

from __future__ import annotations

from dataclasses import dataclass

from ..queueing.heads import Head
from ..queueing.scan import Scan, record
from ..queueing.strategies import Reason
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.resources import Usage
from .assignment import Assignment
from .grades import Mode
from .preemption.targets import Target


@dataclass(frozen=True, slots=True)
class Reserve:
    """Quota for the head, as assigned."""

    head: Head
    assignment: Assignment
    targets: tuple[Target, ...] = ()
    """The victims that it counts on (AC-440)."""


@dataclass(frozen=True, slots=True)
class Requeue:
    """Back into the queue; without a message nothing is written."""

    head: Head
    reason: Reason
    message: str = ""
    scan: Scan | None = None
    """Flavors that the next cycle is to try first (Q-178)."""
    preemption_skipped: bool = False
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
    targets: tuple[Target, ...]


Verdict = Reserve | Preempt | Requeue | Wait | Drop


@dataclass(frozen=True, slots=True)
class Entry:
    """A nominated head."""

    head: Head
    spec: ClusterQueueSpec
    assignment: Assignment
    targets: tuple[Target, ...] = ()
    displaced: tuple[str, ...] = ()
    """The reservations that it takes victims from (AC-472)."""

    @property
    def is_viable(self) -> bool:
        """Whether it fits, now or once its targets are gone."""
        return self.assignment.mode is Mode.FIT or bool(self.targets)

    def scan(self, generation: int) -> Scan | None:
        """Return the record of the search for flavors, made for a state of quota (Q-178)."""
        head, stops = self.head, {} if self.head.blocked else self.assignment.stops
        return record(head.pending.scan, stops, generation, head.cycle, head.sight)

    @property
    def cluster_queue(self) -> str:
        """Where it would run."""
        return self.spec.name

    @property
    def usage(self) -> Usage:
        """What it would use."""
        return self.assignment.usage

    @property
    def order(self) -> tuple[int, int, float, str]:
        """The place in the cycle: borrowing less, more important, older, smaller UID (Q-220, T-11)."""
        rank = self.head.pending.rank
        return (self.assignment.level, rank.lower_priority, rank.since, rank.uid)
