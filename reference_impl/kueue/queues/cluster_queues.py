"""The ClusterQueue controller: finalizer and status,
written only when they change (AC-423, AC-427, Q-147, Q-380).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...api.kinds import CLUSTER_QUEUES
from ...api.resource import Key
from ...runtime.client import Client
from ...runtime.clock import Clock
from ...runtime.latest_objects import LatestObjects
from ...runtime.metrics import Registry
from ..queueing.queue_manager import QueueManager
from ..quota.shares import DominantResourceShare
from . import finalizers
from .rules import QueueRules
from .shares import Shares, measure
from .status import cluster_queue_status

SHARE = "kueue_cluster_queue_weighted_share"
STATES = ("pending", "active", "terminating")


@dataclass(frozen=True, slots=True)
class ClusterQueues:
    """Reconciles one ClusterQueue at a time."""

    queue_manager: QueueManager
    client: Client
    clock: Clock
    metrics: Registry
    rules: QueueRules
    latest: LatestObjects
    shares: Shares
    _measured_in: dict[str, str] = field(default_factory=dict)
    """The cohort of each queue whose share is told."""

    async def reconcile(self, key: Key) -> None:
        """Bring finalizer and status in line with what the queue manager knows."""
        obj = self.latest.get(key)
        spec = self.queue_manager.catalogue.cluster_queues.get(key.name)
        if obj is None or spec is None:
            self._forget(key.name)
            return
        share = self.shares.of_cluster_queue(key.name)
        self._measure(key.name, deleting=spec.is_deleting)
        self._measure_share(key.name, spec.cohort, share)
        # Workloads with quota keep their ClusterQueue, or their usage would be counted
        # nowhere.
        if spec.is_deleting and finalizers.has(obj) and not any(self.queue_manager.ledger.holders(key.name)):
            await self.client.update(CLUSTER_QUEUES, finalizers.without_finalizer(obj))
            return
        if not spec.is_deleting and not finalizers.has(obj):
            obj = self.latest.record_write(
                await self.client.update(CLUSTER_QUEUES, finalizers.with_finalizer(obj))
            )
        trees = self.queue_manager.ledger.cohort_trees
        active = self.rules.check_circle(
            self.rules.cluster_queue_active(self.queue_manager.catalogue, spec), trees, spec
        )
        status = cluster_queue_status(self.queue_manager, spec, obj, active, self.clock.now(), share)
        if status != obj.get("status"):
            answer = await self.client.update_status(CLUSTER_QUEUES, {**obj, "status": status})
            self.latest.record_write(answer)

    def _measure(self, name: str, *, deleting: bool) -> None:
        active = self.queue_manager.is_active(name)
        state = "terminating" if deleting else "active" if active else "pending"
        for status_value in STATES:
            self.metrics.set("kueue_cluster_queue_status", name, status_value, value=status_value == state)
        self.measure_pending(name)
        account = self.queue_manager.ledger.of_cluster_queue(name)
        self.metrics.set("kueue_reserving_active_workloads", name, value=account.reserving)
        self.metrics.set("kueue_admitted_active_workloads", name, value=account.admitted)

    def _measure_share(self, name: str, cohort: str, share: DominantResourceShare | None) -> None:
        """Tell the share under the cohort that the queue is in now."""
        if share is None:
            return
        if self._measured_in.get(name, cohort) != cohort:
            # The cohort is a label: the series of the old one would stay for ever.
            self.metrics.remove(SHARE, name)
        self._measured_in[name] = cohort
        self.metrics.set(SHARE, name, cohort, value=measure(share))

    def measure_pending(self, name: str) -> None:
        """Tell how many Workloads wait; this may be ahead of the status (C-10)."""
        queue = self.queue_manager.queues.cluster_queues.get(name)
        if queue is None:
            return
        tried = queue.active if self.queue_manager.is_active(name) else 0
        self.metrics.set("kueue_pending_workloads", name, "active", value=tried)
        self.metrics.set("kueue_pending_workloads", name, "inadmissible", value=queue.pending - tried)

    def _forget(self, name: str) -> None:
        self._measured_in.pop(name, None)
        for metric in (
            "cluster_queue_status",
            "pending_workloads",
            "unadmitted_workloads",
            "reserving_active_workloads",
            "admitted_active_workloads",
            "cluster_queue_weighted_share",
        ):
            self.metrics.remove(f"kueue_{metric}", name)
