"""Which ClusterQueue has to give next under fair sharing: from the root down, the child with the largest
share (KEP-1714, Q-272).

Shares are those of the tree as it stands, with what the preemptor asks for.
A caller that takes usage away calls `refresh`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

from ...quota.shares import share
from ...quota.tree import Node
from ..ranking import Ranking
from .candidates import Candidate
from .order import Leaving


class Offenders:
    """The queues that have candidates, as they come in turn."""

    def __init__(self, own: Node, candidates: Iterable[Candidate], leaving: Leaving) -> None:
        self._own = own
        self._path = frozenset(own.path())
        self._leaving = leaving
        self._waiting: defaultdict[Node, deque[Candidate]] = defaultdict(deque)
        self._children: defaultdict[Node, Ranking] = defaultdict(Ranking)
        for candidate in candidates:
            self._waiting[candidate.node].append(candidate)
        for queue in self._waiting:
            self.refresh(queue)

    @property
    def worst(self) -> Node | None:
        """The queue that has to give next, None when no candidate is left in a queue that borrows."""
        *_, node = self._own.path()
        while not node.is_queue:
            if not self._children[node]:
                return None
            node = self._children[node].first
        return node if self._waiting[node] else None

    def holds(self, queue: Node) -> bool:
        """Tell whether a queue has candidates left."""
        return bool(self._waiting[queue])

    def take(self, queue: Node) -> Candidate:
        """Take the next candidate of a queue."""
        return self._waiting[queue].popleft()

    def drop(self, queue: Node) -> None:
        """Leave a queue alone from now on."""
        self._waiting[queue].clear()

    def refresh(self, queue: Node) -> None:
        """Take note of what a queue uses, and has to offer, now."""
        for node in queue.path():
            if node.parent is None:
                return
            key = self._key(node)
            ranking = self._children[node.parent]
            if key is None:
                ranking.drop(node)
            else:
                ranking.put(node, key)

    def _key(self, node: Node) -> Any:
        """Return the place of a node among its siblings, None when it has nothing to give.

        The own queue and the cohorts above it stay although they borrow nothing: what they hold may be
        preempted by priority.
        """
        has_candidates = self._waiting[node] if node.is_queue else self._children[node]
        dominant_share = share(node)
        # A side that borrows nothing owes nothing, but the own path stays: inside of it
        # priority decides.
        if not has_candidates or (not dominant_share.ratio and node not in self._path):
            return None
        is_infinite, amount = dominant_share.degree
        return (not is_infinite, -amount, node.is_queue, self._tie(node))

    def _tie(self, node: Node) -> Any:
        """Order queues of equal shares by their next candidates; of cohorts the name decides."""
        if not node.is_queue:
            return ()
        holding = self._waiting[node][0].holding
        # Of equal shares the side whose victim is on its way out anyway; then others
        # before the own queue.
        return (not self._leaving(holding), node is self._own, holding.rank)
