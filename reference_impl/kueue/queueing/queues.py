"""All queues: which LocalQueue feeds which ClusterQueue,
and the Workloads that wait there (Q-023, Q-030, Q-036, Q-060…Q-067).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..workload.unreserved import UnreservedReason
from .cluster_queue import ClusterQueue
from .last_assignment import TreeState
from .pending import PendingWorkload
from .rules import V0_19, PendingRules
from .strategies import RequeueReason, Strategy
from .usage_order import UsageOf


class UnknownLocalQueueError(LookupError):
    """A Workload names a LocalQueue that does not exist or is stopped (Q-030)."""


@dataclass(slots=True)
class LocalQueue:
    """A LocalQueue that takes Workloads, with those it has brought."""

    cluster_queue: str
    items: dict[str, PendingWorkload] = field(default_factory=dict)


class Queues:
    """Owns every pending Workload."""

    def __init__(self, rules: PendingRules = V0_19) -> None:
        self._rules = rules
        self.cluster_queues: dict[str, ClusterQueue] = {}
        self.local_queues: dict[str, LocalQueue] = {}
        self._local_queue_of: dict[str, str] = {}
        self.cycles = 0
        """How many cycles had a head (Q-179)."""

    def set_cluster_queue(self, name: str, strategy: Strategy, usage: UsageOf | None = None) -> None:
        """Register a ClusterQueue or change its strategy;
        its LocalQueues bring what they hold (Q-025, Q-064).

        With `usage`, what its LocalQueues have used comes before priority (Q-021).
        """
        queue = self.cluster_queues.get(name)
        if queue is not None:
            queue.strategy = strategy
            queue.order_by(usage)
            return
        queue = self.cluster_queues[name] = ClusterQueue(strategy, self._rules)
        queue.order_by(usage)
        for local in self.local_queues.values():
            if local.cluster_queue == name:
                for pending in local.items.values():
                    queue.restore(pending)

    def remove_cluster_queue(self, name: str) -> None:
        """Forget a ClusterQueue; what its LocalQueues hold survives (Q-064)."""
        self.cluster_queues.pop(name, None)

    def set_local_queue(self, key: str, cluster_queue: str, waiting: Iterable[PendingWorkload]) -> None:
        """Register a LocalQueue with the queueable Workloads that name it (Q-062, Q-063)."""
        local_queue = self.local_queues.get(key)
        # Nothing has moved: positions stay as they are.
        if local_queue is not None and local_queue.cluster_queue == cluster_queue:
            return
        if local_queue is not None:
            self.remove_local_queue(key)
        local = self.local_queues[key] = LocalQueue(cluster_queue)
        queue = self.cluster_queues.get(cluster_queue)
        for pending in waiting:
            self._assign(pending, local)
            if queue is not None:
                queue.restore(pending)

    def remove_local_queue(self, key: str) -> None:
        """Forget a LocalQueue that was deleted or stopped, with its Workloads (Q-061)."""
        local = self.local_queues.pop(key, None)
        for name in local.items if local else ():
            queue = self.cluster_queues.get(local.cluster_queue) if local else None
            if queue is not None:
                queue.delete(name)

    def push(self, pending: PendingWorkload, current_time: float) -> None:
        """Add a queueable Workload or take note of its change (Q-030)."""
        if self._local_queue_of.get(pending.key, pending.local_queue) != pending.local_queue:
            # A Workload that names another LocalQueue leaves the old one first, or it
            # would wait twice.
            self.delete(pending.key)
        local = self.local_queues.get(pending.local_queue)
        if local is None:
            raise UnknownLocalQueueError
        self._assign(pending, local)
        queue = self.cluster_queues.get(local.cluster_queue)
        if queue is not None:
            queue.push(pending, current_time)

    def requeue(
        self,
        pending: PendingWorkload,
        reason: RequeueReason,
        current_time: float,
        sight: TreeState | None,
        cause: UnreservedReason = UnreservedReason.PENDING_EVALUATION,
    ) -> bool:
        """Take back a Workload after a cycle, with what it saw; one that saw nothing is looked at again in
        any case (Q-041, P-036). Tell whether it is tried again without an event that wakes it.
        """
        local = self.local_queues.get(pending.local_queue)
        queue = self.cluster_queues.get(local.cluster_queue) if local else None
        if local is None or queue is None:
            return False
        self._assign(pending, local)
        at_once = queue.requeue(pending, reason, current_time, cause)
        if at_once and sight is not None and pending.last_assignment is None and queue.head() is pending:
            queue.block(sight)
        return at_once

    def sticky(self, name: str) -> str | None:
        """Return the preemptor that stands first in a ClusterQueue, if any (Q-022)."""
        queue = self.cluster_queues.get(name)
        return queue.sticky if queue else None

    def unstick(self, name: str, key: str, before: str | None) -> None:
        """Let the preemptor stand first that did so before
        another one, all of whose evictions failed (Q-044).
        """
        queue = self.cluster_queues.get(name)
        if queue is not None and queue.sticky == key:
            queue.stick(before if before in queue.entries else None)

    def delete(self, key: str) -> None:
        """Forget a Workload: it is gone, finished, or has its reservation."""
        local = self.local_queues.get(self._local_queue_of.pop(key, ""))
        if local is None:
            return
        local.items.pop(key, None)
        queue = self.cluster_queues.get(local.cluster_queue)
        if queue is not None:
            queue.delete(key)

    def equivalent_failure(self, key: str) -> UnreservedReason | None:
        """Return why an equal Workload was parked, if this one is parked with it (Q-045, KV-13)."""
        local = self.local_queues.get(self._local_queue_of.get(key, ""))
        queue = self.cluster_queues.get(local.cluster_queue) if local else None
        return queue.equivalent_failure(key) if queue else None

    def wake(self, name: str, admits: Callable[[PendingWorkload], bool], current_time: float) -> None:
        """Try the parked Workloads of a ClusterQueue again (Q-050)."""
        queue = self.cluster_queues.get(name)
        if queue is not None:
            queue.queue_inadmissible_workloads(admits, current_time)

    def waiting_in(self, local_queue: str) -> int:
        """How many Workloads a LocalQueue has waiting, without the one in flight (Q-023, Q-377)."""
        local = self.local_queues.get(local_queue)
        if local is None:
            return 0
        queue = self.cluster_queues.get(local.cluster_queue)
        in_flight = queue.in_flight if queue else ()
        return len(local.items) - sum(key in local.items for key in in_flight)

    def parked_in(self, local_queue: str) -> int:
        """How many of a LocalQueue's Workloads were tried and wait for an event."""
        local = self.local_queues.get(local_queue)
        queue = self.cluster_queues.get(local.cluster_queue) if local else None
        return sum(queue.is_inadmissible(key) for key in local.items) if local and queue else 0

    def _assign(self, pending: PendingWorkload, local: LocalQueue) -> None:
        local.items[pending.key] = pending
        self._local_queue_of[pending.key] = pending.local_queue
