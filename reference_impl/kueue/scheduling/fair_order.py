"""The order in which fair sharing processes the entries of a cycle: a tournament of shares (Q-221)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from ..quota.cohort_trees import CohortTrees
from ..quota.resources import Usage
from ..quota.shares import Degree, share
from ..quota.tree import Node
from .ranking import NodeRanking


class Contender(Protocol):
    """What an order has to know of an entry."""

    @property
    def cluster_queue(self) -> str:
        """The name of its ClusterQueue."""

    @property
    def usage(self) -> Usage:
        """What it would use."""

    @property
    def sort_key(self) -> tuple[int, int, float, str]:
        """Its place without fair sharing: how far it borrows, then importance, age and UID."""


T = TypeVar("T", bound=Contender)


class FairOrder:
    """Yields from every tree the entry whose side would have
    the smallest share with it, level by level (Q-221, Q-272).
    """

    def __init__(self, forest: CohortTrees) -> None:
        self._forest = forest

    def __call__(self, entries: Iterable[T]) -> Iterator[T]:
        """Play one tournament a tree; trees do not compete."""
        trees: defaultdict[Node, list[T]] = defaultdict(list)
        # Sorted first, so that trees come in the order of their first entries, in every
        # run the same.
        for entry in sorted(entries, key=lambda entry: entry.sort_key):
            *_, root = self._forest.queues[entry.cluster_queue].path()
            trees[root].append(entry)
        for root, members in trees.items():
            yield from Tournament(self._forest, root, members)


class Tournament(Generic[T]):
    """The entries of one tree, at most one of each ClusterQueue (Q-038).

    Each node sends its best one to the next level, with the share the node would have.
    """

    def __init__(self, forest: CohortTrees, root: Node, entries: Sequence[T]) -> None:
        self._forest = forest
        self._root = root
        self._waiting = {forest.queues[entry.cluster_queue]: entry for entry in entries}
        self._children: defaultdict[Node, NodeRanking] = defaultdict(NodeRanking)
        for queue in self._waiting:
            self._refresh(queue)

    def __iter__(self) -> Iterator[T]:
        while (entry := self._best(self._root)) is not None:
            queue = self._forest.queues[entry.cluster_queue]
            del self._waiting[queue]
            # The consumer processes the entry before the next one is chosen: its usage
            # counts in the next round.
            yield entry
            # Whatever became of it changed usage on its path only.
            self._refresh(queue)

    def _best(self, node: Node) -> T | None:
        """Return the entry that a node sends to the next level, None when none is left."""
        while not node.is_queue:
            if not self._children[node]:
                return None
            node = self._children[node].first
        return self._waiting.get(node)

    def _refresh(self, queue: Node) -> None:
        for node in queue.path():
            if node.parent is None:
                return
            best, ranking = self._best(node), self._children[node.parent]
            if best is None:
                ranking.drop(node)
            else:
                ranking.put(node, self._key(node, best))

    def _key(self, node: Node, entry: T) -> tuple[bool, Degree, tuple[int, float, str]]:
        """Return the place of a node with an entry:
        not borrowing what it asks for, a small share, importance, age.
        """
        with self._forest.simulation():
            self._forest.add(entry.cluster_queue, entry.usage)
            dominant_share = share(node)
        flavor_resources = [fr for fr, value in entry.usage.items() if value > 0]
        return (dominant_share.borrows(flavor_resources), dominant_share.degree, entry.sort_key[1:])
