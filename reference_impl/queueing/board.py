"""The one picture of the queue side: what waits, who holds quota, which queues, flavors and checks there are (Q-311).

Informer events come in, two things go out: a tree that is worth another look (`Listener.work`, `Listener.wake`)
and a queue whose status may have changed (`Listener.dirty_*`). The board does no I/O; whoever owns the loop feeds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Protocol

from ..api.resource import Json
from ..quota.adjusting import adjusted
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.ledger import Ledger
from ..quota.problems import Check
from ..quota.resources import ResourceGroups
from ..quota.selectors import matches
from ..quota.validity import objection
from ..workload.view import Workload
from .pending import Pending, Reactivates, reactivates
from .queues import Queues, UnknownLocalQueueError
from .strategies import Strategy


class Listener(Protocol):
    """Who acts on what the board notices."""

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


class Board:
    """Owns the queues, the ledger and the catalogue, and keeps them in step with the objects."""

    def __init__(
        self,
        now: Callable[[], float],
        workloads_of: Callable[[str], Iterable[Workload]],
        sent_back: frozenset[str],
        stirs: Reactivates = reactivates,
    ) -> None:
        self.queues = Queues(stirs)
        self.ledger = Ledger()
        self.catalogue = Catalogue()
        self.listener: Listener
        self._now = now
        self._workloads_of = workloads_of
        self._sent_back = sent_back
        self._waking: set[str] = set()

    def pending(self, workload: Workload) -> Pending:
        """See a Workload as a queue does, with what the cluster adds to its pods (Q-092)."""
        limit_ranges = self.catalogue.limit_ranges(workload.namespace)
        counted = adjusted(workload.object, limit_ranges, self.catalogue.runtime_classes)
        known = workload if counted is workload.object else Workload(counted)
        return Pending.of(known, self._sent_back)

    # -- asked by the state machine (workload.world.Queues) ----------------------------------------------------------

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
        self.queues.push(self.pending(workload), self._now())
        self.listener.work()

    def invalid_reservation(self, workload: Workload) -> str:
        """Say why a reservation no longer fits, empty when it does (AC-449)."""
        return objection(workload.key, self.ledger, self.catalogue)

    # -- Workloads ---------------------------------------------------------------------------------------------------

    def workload(self, old: Workload | None, new: Workload | None) -> None:
        """Move a Workload between queue and ledger as it changes (Q-311)."""
        latest = new or old
        assert latest is not None
        before = self._cluster_queues_of(old)
        if new is None or new.finished or not new.active:
            self._leaves(latest, was_in=old is not None and old.active and not old.finished, gone=new is None)
        elif new.holds_quota:
            self._holds(old, new)
        else:
            self._waits(old, new)
        for name in before | self._cluster_queues_of(new):
            self.listener.dirty_cluster_queue(name, soon=False)
        for each in {_local_queue(each) for each in (old, new) if each is not None}:
            self.listener.dirty_local_queue(each, soon=False)

    def _leaves(self, workload: Workload, *, was_in: bool, gone: bool) -> None:
        self.queues.delete(workload.key)
        self.ledger.remove(workload.key)
        if was_in or gone:
            self.wake_trees(self._cluster_queues_of(workload))

    def _holds(self, old: Workload | None, new: Workload) -> None:
        """Count what it holds; others look again when that became less, or when its priority moved (Q-051)."""
        self.queues.delete(new.key)
        self.ledger.put(new)
        if old is not None and old.holds_quota and _weight(old) != _weight(new):
            self.wake_trees(self._cluster_queues_of(new))
        self.listener.work()

    def _waits(self, old: Workload | None, new: Workload) -> None:
        if old is not None and old.holds_quota:
            self.ledger.remove(new.key)
            self.wake_trees(self._cluster_queues_of(old))
        if not new.queueable:
            self.queues.delete(new.key)
            return
        # A LocalQueue that comes later brings its Workloads itself.
        with suppress(UnknownLocalQueueError):
            self.queues.push(self.pending(new), self._now())
        self.listener.work()

    def _cluster_queues_of(self, workload: Workload | None) -> set[str]:
        if workload is None:
            return set()
        local = self.queues.local_queues.get(_local_queue(workload))
        names = {local.cluster_queue if local else "", (workload.admission or {}).get("clusterQueue", "")}
        return names - {""}

    # -- queues ------------------------------------------------------------------------------------------------------

    def local_queue(self, old: Json | None, new: Json | None) -> None:
        """Register a LocalQueue, or forget one that was stopped or deleted (Q-060…Q-063)."""
        metadata = _metadata(old, new)
        key = f"{metadata['namespace']}/{metadata['name']}"
        spec = (new or {}).get("spec") or {}
        if new is None or (spec.get("stopPolicy") or "None") != "None":
            known = self.queues.local_queues.get(key)
            self.queues.remove_local_queue(key)
            if known is not None:
                self.listener.fewer_pending(known.cluster_queue)
        elif key not in self.queues.local_queues or _changed(old, new):
            waiting = (self.pending(each) for each in self._workloads_of(key) if each.queueable)
            self.queues.set_local_queue(key, spec.get("clusterQueue") or "", waiting)
            self._dirty(spec.get("clusterQueue") or "")
        self.listener.dirty_local_queue(key, soon=True)
        self.listener.work()

    def cluster_queue(self, old: Json | None, new: Json | None) -> None:
        """Take note of a ClusterQueue (Q-064, Q-132)."""
        name = _metadata(old, new)["name"]
        if new is None:
            self.catalogue.cluster_queues.pop(name, None)
            self.ledger.remove_cluster_queue(name)
            self.queues.remove_cluster_queue(name)
        elif old is None or _changed(old, new):
            spec = ClusterQueueSpec.of(new)
            self.catalogue.cluster_queues[name] = spec
            self.ledger.set_cluster_queue(name, spec.cohort, spec.groups)
            self.queues.set_cluster_queue(name, Strategy(spec.strategy))
            self.wake_trees({name})
        self._dirty(name)
        for key, local in self.queues.local_queues.items():
            if local.cluster_queue == name:
                self.listener.dirty_local_queue(key, soon=True)
        self.listener.work()

    def cohort(self, old: Json | None, new: Json | None) -> None:
        """Take note of a Cohort; a deleted one wakes nobody (Q-066, Q-130)."""
        name = _metadata(old, new)["name"]
        if new is None:
            self.ledger.forest.remove_cohort(name)
            return
        if old is not None and not _changed(old, new):
            return
        spec = new.get("spec") or {}
        groups = ResourceGroups.of(spec.get("resourceGroups"))
        self.ledger.forest.set_cohort(name, spec.get("parentName") or "", groups.quotas)
        self.wake_trees(set(self.ledger.forest.cohort_members(name)))

    # -- what queues refer to ----------------------------------------------------------------------------------------

    def flavor(self, old: Json | None, new: Json | None) -> None:
        """Take note of a ResourceFlavor."""
        name = _metadata(old, new)["name"]
        before = self.catalogue.flavors.get(name)
        _set(self.catalogue.flavors, name, new)
        if before is None or new is None or before.get("spec") != new.get("spec"):
            self._referred(self.catalogue.using_flavor(name))

    def check(self, old: Json | None, new: Json | None) -> None:
        """Take note of an AdmissionCheck; a terminating one keeps its last answer (AC-402, AC-404)."""
        name = _metadata(old, new)["name"]
        before = self.catalogue.checks.get(name)
        if new is not None and "deletionTimestamp" in new["metadata"] and before is not None:
            return
        _set(self.catalogue.checks, name, None if new is None else _check(new))
        if self.catalogue.checks.get(name) != before:
            self._referred(self.catalogue.using_check(name))

    def namespace(self, old: Json | None, new: Json | None) -> None:
        """Take note of a namespace; ClusterQueues that select it only now are tried again (Q-051)."""
        name = _metadata(old, new)["name"]
        before = self.catalogue.namespaces.get(name)
        labels = None if new is None else new["metadata"].get("labels") or {}
        _set(self.catalogue.namespaces, name, labels)
        if labels is None or before is None or labels == before:
            return
        selectors = {each.name: each.namespace_selector for each in self.catalogue.cluster_queues.values()}
        now_selected = {
            each
            for each, selector in selectors.items()
            if matches(selector, labels) and not matches(selector, before)
        }
        self._referred(now_selected)

    def limit_range(self, old: Json | None, new: Json | None) -> None:
        """Take note of a LimitRange; what waits in its namespace asks for something else now (Q-051)."""
        metadata = _metadata(old, new)
        if old is None or new is None or old.get("spec") != new.get("spec"):
            self.catalogue.set_limit_range(metadata["namespace"], metadata["name"], new)
            self._count_again(lambda workload: workload.namespace == metadata["namespace"])

    def runtime_class(self, old: Json | None, new: Json | None) -> None:
        """Take note of a RuntimeClass; what uses it and waits asks for something else now (Q-051)."""
        name = _metadata(old, new)["name"]
        _set(self.catalogue.runtime_classes, name, new)
        self._count_again(lambda workload: name in _runtime_classes(workload))

    def _count_again(self, concerned: Callable[[Workload], bool]) -> None:
        for key in self.queues.local_queues:
            for workload in self._workloads_of(key):
                if workload.queueable and concerned(workload):
                    self.queues.push(self.pending(workload), self._now())
        self.listener.work()

    def _referred(self, names: Iterable[str]) -> None:
        """Look again at ClusterQueues that refer to something that changed."""
        for name in names:
            self.ledger.forest.touch(name)
            self._dirty(name)
            self.wake_trees({name})
        self.listener.work()

    def _dirty(self, name: str) -> None:
        self.listener.dirty_cluster_queue(name, soon=True)

    # -- waking ------------------------------------------------------------------------------------------------------

    def wake_trees(self, names: set[str]) -> None:
        """Remember that the trees of ClusterQueues are worth another look, and ask to be woken (Q-050)."""
        if names:
            self._waking |= names
            self.listener.wake()

    def wake_now(self) -> None:
        """Move the parked Workloads of the remembered trees into their heaps (Q-050)."""
        woken, self._waking = self._waking, set()
        now = self._now()
        for name in {member for each in woken for member in self.ledger.forest.members(each)}:
            self.queues.wake(name, partial(self._admits, name), now)
        self.listener.work()

    def _admits(self, name: str, pending: Pending) -> bool:
        spec = self.catalogue.cluster_queues.get(name)
        labels = self.catalogue.namespaces.get(pending.workload.namespace)
        return spec is not None and labels is not None and matches(spec.namespace_selector, labels)


def _local_queue(workload: Workload) -> str:
    return f"{workload.namespace}/{workload.queue_name}"


def _runtime_classes(workload: Workload) -> set[str]:
    return {each["template"]["spec"].get("runtimeClassName") for each in workload.spec.get("podSets") or ()}


def _weight(workload: Workload) -> Json:
    return workload.priority, workload.status.get("reclaimablePods")


def _metadata(old: Json | None, new: Json | None) -> Json:
    obj: Json = old if new is None else new
    return obj["metadata"]


def _changed(old: Json | None, new: Json) -> bool:
    """Tell whether more than the status or labels changed."""
    return (
        old is None
        or old.get("spec") != new.get("spec")
        or old["metadata"].get("deletionTimestamp") != new["metadata"].get("deletionTimestamp")
    )


def _check(check: Json) -> Check:
    """Only Active=True counts as active (AC-404)."""
    conditions = (check.get("status") or {}).get("conditions") or ()
    active = any(each["type"] == "Active" and each["status"] == "True" for each in conditions)
    return Check((check.get("spec") or {}).get("controllerName") or "", active)


def _set(known: dict[str, Json], name: str, value: Json | None) -> None:
    if value is None:
        known.pop(name, None)
    else:
        known[name] = value
