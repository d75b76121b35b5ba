"""Event handlers of the queue manager for every kind but Workloads:
queues, cohorts, flavors, checks, namespaces (Q-311).

Each handler takes the old and the new object that an informer reports;
one of them is None for a creation or a deletion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...api.resource import Json
from ...api.semantic_equality import are_equal
from ...pods.selectors import matches
from ..checks.preemption_policy import ANYTIME
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.cohort_trees import CohortTrees
from ..quota.problems import CheckStatus
from ..quota.resources import ResourceGroups
from ..quota.shares import weight_of
from ..workload.view import Workload
from .queue_manager import QueueManager
from .strategies import Strategy


class EventHandlers:
    """Updates the queue manager after an event, and wakes the queues whose Workloads the event may let in."""

    def __init__(self, queue_manager: QueueManager) -> None:
        self._manager = queue_manager

    def local_queue(self, old: Json | None, new: Json | None) -> None:
        """Register a LocalQueue, or forget one that was stopped or deleted (Q-060…Q-063)."""
        metadata = _metadata(old, new)
        key = f"{metadata['namespace']}/{metadata['name']}"
        spec = (new or {}).get("spec") or {}
        queues = self._manager.queues.local_queues
        before = queues.get(key)
        self._weigh(key, new)
        if new is None or (spec.get("stopPolicy") or "None") != "None":
            self._manager.queues.remove_local_queue(key)
        elif _has_changed(old, new):
            waiting = map(self._manager.pending, self._manager.waiting_in(key))
            self._manager.queues.set_local_queue(key, spec.get("clusterQueue") or "", waiting)
            self._dirty(spec.get("clusterQueue") or "")
        after = queues.get(key)
        if before is not None and (after is None or after.cluster_queue != before.cluster_queue):
            self._manager.listener.fewer_pending(before.cluster_queue)
        self._manager.listener.dirty_local_queue(key, soon=True)
        self._manager.listener.work()

    def _weigh(self, key: str, new: Json | None) -> None:
        """Record the weight of a LocalQueue; a stopped one keeps its usage."""
        if self._manager.consumption is None:
            return
        if new is None:
            self._manager.consumption.forget(key)
        else:
            self._manager.consumption.know(key, weight_of(new.get("spec") or {}))

    def cluster_queue(self, old: Json | None, new: Json | None) -> None:
        """Record a ClusterQueue (Q-064)."""
        name = _metadata(old, new)["name"]
        if new is None:
            self._dirty(name)  # while it is known which cohorts it was below
            self._manager.catalogue.cluster_queues.pop(name, None)
            self._manager.ledger.remove_cluster_queue(name)
            self._manager.queues.remove_cluster_queue(name)
        else:
            self._change_to(new, only_status=not _has_changed(old, new))
            self._dirty(name)
        for key, local in self._manager.queues.local_queues.items():
            if local.cluster_queue == name:
                self._manager.listener.dirty_local_queue(key, soon=True)
        self._manager.listener.work()

    def _change_to(self, new: Json, *, only_status: bool) -> None:
        name = new["metadata"]["name"]
        if not only_status:
            spec = ClusterQueueSpec.of(new)
            self._manager.catalogue.cluster_queues[name] = spec
            self._manager.ledger.set_cluster_queue(name, spec.cohort, spec.groups, spec.weight)
            self._manager.queues.set_cluster_queue(
                name, Strategy(spec.strategy), self._manager.usage_for(spec)
            )
        if not only_status or self._manager.rules.requeues_on_status_change(
            self._manager.ledger.cohort_trees, name
        ):
            self._manager.wake_trees({name})

    def cohort(self, old: Json | None, new: Json | None) -> None:
        """Record a Cohort, and look at ClusterQueues that come into a circle or out of it (QC-01)."""
        before = self._find_cluster_queues_in_circles()
        self._record_cohort(old, new)
        for name in before ^ self._find_cluster_queues_in_circles():
            self._dirty(name)

    def _find_cluster_queues_in_circles(self) -> set[str]:
        trees = self._manager.ledger.cohort_trees
        return {name for name in trees.queues if trees.is_in_circle(name)}

    def _record_cohort(self, old: Json | None, new: Json | None) -> None:
        """Record it; a deleted one wakes no queue (Q-066, Q-130)."""
        name = _metadata(old, new)["name"]
        if new is None:
            # Kueue wakes nothing here, although Workloads below may fit by now.
            self._manager.ledger.cohort_trees.remove_cohort(name)
            return
        if not _has_changed(old, new):
            return
        spec = new.get("spec") or {}
        groups = ResourceGroups.of(spec.get("resourceGroups"))
        forest = self._manager.ledger.cohort_trees
        forest.set_cohort(name, spec.get("parentName") or "", groups.quotas, weight_of(spec))
        self._manager.wake_trees(set(forest.cohort_members(name)))

    def flavor(self, old: Json | None, new: Json | None) -> None:
        """Record a ResourceFlavor."""
        name = _metadata(old, new)["name"]
        before = self._manager.catalogue.flavors.get(name)
        _set(self._manager.catalogue.flavors, name, new)
        if before is None or new is None or not are_equal(before.get("spec"), new.get("spec")):
            self._requeue_referring(self._manager.catalogue.using_flavor(name))

    def check(self, old: Json | None, new: Json | None) -> None:
        """Record an AdmissionCheck; a terminating one keeps its last answer (AC-402, AC-404)."""
        name = _metadata(old, new)["name"]
        before = self._manager.catalogue.checks.get(name)
        # Its ClusterQueues stay active until it is gone.
        if new is not None and "deletionTimestamp" in new["metadata"] and before is not None:
            return
        _set(self._manager.catalogue.checks, name, None if new is None else _check(new))
        if self._manager.catalogue.checks.get(name) != before:
            self._requeue_referring(self._manager.catalogue.using_check(name))

    def namespace(self, old: Json | None, new: Json | None) -> None:
        """Record a namespace; ClusterQueues that select it only now are tried again (Q-051)."""
        name = _metadata(old, new)["name"]
        before = self._manager.catalogue.namespaces.get(name)
        labels = None if new is None else new["metadata"].get("labels") or {}
        _set(self._manager.catalogue.namespaces, name, labels)
        # A new namespace has no Workloads yet; those of a deleted one are deleted too.
        if labels is None or before is None:
            return
        selectors = {
            cluster_queue.name: cluster_queue.namespace_selector
            for cluster_queue in self._manager.catalogue.cluster_queues.values()
        }
        now_selected = {
            name
            for name, selector in selectors.items()
            if matches(selector, labels) and not matches(selector, before)
        }
        self._requeue_referring(now_selected)

    def limit_range(self, old: Json | None, new: Json | None) -> None:
        """Record a LimitRange; requests of pending Workloads in its namespace change (Q-051)."""
        metadata = _metadata(old, new)
        if old is None or new is None or not are_equal(old.get("spec"), new.get("spec")):
            self._manager.catalogue.set_limit_range(metadata["namespace"], metadata["name"], new)
            self._count_again(lambda workload: workload.namespace == metadata["namespace"])
            if self._manager.rules.requeues_on_limit_range(old, new):
                self._manager.wake_trees(self._cluster_queues_of(metadata["namespace"]))

    def _cluster_queues_of(self, namespace: str) -> set[str]:
        queues = self._manager.queues.local_queues
        return {queue.cluster_queue for key, queue in queues.items() if key.startswith(f"{namespace}/")}

    def runtime_class(self, old: Json | None, new: Json | None) -> None:
        """Record a RuntimeClass; requests of pending Workloads that use it change (Q-051)."""
        name = _metadata(old, new)["name"]
        _set(self._manager.catalogue.runtime_classes, name, new)
        self._count_again(lambda workload: name in _runtime_classes(workload))

    def _count_again(self, concerned: Callable[[Workload], bool]) -> None:
        for key in self._manager.queues.local_queues:
            for workload in self._manager.waiting_in(key):
                if concerned(workload):
                    self._manager.push(workload)
        self._manager.listener.work()

    def _requeue_referring(self, names: Iterable[str]) -> None:
        """Look again at ClusterQueues that refer to something that changed."""
        for name in names:
            # Usage stays, but heads that were blocked at this version have to be looked
            # at again.
            self._manager.ledger.cohort_trees.touch(name)
            self._dirty(name)
            self._manager.wake_trees({name})
        self._manager.listener.work()

    def _dirty(self, name: str) -> None:
        self._manager.listener.dirty_cluster_queue(name, soon=True)


def never_requeues_on_status_change(_forest: CohortTrees, _cluster_queue: str) -> bool:
    """Let what waits rest when only the status of a ClusterQueue was written (QC-03, corrected)."""
    return False


def _runtime_classes(workload: Workload) -> set[str]:
    return {
        pod_set["template"]["spec"].get("runtimeClassName") for pod_set in workload.spec.get("podSets") or ()
    }


def _metadata(old: Json | None, new: Json | None) -> Json:
    obj: Json = old if new is None else new
    return obj["metadata"]


def _has_changed(old: Json | None, new: Json) -> bool:
    """Tell whether more than the status or labels changed."""
    return (
        old is None
        or not are_equal(old.get("spec"), new.get("spec"))
        or old["metadata"].get("deletionTimestamp") != new["metadata"].get("deletionTimestamp")
    )


def _check(check: Json) -> CheckStatus:
    """Only Active=True counts as active (AC-404)."""
    conditions = (check.get("status") or {}).get("conditions") or ()
    active = any(condition["type"] == "Active" and condition["status"] == "True" for condition in conditions)
    spec = check.get("spec") or {}
    return CheckStatus(spec.get("controllerName") or "", active, spec.get("preemptionPolicy") or ANYTIME)


def _set(values: dict[str, Json], name: str, value: Json | None) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value
