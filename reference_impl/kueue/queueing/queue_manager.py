"""The queue manager: pending Workloads, quota in use,
and the queues, flavors and checks that there are (Q-311).

Informer events come in, two things go out: a tree that is worth another look (`Listener.work`,
`Listener.wake`) and a queue whose status may have changed (`Listener.dirty_*`). It does no I/O: the queue
part feeds it from informers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Protocol

from ...pods.selectors import matches
from ..quota.adjusting import adjust
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.consumption import Consumption
from ..quota.resources import Usage
from ..quota.usage_cache import QuotaHolding, UsageCache
from ..workload.view import Workload
from .pending import PendingWorkload
from .queues import Queues, UnknownLocalQueueError
from .rules import V0_19, PendingRules
from .usage_order import UsageOf


class Listener(Protocol):
    """What the queue manager calls when something changed: the scheduler and the status controllers."""

    def work(self) -> None:
        """Some head may be worth a look now."""

    def wake(self) -> None:
        """Parked Workloads are to be tried again after the batch period (Q-050)."""

    def dirty_cluster_queue(self, name: str, *, soon: bool) -> None:
        """The status of a ClusterQueue may have changed; not `soon` means with the next batch (Q-380)."""

    def dirty_local_queue(self, key: str, *, soon: bool) -> None:
        """The status of a LocalQueue may have changed."""

    def fewer_pending(self, name: str) -> None:
        """Fewer Workloads wait in a ClusterQueue, which its status does not tell (C-10)."""


class QueueManager:
    """Owns the queues, the ledger and the catalogue, and keeps them in step with the objects."""

    def __init__(
        self,
        current_time: Callable[[], float],
        workloads_of: Callable[[str], Iterable[Workload]],
        sent_back: frozenset[str],
        rules: PendingRules = V0_19,
        consumption: Consumption | None = None,
    ) -> None:
        self.queues = Queues(rules)
        self.rules = rules
        self.ledger = UsageCache()
        self.catalogue = Catalogue()
        self.consumption = consumption
        """What LocalQueues have used, None where that decides nothing."""
        self.listener: Listener
        self._now = current_time
        self._workloads_of = workloads_of
        self._sent_back = sent_back
        self._waking: set[str] = set()

    def pending(self, workload: Workload) -> PendingWorkload:
        """See a Workload as a queue does, with what the cluster adds to its pods (Q-092)."""
        limit_ranges = self.catalogue.limit_ranges(workload.namespace)
        counted = adjust(
            workload.object,
            limit_ranges,
            self.catalogue.runtime_classes,
            fill=self.rules.fill_container,
            complete_pod=self.rules.complete_pod,
        )
        # Fast path: without LimitRanges and RuntimeClasses the very same object is
        # counted.
        same_workload = workload if counted is workload.object else Workload(counted)
        return PendingWorkload.of(
            same_workload, self._sent_back, hashes_names=self.rules.hashes_pod_set_names
        )

    def waiting_in(self, local_queue: str) -> Iterable[Workload]:
        """Return the Workloads of a LocalQueue that are to wait in it."""
        return (workload for workload in self._workloads_of(local_queue) if workload.is_queueable)

    def push(self, workload: Workload) -> None:
        """Let a Workload wait, at its place in the queue. Raises UnknownLocalQueueError."""
        self.queues.push(self.pending(workload), self._now())

    # -- asked by the state machine (workload.workload_context.Queues)

    def cluster_queue_for(self, namespace: str, local_queue: str) -> tuple[str, bool]:
        """Name the ClusterQueue of a registered LocalQueue, and tell whether it is known."""
        local = self.queues.local_queues.get(f"{namespace}/{local_queue}")
        return (
            (local.cluster_queue, local.cluster_queue in self.queues.cluster_queues) if local else ("", False)
        )

    def is_active(self, cluster_queue: str) -> bool:
        """Tell whether the ClusterQueue admits."""
        return self.catalogue.is_active(cluster_queue)

    def requeue(self, workload: Workload) -> None:
        """Push a Workload whose backoff is over; raise LookupError when its LocalQueue is unknown (C-23)."""
        self.push(workload)
        self.listener.work()

    # -- what LocalQueues have used

    def usage_for(self, spec: ClusterQueueSpec) -> UsageOf | None:
        """Return what comes before priority in a ClusterQueue, None where that is nothing (Q-021)."""
        return self.consumption.usage if self.consumption is not None and spec.has_usage_based_order else None

    def charge(self, workload: Workload, cluster_queue: str, usage: Usage) -> None:
        """Let a reservation that was decided just now count for its LocalQueue (KEP-4136)."""
        if (
            self.consumption is not None
            and self.catalogue.cluster_queues[cluster_queue].has_usage_based_order
        ):
            self.consumption.charge(workload.key, _local_queue(workload), usage)

    def discharge(self, workload: Workload) -> None:
        """Take that back: the reservation was not written, or its Workload cannot be admitted any more."""
        if self.consumption is not None:
            self.consumption.drop(workload.key)

    def _count_admission(self, key: str) -> None:
        """Count what an admitted Workload's reservation cost as used."""
        holding = self.ledger.holdings.get(key)
        if self.consumption is not None and holding is not None:
            account = self.ledger.of_local_queue(holding.cluster_queue, holding.local_queue)
            self.consumption.admit(key, self.rules.consumed_usage(account), self._now())

    def usage_of(self, holding: QuotaHolding) -> float:
        """Return what the LocalQueue of a holding has used, 0 where that decides nothing (Q-262)."""
        spec = self.catalogue.cluster_queues.get(holding.cluster_queue)
        if self.consumption is None or spec is None or not spec.has_usage_based_order:
            return 0.0
        try:
            return self.consumption.usage(holding.local_queue)
        except LookupError:
            return 0.0

    # -- Workloads

    def workload(self, old: Workload | None, new: Workload | None) -> None:
        """Move a Workload between queue and ledger as it changes (Q-311)."""
        latest = new or old
        assert latest is not None
        before = self._cluster_queues_of(old)
        if new is None or new.is_finished or not new.is_active:
            self._leaves(
                latest, was_in=old is not None and old.is_active and not old.is_finished, gone=new is None
            )
        elif new.has_counted_quota:
            self._holds(old, new)
        else:
            self._waits(old, new)
        for name in before | self._cluster_queues_of(new):
            self.listener.dirty_cluster_queue(name, soon=False)
        for obj in {_local_queue(each) for each in (old, new) if each is not None}:
            self.listener.dirty_local_queue(obj, soon=False)

    def _leaves(self, workload: Workload, *, was_in: bool, gone: bool) -> None:
        self.queues.delete(workload.key)
        self.ledger.remove(workload.key)
        self.discharge(workload)
        if was_in or gone:
            self.wake_trees(self._retried_queues(workload))
            # What is in a heap sees the freed quota at once, what is parked a moment later (QC-02).
            self.listener.work()

    def _holds(self, old: Workload | None, new: Workload) -> None:
        """Count what it holds; others look again when that became less, or when
        its priority moved (Q-051).
        """
        self.queues.delete(new.key)
        self.ledger.put(new)
        if new.is_admitted:
            self._count_admission(new.key)
        if (
            old is not None
            and old.has_counted_quota
            and self.rules.priority_key(old) != self.rules.priority_key(new)
        ):
            self.wake_trees(self._retried_queues(new))
        self.listener.work()

    def _waits(self, old: Workload | None, new: Workload) -> None:
        released = old if old is not None and old.has_counted_quota else None
        if released is not None:
            self.ledger.remove(new.key)
            # Released quota may let in what is parked.
            self.wake_trees(self._retried_queues(released))
        if not new.is_queueable or (released is not None and self._now() < (new.requeue_at or 0.0)):
            # What was released waits outside of the queues until its backoff is over: `requeue` brings it
            # back (VC-24).
            self.queues.delete(new.key)
            self.listener.work()
            return
        if old is not None and old.queue_name != new.queue_name:
            self.discharge(new)
        # A LocalQueue that comes later brings its Workloads itself.
        with suppress(UnknownLocalQueueError):
            self.push(new)
        self.listener.work()

    def _cluster_queues_of(self, workload: Workload | None) -> set[str]:
        if workload is None:
            return set()
        return {self._cluster_queue_of_local(workload), workload.admitted_to} - {""}

    def _retried_queues(self, workload: Workload) -> set[str]:
        return self.rules.retried_queues(self._cluster_queue_of_local(workload), workload.admitted_to)

    def _cluster_queue_of_local(self, workload: Workload) -> str:
        local = self.queues.local_queues.get(_local_queue(workload))
        return local.cluster_queue if local else ""

    # -- waking

    def wake_trees(self, names: set[str]) -> None:
        """Remember that the trees of ClusterQueues are worth another look, and ask to be woken (Q-050)."""
        if names:
            self._waking |= names
            self.listener.wake()

    def wake_now(self) -> None:
        """Move the parked Workloads of the remembered trees into their heaps (Q-050)."""
        woken, self._waking = self._waking, set()
        current_time = self._now()
        for name in {member for root in woken for member in self.ledger.cohort_trees.members(root)}:
            self.queues.wake(name, partial(self._admits, name), current_time)
        self.listener.work()

    def _admits(self, name: str, pending: PendingWorkload) -> bool:
        spec = self.catalogue.cluster_queues.get(name)
        labels = self.catalogue.namespaces.get(pending.workload.namespace)
        return spec is not None and labels is not None and matches(spec.namespace_selector, labels)


def _local_queue(workload: Workload) -> str:
    return f"{workload.namespace}/{workload.queue_name}"
