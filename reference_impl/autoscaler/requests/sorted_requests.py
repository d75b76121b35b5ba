"""Requests in an order that is kept as they come, change and go: nothing is sorted anew."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from .request import Order, ProvisioningRequest

Rank = tuple[float, Order]
"""A number, and among requests of one number their own order."""
_RANK: Final = itemgetter(0)


class SortedRequests:
    """Requests by their ranks, of which each has one at a time."""

    def __init__(self) -> None:
        self._entries: list[tuple[Rank, ProvisioningRequest]] = []
        self._ranks: dict[ProvisioningRequest, Rank] = {}

    def add(self, request: ProvisioningRequest, number: float = 0.0) -> None:
        """Add one under a number."""
        rank = self._ranks[request] = number, request.order
        insort(self._entries, (rank, request), key=_RANK)

    def remove(self, request: ProvisioningRequest | None) -> None:
        """Take one away, if it is there."""
        rank = None if request is None else self._ranks.pop(request, None)
        if rank is not None:
            del self._entries[bisect_left(self._entries, rank, key=_RANK)]

    def all(self) -> Sequence[ProvisioningRequest]:
        """Return all of them."""
        return [request for _, request in self._entries]

    def below(self, number: float) -> Sequence[ProvisioningRequest]:
        """Return those with smaller numbers, in their own order."""
        count = bisect_left(self._entries, number, key=_number)
        return [request for _, request in sorted(self._entries[:count], key=_own_order)] if count else ()


def _number(entry: tuple[Rank, ProvisioningRequest]) -> float:
    return entry[0][0]


def _own_order(entry: tuple[Rank, ProvisioningRequest]) -> Order:
    return entry[0][1]
