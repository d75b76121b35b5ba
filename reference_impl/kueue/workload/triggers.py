"""Which changes elsewhere make a Workload worth another look (AC-328)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from reference_impl.api.resource import Json, Key, key_of
from reference_impl.api.semantic_equality import are_equal
from reference_impl.runtime.store import Store

from .view import Workload

BY_LOCAL_QUEUE: Final = "workload/local-queue"
BY_CLUSTER_QUEUE: Final = "local-queue/cluster-queue"
BY_WAITING: Final = "workload/waiting"
VICTIMS: Final = "victims"
Enqueue = Callable[[Key], None]


def local_queue_of(workload: Json) -> Iterable[str]:
    """Index Workloads by the LocalQueue they name."""
    view = Workload(workload)
    return (f"{view.namespace}/{view.queue_name}",)


def cluster_queue_of(local_queue: Json) -> Iterable[str]:
    """Index LocalQueues by their ClusterQueue."""
    return ((local_queue.get("spec") or {}).get("clusterQueue", ""),)


def what_it_waits_for(workload: Json) -> Iterable[str]:
    """Index reservations that wait for preemptions."""
    return (VICTIMS,) if Workload(workload).is_awaiting_victims else ()


def _resources_of(workload: Json | None) -> tuple[Json, ...]:
    """Say what a Workload takes from others; an eviction that was not carried out takes nothing back."""
    if workload is None:
        return ()
    view = Workload(workload)
    return (view.admission, view.status.get("reclaimablePods")) if view.has_counted_quota else ()


def _counts(queue: Json) -> tuple[Json, ...]:
    spec = queue.get("spec") or {}
    return (
        "deletionTimestamp" in queue["metadata"],
        spec.get("stopPolicy"),
        spec.get("admissionChecksStrategy"),
    )


def has_changed(old: Json | None, new: Json | None) -> bool:
    """Tell whether a queue came, went or changed as far as Workloads feel it;
    flavors do not count (C-03, AC-253, AC-305).
    """
    return old is None or new is None or _counts(old) != _counts(new)


class Triggers:
    """Turns events of queues into keys of Workloads."""

    def __init__(self, workloads: Store, local_queues: Store, enqueue: Enqueue) -> None:
        self._workloads = workloads
        self._local_queues = local_queues
        self._enqueue = enqueue

    def on_workload(self, old: Json | None, new: Json | None) -> None:
        """Look at a Workload that changed."""
        del old
        if new is not None:
            self._enqueue(key_of(new))

    def on_local_queue(self, old: Json | None, new: Json | None) -> None:
        """Look at everything in a LocalQueue (AC-253, AC-305, AC-307)."""
        if has_changed(old, new):
            self._everything_in(new or old)

    def on_cluster_queue(self, old: Json | None, new: Json | None) -> None:
        """Look at everything in the LocalQueues of a ClusterQueue (AC-305, AC-306)."""
        if not has_changed(old, new):
            return
        name = key_of(new or old).name
        for local_queue in self._local_queues.by_index(BY_CLUSTER_QUEUE, name):
            self._everything_in(local_queue)

    def on_quota(self, old: Json | None, new: Json | None) -> None:
        """Look at everything that holds a reservation and is not admitted,
        as quota or a policy has changed (AC-476, AC-488).
        """
        if old is not None and new is not None and are_equal(old.get("spec"), new.get("spec")):
            return
        for obj in self._workloads:
            view = Workload(obj)
            if view.has_quota_reservation and not view.is_admitted:
                self._enqueue(key_of(obj))

    def on_holding(self, old: Json | None, new: Json | None) -> None:
        """Look at the reservations that wait for preemptions
        when quota is taken or given back (AC-470, AC-473).
        """
        if _resources_of(old) != _resources_of(new):
            for obj in self._workloads.by_index(BY_WAITING, VICTIMS):
                self._enqueue(key_of(obj))

    def _everything_in(self, local_queue: Json) -> None:
        for workload in self._workloads.by_index(BY_LOCAL_QUEUE, str(key_of(local_queue))):
            self._enqueue(key_of(workload))
