"""Reactions to changes of queues: work for the scheduler, and objects to look at again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ...api.resource import Json, Key, key_of
from ...runtime.store import Store
from ...runtime.workqueue import WorkQueue
from ..scheduling.scheduler import Task
from . import finalizers
from .rules import CohortsToUpdate
from .shares import Shares

# Statuses follow what Workloads do with this delay, so that many changes make one write
#
STATUS_SECONDS: Final = 1.0

Handler = Callable[[Json | None, Json | None], None]


@dataclass(frozen=True, slots=True)
class QueueListener:
    """Turns what the queue manager notices into work."""

    cycles: WorkQueue[Task]
    cluster_queues: WorkQueue[Key]
    local_queues: WorkQueue[Key]
    cohorts: WorkQueue[Key]
    shares: Shares
    told_anew: CohortsToUpdate
    fewer_pending: Callable[[str], None]
    wake_seconds: float

    def work(self) -> None:
        """Run a cycle."""
        self.cycles.add("cycle")

    def wake(self) -> None:
        """Wake parked Workloads, a moment after the first wish."""
        # Kueue gathers notices for a second: many finished Workloads wake the queues
        # once (QC-02).
        self.cycles.add_after("wake", self.wake_seconds)

    def dirty_cluster_queue(self, name: str, *, soon: bool) -> None:
        """Reconcile a ClusterQueue; when it was written itself,
        also the Cohorts whose shares are told anew then.
        """
        self.cluster_queues.add_after(Key("", name), 0 if soon else STATUS_SECONDS)
        if soon:
            for cohort in self.told_anew(self.shares, name):
                self.cohorts.add(Key("", cohort))

    def dirty_local_queue(self, key: str, *, soon: bool) -> None:
        """Reconcile a LocalQueue."""
        namespace, _, name = key.partition("/")
        self.local_queues.add_after(Key(namespace, name), 0 if soon else STATUS_SECONDS)


def every(queue: WorkQueue[Key]) -> Handler:
    """Reconcile new and changed objects."""

    def handle(_old: Json | None, new: Json | None) -> None:
        if new is not None:
            queue.add(key_of(new))

    return handle


def new_or_deleting(queue: WorkQueue[Key]) -> Handler:
    """Reconcile new objects and those under deletion;
    a finalizer that was removed from a live object stays away (AC-400).
    """

    def handle(old: Json | None, new: Json | None) -> None:
        # A finalizer that a user removed from a live object stays away (AC-400).
        if new is not None and (old is None or finalizers.is_deleting(new)):
            queue.add(key_of(new))

    return handle


def deleting_ones(queue: WorkQueue[Key], store: Store) -> Handler:
    """Look at every object that waits to go, now that a ClusterQueue changed."""

    def handle(_old: Json | None, _new: Json | None) -> None:
        for obj in store:
            if finalizers.is_deleting(obj):
                queue.add(key_of(obj))

    return handle
