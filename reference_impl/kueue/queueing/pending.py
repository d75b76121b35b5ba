"""A pending Workload in a queue: its requests and its place (Q-005…Q-010, Q-021)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import NamedTuple

from ...api.kinds import GROUP
from ...api.resource import Json
from ...api.semantic_equality import are_equal
from ...pods.amounts import amount
from ..quota.adjusting import BOTH_KINDS
from ..quota.requests import PodSetRequests, total_requests
from ..workload import conditions as c
from ..workload.view import Workload
from .last_assignment import LastAssignment

SHAPING = ("nodeSelector", "affinity", "tolerations", "runtimeClassName", "overhead", "resourceClaims")


class QueueRank(NamedTuple):
    """The order inside a ClusterQueue: smaller goes first (Q-021)."""

    is_behind_sticky: bool
    lower_priority: int
    since: float
    uid: str


@dataclass(frozen=True, slots=True, eq=False)
class PendingWorkload:
    """A Workload that waits for quota, with everything derived from it once."""

    workload: Workload
    rank: QueueRank
    requests: tuple[PodSetRequests, ...]
    scheduling_hash: str
    key: str
    """`namespace/name` (Q-002)."""
    local_queue: str
    """`namespace/queueName` (Q-002)."""
    last_assignment: LastAssignment | None = None
    """Flavors that the next cycle is to try first (Q-178)."""

    @classmethod
    def of(
        cls, workload: Workload, sent_back: frozenset[str], *, hashes_names: bool = True
    ) -> PendingWorkload:
        """Derive it from the current Workload; some evictions send it behind its equals. Without
        `hashes_names` the names of podSets make no difference (KV-47).
        """
        requests = total_requests(workload.object)
        rank = QueueRank(
            True, -workload.priority, queue_order(workload, sent_back), str(workload.metadata["uid"])
        )
        # Many Workloads share a shape and a LocalQueue: interned, each is there once.
        compared = requests if hashes_names else tuple(replace(item, name="") for item in requests)
        shape = intern(_scheduling_hash(workload, compared))
        local_queue = intern(f"{workload.namespace}/{workload.queue_name}")
        return cls(workload, rank, requests, shape, workload.key, local_queue)

    def with_last_assignment(self, scan: LastAssignment | None) -> PendingWorkload:
        """Return it with the record of a search for flavors."""
        return self if scan is self.last_assignment else replace(self, last_assignment=scan)

    def replacing(self, old: PendingWorkload) -> PendingWorkload:
        """Return it with the record of the copy that it replaces,
        which holds as long as both ask for the same (Q-037).
        """
        return (
            self.with_last_assignment(old.last_assignment)
            if old.scheduling_hash == self.scheduling_hash
            else self
        )


def queue_order(workload: Workload, sent_back: frozenset[str]) -> float:
    """The time by which it is ordered: creation,
    or the eviction that sends it behind its equals (Q-006, Q-007).
    """
    evicted = workload.condition(c.EVICTED)
    # A Workload whose pods were not ready in time goes behind its equals, or it would
    # be tried again at once, for ever.
    behind = evicted is not None and evicted["status"] == "True" and evicted["reason"] in sent_back
    return workload.since(c.EVICTED) if behind else workload.created


def _scheduling_hash(workload: Workload, requests: tuple[PodSetRequests, ...]) -> str:
    """A fingerprint that is equal only for Workloads that would be treated equally (Q-009)."""
    pod_sets = workload.spec.get("podSets") or ()
    requests_by_pod_set = [
        (
            requests_of_pod_set.name,
            requests_of_pod_set.count,
            sorted(requests_of_pod_set.requests.items()),
            pod_set.get("minCount"),
            [pod_set["template"]["spec"].get(field) for field in SHAPING],
            _shape_of_resources(pod_set["template"]["spec"]),
        )
        for requests_of_pod_set, pod_set in zip(requests, pod_sets, strict=True)
    ]
    # A string, because it is interned and hashed once.
    return repr((workload.priority, requests_by_pod_set))


def _shape_of_resources(pod: Json) -> Json:
    """Return what a pod and each of its containers request, and their ports: equal sums may be divided in
    several ways (Q-009).
    """
    return _requests(pod), [
        [(_requests(container), container.get("ports")) for container in pod.get(kind) or ()]
        for kind in BOTH_KINDS
    ]


def _requests(of: Json) -> Sequence[tuple[str, int]]:
    requests = (of.get("resources") or {}).get("requests") or {}
    return sorted((name, amount(name, quantity)) for name, quantity in requests.items())


def requeue_on_spec_change(old: PendingWorkload, new: PendingWorkload, evaluated: int | None) -> bool:
    """Tell whether a parked Workload changed in a way that makes looking again worthwhile (Q-032)."""
    before, after = old.workload, new.workload
    return (
        # The cycle may have seen an older spec than the one that is parked.
        (evaluated is not None and after.generation != evaluated)
        or not are_equal(before.spec, after.spec)
        or not are_equal(before.status.get("reclaimablePods"), after.status.get("reclaimablePods"))
        or any(before.condition(kind) != after.condition(kind) for kind in (c.EVICTED, c.REQUEUED))
    )


def requeue_on_check_change(old: PendingWorkload, new: PendingWorkload, evaluated: int | None) -> bool:
    """Tell the same, but a negative answer of a check that was taken back counts (C-01, corrected)."""
    unblocked = old.workload.checks.has_negative and not new.workload.checks.has_negative
    return bool(unblocked) or requeue_on_spec_change(old, new, evaluated)


RequeueOnChange = Callable[[PendingWorkload, PendingWorkload, int | None], bool]


def class_priority_key(workload: Workload) -> Json:
    """Return what others look again for: a priority counts
    only if it comes from a WorkloadPriorityClass (QC-05).
    """
    of_class = (workload.spec.get("priorityClassRef") or {}).get("group") == GROUP
    return workload.priority if of_class else None, workload.status.get("reclaimablePods")


def priority_key(workload: Workload) -> Json:
    """Return what others should look again for, wherever the priority comes from (QC-05, corrected)."""
    return workload.priority, workload.status.get("reclaimablePods")


PriorityKey = Callable[[Workload], Json]
