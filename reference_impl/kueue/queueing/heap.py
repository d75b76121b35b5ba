"""The Workloads that will be tried, in groups of equals; a group is put aside, and taken back, in one step
(P-031, P-042, Q-045).

Workloads of one group have one shape and one LocalQueue, and none of them waits for a time: what holds of one
holds of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import merge

from .pending import PendingWorkload
from .queue_order import Order, RankedWorkload

Kin = tuple[str, str]
"""The LocalQueue of a group and, of a Workload whose tries are delayed, its own key: such a one is alone."""


class Heap:
    """Groups that will be tried, and groups that were put aside because an equal Workload did not fit."""

    def __init__(self) -> None:
        self._firsts = Order()
        self._groups: dict[str, dict[Kin, Order]] = {}
        self._shelves: dict[str, dict[Kin, Order]] = {}
        self.shelved = 0
        """How many Workloads were put aside."""

    def __iter__(self) -> Iterator[RankedWorkload]:
        return merge(*(group for groups in self._groups.values() for group in groups.values()))

    def order_by(self, firsts: Order) -> None:
        """Let another order decide which group is next."""
        for first in self._firsts:
            firsts.add(first)
        self._firsts = firsts

    def first(self) -> RankedWorkload | None:
        """Return what will be tried next."""
        return self._firsts.first()

    def is_shelved(self, standing: RankedWorkload) -> bool:
        """Tell whether a Workload that is here was put aside."""
        shape, kin = _group_of(standing.pending)
        group = self._shelves.get(shape, {}).get(kin)
        return group is not None and standing in group

    def add(self, standing: RankedWorkload, *, aside: bool) -> None:
        """Take in a Workload, to be tried or put aside."""
        shape, kin = _group_of(standing.pending)
        if aside:
            self._shelves.setdefault(shape, {}).setdefault(kin, Order()).add(standing)
            self.shelved += 1
        else:
            group = self._groups.setdefault(shape, {}).setdefault(kin, Order())
            before = group.first()
            group.add(standing)
            self._replace(before, group.first())

    def remove(self, standing: RankedWorkload) -> None:
        """Let a Workload go that is here."""
        shape, kin = _group_of(standing.pending)
        aside = self.is_shelved(standing)
        shelf = self._shelves if aside else self._groups
        group = shelf[shape][kin]
        before = group.first()
        group.remove(standing)
        if not group:
            _forget(shelf, shape, kin)
        if aside:
            self.shelved -= 1
        else:
            self._replace(before, group.first())

    def shelve(self, shape: str) -> None:
        """Put all Workloads of a shape aside."""
        for kin, group in self._groups.pop(shape, {}).items():
            self._replace(group.first(), None)
            self.shelved += len(group)
            _unite(self._shelves.setdefault(shape, {}), kin, group)

    def unshelve(self, admits: Callable[[PendingWorkload], bool]) -> None:
        """Take back the groups whose Workloads may be tried again."""
        for shape in [*self._shelves]:
            for kin, group in [*self._shelves[shape].items()]:
                first = group.first()
                if first is None or not admits(first.pending):
                    continue
                _forget(self._shelves, shape, kin)
                self.shelved -= len(group)
                groups = self._groups.setdefault(shape, {})
                before = groups[kin].first() if kin in groups else None
                self._replace(before, _unite(groups, kin, group).first())

    def _replace(self, before: RankedWorkload | None, after: RankedWorkload | None) -> None:
        if before is after:
            return
        if before is not None:
            self._firsts.remove(before)
        if after is not None:
            self._firsts.add(after)


def _group_of(pending: PendingWorkload) -> tuple[str, Kin]:
    workload = pending.workload
    # What waits for a time is alone in its group: equals may be tried earlier.
    delayed = bool(workload.requeue_reason) or workload.requeue_at is not None
    return pending.scheduling_hash, (pending.local_queue, pending.key if delayed else "")


def _unite(groups: dict[Kin, Order], kin: Kin, group: Order) -> Order:
    """Put a group to those of its kin, the smaller one into the larger one."""
    # The smaller into the larger: each Workload moves at most log n times.
    smaller, larger = sorted((groups.get(kin, Order()), group), key=len)
    for shape in smaller:
        larger.add(shape)
    groups[kin] = larger
    return larger


def _forget(orders: dict[str, dict[Kin, Order]], shape: str, kin: Kin) -> None:
    del orders[shape][kin]
    if not orders[shape]:
        del orders[shape]
