"""The order of the pending Workloads of one ClusterQueue:
positions in it and in each LocalQueue (P-030, VIS-520…524).

Sorted lists are kept as Workloads come and go,
so that a page costs as much as it is long, wherever it begins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from sortedcontainers import SortedList

from ..workload.view import Workload
from .pending import PendingWorkload

# So many positions are looked up at once; for more of them the order is copied, which
# costs as much as the queue is long.
FEW = 1000


class RankedWorkload(NamedTuple):
    """A Workload at its rank; no two have one uid, so that what comes after it is not compared."""

    is_behind_sticky: bool
    lower_priority: int
    since: float
    uid: str
    pending: PendingWorkload


class PositionedWorkload(NamedTuple):
    """A Workload that waits, and both of its positions, from 0."""

    workload: Workload
    in_cluster_queue: int
    in_local_queue: int


class Order:
    """Workloads in order of their ranks."""

    def __init__(self) -> None:
        self._all: SortedList[RankedWorkload] = SortedList()

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[RankedWorkload]:
        return iter(self._all)

    def __contains__(self, standing: RankedWorkload) -> bool:
        return _is_first(self._all, standing) or standing in self._all

    def add(self, standing: RankedWorkload) -> None:
        """Add a Workload."""
        self._all.add(standing)

    def remove(self, standing: RankedWorkload) -> None:
        """Remove a Workload. Raises ValueError when it is not in the order."""
        take(self._all, standing)

    def first(self) -> RankedWorkload | None:
        """Return what stands at position 0."""
        return self._all[0] if self._all else None


class QueueOrder(Order):
    """The positions of pending Workloads in a ClusterQueue and in each of its LocalQueues."""

    def __init__(self, generation: int = 0) -> None:
        super().__init__()
        self._of: dict[str, SortedList[RankedWorkload]] = {}
        self._generation = generation

    @property
    def generation(self) -> int:
        """A number that grows with every change."""
        return self._generation

    def length(self, local_queue: str) -> int:
        """Return how many wait in a LocalQueue (`namespace/name`)."""
        return len(self._of.get(local_queue, ()))

    def add(self, standing: RankedWorkload) -> None:
        """Add a Workload."""
        self._generation += 1
        self._all.add(standing)
        self._of.setdefault(standing.pending.local_queue, SortedList()).add(standing)

    def remove(self, standing: RankedWorkload) -> None:
        """Remove a Workload. Raises ValueError when it is not in the order."""
        self._generation += 1
        take(self._all, standing)
        own = self._of[standing.pending.local_queue]
        take(own, standing)
        if not own:
            del self._of[standing.pending.local_queue]

    def place(self, standing: RankedWorkload) -> PositionedWorkload:
        """Return a Workload of the order with its positions."""
        local_queue = standing.pending.local_queue
        (position,) = self._positions(local_queue, [standing])
        return PositionedWorkload(
            standing.pending.workload, position, self._of[local_queue].bisect_left(standing)
        )

    def page(self, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        """Return up to `limit` Workloads of the ClusterQueue from
        position `offset` on, as they stand at this moment.
        """
        shown = self._slice(offset, limit)
        return _count(shown, offset, self._before(shown) if offset and shown else {})

    def page_of(self, local_queue: str, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        """Return up to `limit` Workloads of a LocalQueue from
        its position `offset` on, as they stand at this moment.
        """
        own = self._of.get(local_queue)
        shown = [] if own is None else own[offset : offset + limit]
        positions = self._positions(local_queue, shown) if shown else ()
        return map(PositionedWorkload, (entry.pending.workload for entry in shown), positions, count(offset))

    def _slice(self, offset: int, limit: int) -> list[RankedWorkload]:
        shown: list[RankedWorkload] = self._all[offset : offset + limit]
        return shown

    def _positions(self, local_queue: str, shown: Sequence[RankedWorkload]) -> Iterable[int]:
        """Return the current positions in the ClusterQueue of the Workloads of a LocalQueue."""
        del local_queue
        return ranks(self._all, shown)

    def _before(self, shown: Sequence[RankedWorkload]) -> dict[str, int]:
        """Count for each LocalQueue that is shown how many of its Workloads stand before."""
        names = {entry.pending.local_queue for entry in shown}
        return {name: int(self._of[name].bisect_left(shown[0])) for name in names}


def take(order: SortedList[RankedWorkload], standing: RankedWorkload) -> None:
    """Let a Workload go.

    Raises ValueError when it is not here.
    """
    # A cycle takes the first: no search.
    if _is_first(order, standing):
        del order[0]
    else:
        order.remove(standing)


def _is_first(order: SortedList[RankedWorkload], standing: RankedWorkload) -> bool:
    return bool(order) and order[0] is standing


def ranks(order: SortedList[RankedWorkload], shown: Sequence[RankedWorkload]) -> Iterable[int]:
    """Return at which indexes of an order Workloads stand at this moment."""
    # Fast path: a lookup costs O(log n). For a large page one copy of the whole order
    # is cheaper.
    if len(shown) <= FEW:
        return [order.bisect_left(key) for key in shown]
    return map(partial(bisect_left, list(order)), shown)


def _count(
    shown: Sequence[RankedWorkload], offset: int, counts: dict[str, int]
) -> Iterator[PositionedWorkload]:
    for position, (_, _, _, _, pending) in enumerate(shown, offset):
        local = counts.get(pending.local_queue, 0)
        counts[pending.local_queue] = local + 1
        yield PositionedWorkload(pending.workload, position, local)
