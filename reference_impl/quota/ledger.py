"""Who holds which quota: membership, usage and counters of ClusterQueues and LocalQueues (Q-140…Q-144, Q-371…Q-378)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ..workload import conditions as c
from ..workload.view import Workload
from .forest import Forest
from .requests import admitted_usage
from .resources import FlavorResource, ResourceGroups, Usage


@dataclass(frozen=True, slots=True)
class Holding:
    """The quota one Workload holds."""

    workload: Workload
    cluster_queue: str
    local_queue: str
    usage: Usage
    admitted: bool
    pods_ready: bool


class Account:
    """Counters of one queue: everything reserved, and of that the admitted part."""

    __slots__ = ("admitted", "admitted_usage", "reserved_usage", "reserving")

    def __init__(self) -> None:
        self.reserving = 0
        self.admitted = 0
        self.reserved_usage: defaultdict[FlavorResource, int] = defaultdict(int)
        self.admitted_usage: defaultdict[FlavorResource, int] = defaultdict(int)

    def book(self, holding: Holding, sign: int) -> None:
        """Count a holding in (+1) or out (−1)."""
        self.reserving += sign
        self.admitted += sign * holding.admitted
        for fr, value in holding.usage.items():
            self.reserved_usage[fr] += sign * value
            self.admitted_usage[fr] += sign * value * holding.admitted


class Ledger:
    """Keeps holdings, accounts and the quota forest in step; each change touches one path of the tree."""

    def __init__(self) -> None:
        self.forest = Forest()
        self.holdings: dict[str, Holding] = {}
        self._of_queue: defaultdict[str, dict[str, Holding]] = defaultdict(dict)
        self._cluster_queues: defaultdict[str, Account] = defaultdict(Account)
        self._local_queues: defaultdict[tuple[str, str], Account] = defaultdict(Account)
        self._unready = 0

    def set_cluster_queue(self, name: str, cohort: str, groups: ResourceGroups) -> None:
        """Create or change a ClusterQueue; Workloads that hold quota in a new one count from the start."""
        known = name in self.forest.queues
        self.forest.set_queue(name, cohort, groups.quotas)
        if not known:
            for holding in self._of_queue[name].values():
                self.forest.add(name, holding.usage)

    def remove_cluster_queue(self, name: str) -> None:
        """Forget a ClusterQueue's quota; its Workloads keep what they hold."""
        self.forest.remove_queue(name)

    def put(self, workload: Workload) -> bool:
        """Count a Workload that holds quota, or forget one that does not; tell whether anything changed."""
        new = _holding(workload) if workload.holds_quota and workload.admission else None
        old = self.holdings.get(workload.key)
        if old is not None and new is not None and _alike(old, new):
            self.holdings[workload.key] = self._of_queue[new.cluster_queue][workload.key] = new
            return False
        removed = self.remove(workload.key)
        if new is not None:
            self._book(new, 1)
            self.holdings[workload.key] = self._of_queue[new.cluster_queue][workload.key] = new
        return removed or new is not None

    def remove(self, key: str) -> bool:
        """Take back what a Workload holds; tell whether it held anything."""
        holding = self.holdings.pop(key, None)
        if holding is None:
            return False
        del self._of_queue[holding.cluster_queue][key]
        self._book(holding, -1)
        return True

    def holders(self, cluster_queue: str) -> Iterator[Holding]:
        """The holdings in a ClusterQueue."""
        return iter(self._of_queue[cluster_queue].values())

    def of_cluster_queue(self, name: str) -> Account:
        """Counters of a ClusterQueue."""
        return self._cluster_queues[name]

    def of_local_queue(self, cluster_queue: str, local_queue: str) -> Account:
        """Counters of a LocalQueue (its key) in a ClusterQueue (Q-144)."""
        return self._local_queues[cluster_queue, local_queue]

    @property
    def all_ready(self) -> bool:
        """Tell whether every admitted Workload has all its pods ready (Q-231)."""
        return self._unready == 0

    def _book(self, holding: Holding, sign: int) -> None:
        self._cluster_queues[holding.cluster_queue].book(holding, sign)
        self._local_queues[holding.cluster_queue, holding.local_queue].book(holding, sign)
        self._unready += sign * (holding.admitted and not holding.pods_ready)
        if holding.cluster_queue in self.forest.queues:
            change = self.forest.add if sign > 0 else self.forest.remove
            change(holding.cluster_queue, holding.usage)


def _holding(workload: Workload) -> Holding:
    assert workload.admission is not None
    return Holding(
        workload=workload,
        cluster_queue=workload.admission["clusterQueue"],
        local_queue=f"{workload.namespace}/{workload.queue_name}",
        usage=admitted_usage(workload.object),
        admitted=workload.admitted,
        pods_ready=workload.is_true(c.PODS_READY),
    )


def _alike(one: Holding, other: Holding) -> bool:
    return (one.cluster_queue, one.local_queue, one.usage, one.admitted, one.pods_ready) == (
        other.cluster_queue, other.local_queue, other.usage, other.admitted, other.pods_ready,
    )  # fmt: skip
