"""The ledger of quota: membership, usage and counters of
ClusterQueues and LocalQueues (Q-140…Q-144, Q-371…Q-378).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from sortedcontainers import SortedKeyList

from ..workload import conditions as c
from ..workload.view import Workload
from .cohort_trees import CohortTrees
from .requests import admitted_usage
from .resources import FlavorResource, ResourceGroups, Usage
from .tree import DEFAULT_WEIGHT


@dataclass(frozen=True, slots=True)
class QuotaHolding:
    """The quota one Workload holds."""

    workload: Workload
    cluster_queue: str
    local_queue: str
    usage: Usage
    is_admitted: bool
    has_ready_pods: bool
    priority: int
    is_evicted: bool
    awaits_victims: bool
    """Whether the reservation counts on victims that have not left (AC-440)."""
    rank: tuple[int, float, str]
    """The place among candidates for preemption: less important first, then the newer reservation, then the
    smaller UID (Q-262).
    """


class QueueUsage:
    """Counters of one queue: everything reserved, and of that the admitted part."""

    __slots__ = ("admitted", "admitted_usage", "reserved_usage", "reserving")

    def __init__(self) -> None:
        self.reserving = 0
        self.admitted = 0
        self.reserved_usage: defaultdict[FlavorResource, int] = defaultdict(int)
        self.admitted_usage: defaultdict[FlavorResource, int] = defaultdict(int)

    def book(self, holding: QuotaHolding, sign: int) -> None:
        """Count a holding in (+1) or out (−1)."""
        self.reserving += sign
        self.admitted += sign * holding.is_admitted
        for fr, value in holding.usage.items():
            self.reserved_usage[fr] += sign * value
            self.admitted_usage[fr] += sign * value * holding.is_admitted


ConsumedUsage = Callable[[QueueUsage], Usage]
"""What of a LocalQueue counts as used by admission fair sharing."""


def consumed_by_admitted(account: QueueUsage) -> Usage:
    """Count what admitted Workloads hold."""
    return account.admitted_usage


def consumed_by_reserved(account: QueueUsage) -> Usage:
    """Count what is reserved, admitted or not (KV-45)."""
    return account.reserved_usage


class UsageCache:
    """Keeps holdings, accounts and the quota forest in step; each change touches one path of the tree."""

    def __init__(self) -> None:
        self.cohort_trees = CohortTrees()
        self.holdings: dict[str, QuotaHolding] = {}
        self.awaiting: dict[str, QuotaHolding] = {}
        """The holdings that count on victims, the first one to do so first."""
        self.left_out: set[str] = set()
        """The holdings that are no candidates for preemption, while a simulation lasts."""
        self._of_queue: defaultdict[str, SortedKeyList[QuotaHolding]] = defaultdict(_by_rank)
        self._cluster_queues: defaultdict[str, QueueUsage] = defaultdict(QueueUsage)
        self._local_queues: defaultdict[tuple[str, str], QueueUsage] = defaultdict(QueueUsage)
        self._unready = 0

    def set_cluster_queue(
        self, name: str, cohort: str, groups: ResourceGroups, weight: Fraction = DEFAULT_WEIGHT
    ) -> None:
        """Create or change a ClusterQueue; Workloads that hold quota in a new one count from the start."""
        is_known = name in self.cohort_trees.queues
        self.cohort_trees.set_queue(name, cohort, groups.quotas, weight)
        if not is_known:
            # Workloads may hold quota of a ClusterQueue that was deleted and comes
            # back.
            for holding in self._of_queue[name]:
                self.cohort_trees.add(name, holding.usage)

    def remove_cluster_queue(self, name: str) -> None:
        """Forget a ClusterQueue's quota; its Workloads keep what they hold."""
        self.cohort_trees.remove_queue(name)

    def put(self, workload: Workload) -> None:
        """Count a Workload that holds quota, or forget one that does not."""
        new = _holding(workload) if workload.has_counted_quota and workload.admission else None
        old = self.holdings.get(workload.key)
        # Fast path: most updates of a Workload change nothing that is counted.
        if old is not None and new is not None and _booked(old) == _booked(new):
            self._of_queue[old.cluster_queue].remove(old)
            self._keep(new)
            if _standing(old) != _standing(new):
                # Priority or eviction changed: usage is the same, but not who may be
                # preempted.
                self.cohort_trees.touch(new.cluster_queue)
            return
        self.remove(workload.key)
        if new is not None:
            self._book(new, 1)
            self._keep(new)

    def remove(self, key: str) -> None:
        """Take back what a Workload holds, if it holds anything."""
        holding = self.holdings.pop(key, None)
        if holding is None:
            return
        self.awaiting.pop(key, None)
        self._of_queue[holding.cluster_queue].remove(holding)
        self._book(holding, -1)

    def holders(self, cluster_queue: str) -> Iterator[QuotaHolding]:
        """The holdings in a ClusterQueue in order of their ranks, but for those that are left out now."""
        holdings = self._of_queue[cluster_queue]
        # Fast path: outside of planning nothing is left out.
        if not self.left_out:
            return iter(holdings)
        return (holding for holding in holdings if holding.workload.key not in self.left_out)

    @contextmanager
    def leaving_out(self, keys: Iterable[str]) -> Iterator[None]:
        """Leave holdings out until the context ends, and forget what else was left out
        or taken in meanwhile.
        """
        before = set(self.left_out)
        self.left_out.update(keys)
        try:
            yield
        finally:
            self.left_out = before

    def of_cluster_queue(self, name: str) -> QueueUsage:
        """Counters of a ClusterQueue."""
        return self._cluster_queues[name]

    def of_local_queue(self, cluster_queue: str, local_queue: str) -> QueueUsage:
        """Counters of a LocalQueue (its key) in a ClusterQueue (Q-144)."""
        return self._local_queues[cluster_queue, local_queue]

    @property
    def are_all_pods_ready(self) -> bool:
        """Tell whether every admitted Workload has all its pods ready (Q-231)."""
        return self._unready == 0

    def _keep(self, holding: QuotaHolding) -> None:
        self.holdings[holding.workload.key] = holding
        self._of_queue[holding.cluster_queue].add(holding)
        self._await(holding)

    def _await(self, holding: QuotaHolding) -> None:
        if holding.awaits_victims:
            self.awaiting[holding.workload.key] = holding
        else:
            self.awaiting.pop(holding.workload.key, None)

    def _book(self, holding: QuotaHolding, sign: int) -> None:
        self._cluster_queues[holding.cluster_queue].book(holding, sign)
        self._local_queues[holding.cluster_queue, holding.local_queue].book(holding, sign)
        self._unready += sign * (holding.is_admitted and not holding.has_ready_pods)
        if holding.cluster_queue in self.cohort_trees.queues:
            change = self.cohort_trees.add if sign > 0 else self.cohort_trees.remove
            change(holding.cluster_queue, holding.usage)


def _by_rank() -> SortedKeyList[QuotaHolding]:
    """Keep holdings in the order in which they are tried
    for preemption, so that no search sorts them (P-041).
    """
    return SortedKeyList(key=attrgetter("rank"))


def _holding(workload: Workload) -> QuotaHolding:
    assert workload.admission is not None
    return QuotaHolding(
        workload=workload,
        cluster_queue=workload.admission["clusterQueue"],
        local_queue=f"{workload.namespace}/{workload.queue_name}",
        usage=admitted_usage(workload.object),
        is_admitted=workload.is_admitted,
        has_ready_pods=workload.is_true(c.PODS_READY),
        priority=workload.priority,
        is_evicted=workload.is_evicted,
        awaits_victims=workload.is_awaiting_victims and not workload.is_admitted,
        rank=(workload.priority, -workload.since(c.QUOTA_RESERVED), workload.uid),
    )


_booked = attrgetter("cluster_queue", "local_queue", "usage", "is_admitted", "has_ready_pods")
"""What is counted of a holding, and where."""
_standing = attrgetter("priority", "is_evicted", "awaits_victims")
"""What decides whether it may be preempted, and whether it has to wait."""
