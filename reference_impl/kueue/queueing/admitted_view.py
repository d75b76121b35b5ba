"""What others may read of the quota that is held: which Workloads hold it, in the order in which they
reserved it (VIS-904…908).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ..quota.usage_cache import QuotaHolding, UsageCache
from ..workload import conditions as c
from .queues import Queues
from .view import Exists, PendingQueue, PositionedWorkload


class AdmittedView:
    """Reads the ledger; `exists` knows a LocalQueue (`namespace/name`) that is stopped and holds nothing.

    No release of Kueue has this view, and it is off by default:
    it sorts what one ClusterQueue holds for each page.
    """

    def __init__(self, ledger: UsageCache, queues: Queues, exists: Exists) -> None:
        self._ledger = ledger
        self._queues = queues
        self._exists = exists

    def cluster_queue(self, name: str) -> PendingQueue | None:
        """Return a ClusterQueue, None when it is not known."""
        cluster_queue = self._queues.cluster_queues.get(name)
        return None if cluster_queue is None else _Held(self._place_all(name), cluster_queue.order.generation)

    def local_queue(self, namespace: str, name: str) -> PendingQueue | None:
        """Return a LocalQueue that exists or whose Workloads hold quota, None for any other (VIS-908)."""
        key = f"{namespace}/{name}"
        names = sorted(
            {
                holding.cluster_queue
                for holding in self._ledger.holdings.values()
                if holding.local_queue == key
            }
        )
        if not names and not self._exists(key):
            return None
        of_key = [
            workload
            for queue in names
            for workload in self._place_all(queue)
            if _local_queue(workload) == key
        ]
        lines = (
            self._queues.cluster_queues[queue].order
            for queue in names
            if queue in self._queues.cluster_queues
        )
        return _Held(of_key, max((line.generation for line in lines), default=0))

    def _place_all(self, cluster_queue: str) -> list[PositionedWorkload]:
        """Return all that holds quota in a ClusterQueue, with positions."""
        counts: dict[str, int] = {}
        pages = []
        # Sorted for each page: an extension that is off by default needs no order of
        # its own.
        for position, holding in enumerate(sorted(self._in(cluster_queue), key=_age)):
            local = counts.get(holding.local_queue, 0)
            counts[holding.local_queue] = local + 1
            pages.append(PositionedWorkload(holding.workload, position, local))
        return pages

    def _in(self, cluster_queue: str) -> Iterable[QuotaHolding]:
        return (
            holding for holding in self._ledger.holdings.values() if holding.cluster_queue == cluster_queue
        )


class _Held:
    def __init__(self, placed: list[PositionedWorkload], generation: int) -> None:
        self._placed = placed
        self.generation = generation

    def __len__(self) -> int:
        return len(self._placed)

    def page(self, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        return islice(self._placed, offset, offset + limit)

    def find(self, key: str) -> PositionedWorkload | None:
        return next((workload for workload in self._placed if workload.workload.key == key), None)


def _age(holding: QuotaHolding) -> tuple[float, str]:
    return holding.workload.since(c.QUOTA_RESERVED), holding.workload.uid


def _local_queue(workload: PositionedWorkload) -> str:
    return f"{workload.workload.namespace}/{workload.workload.queue_name}"
