"""The order of a ClusterQueue with admission fair sharing: what a LocalQueue has used comes before priority
(VIS-512b, VIS-964, Q-021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby

from sortedcontainers import SortedList

from .queue_order import QueueOrder, RankedWorkload, ranks, take

UsageOf = Callable[[str], float]
"""Returns what a LocalQueue (`namespace/name`) has used until now, by its weight; raises LookupError when
that cannot be told.
"""
Tiers = tuple[tuple[str, ...], ...]
"""LocalQueues of equal usage, those that used least first."""


class UsageOrder(QueueOrder):
    """Workloads in order of the usage of their LocalQueues, then by rank, so that the sticky one is the first
    of what has used as much (Q-021).

    Usage is asked once for each reading, so that an answer shows one moment. What is kept as Workloads come
    and go are the orders of LocalQueues, and one of each tier that has several of them.
    """

    def __init__(self, usage: UsageOf, generation: int = 0) -> None:
        super().__init__(generation)
        self._usage = usage
        self._tiers: Tiers = ()
        self._merged: dict[tuple[str, ...], SortedList[RankedWorkload]] = {}

    @property
    def generation(self) -> int:
        """A number that grows with every change, also with one of the order of LocalQueues."""
        self._arrange()
        return self._generation

    def add(self, standing: RankedWorkload) -> None:
        """Take in a Workload."""
        super().add(standing)
        for merged in self._merge_with(standing):
            merged.add(standing)

    def remove(self, standing: RankedWorkload) -> None:
        """Let a Workload go. Raises ValueError when it is not here."""
        super().remove(standing)
        for merged in self._merge_with(standing):
            take(merged, standing)

    def first(self) -> RankedWorkload | None:
        """Return what stands at position 0."""
        return next((tier[0] for tier in self._arrange()), None)

    def _slice(self, offset: int, limit: int) -> list[RankedWorkload]:
        shown: list[RankedWorkload] = []
        passed = 0
        for tier in self._arrange():
            if len(shown) >= limit:
                break
            begin = max(offset - passed, 0)
            shown += tier[begin : begin + limit - len(shown)]
            passed += len(tier)
        return shown

    def _positions(self, local_queue: str, shown: Sequence[RankedWorkload]) -> Iterable[int]:
        orders = self._arrange()
        at = next(index for index, names in enumerate(self._tiers) if local_queue in names)
        passed = sum(map(len, orders[:at]))
        return map(passed.__add__, ranks(orders[at], shown))

    def _before(self, shown: Sequence[RankedWorkload]) -> dict[str, int]:
        first = shown[0]
        tier = next(names for names in self._tiers if first.pending.local_queue in names)
        return {name: int(self._of[name].bisect_left(first)) for name in tier}

    def _arrange(self) -> list[SortedList[RankedWorkload]]:
        """Return the orders of the tiers of this moment, none of them empty."""
        tiers = tiers_of(self._of, self._usage)
        # Usage decays with time: the order may change without any event.
        if tiers != self._tiers:
            # 2#
            self._generation += 1
            self._tiers = tiers
            several = (names for names in tiers if 1 < len(names) < len(self._of))
            self._merged = {names: self._merged.get(names) or self._merge(names) for names in several}
        return [self._order_of(names) for names in tiers]

    def _order_of(self, names: tuple[str, ...]) -> SortedList[RankedWorkload]:
        if len(names) == 1:
            return self._of[names[0]]
        return self._all if len(names) == len(self._of) else self._merged[names]

    def _merge(self, names: tuple[str, ...]) -> SortedList[RankedWorkload]:
        return SortedList(chain.from_iterable(self._of[name] for name in names))

    def _merge_with(self, standing: RankedWorkload) -> Iterable[SortedList[RankedWorkload]]:
        return (merged for names, merged in self._merged.items() if standing.pending.local_queue in names)


def tiers_of(names: Iterable[str], usage: UsageOf) -> Tiers:
    """Put LocalQueues in order of usage; all are equal when the usage of one cannot be told (VIS-512b)."""
    sorted_names = sorted(names)
    try:
        used = {name: usage(name) for name in sorted_names}
    # A weight of zero, or a LocalQueue that is gone: then usage orders nothing, as in
    # Kueue (VIS-512b).
    except LookupError:
        return (tuple(sorted_names),)
    return tuple(
        tuple(tier) for _, tier in groupby(sorted(sorted_names, key=used.__getitem__), used.__getitem__)
    )
