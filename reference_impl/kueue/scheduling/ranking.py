"""The children of a cohort in an order that changes while it is read:
the first of them costs nothing to find.
"""

from __future__ import annotations

from typing import Any

from sortedcontainers import SortedList

from ..quota.tree import Node


class NodeRanking:
    """Nodes by a key, smallest first; of equal keys the smaller name goes first."""

    def __init__(self) -> None:
        self._order: SortedList[tuple[Any, str, bool, Node]] = SortedList()
        self._places: dict[Node, tuple[Any, str, bool, Node]] = {}

    def __bool__(self) -> bool:
        return bool(self._order)

    @property
    def first(self) -> Node:
        """The node with the smallest key. Raises IndexError when there is none."""
        node: Node = self._order[0][-1]
        return node

    def put(self, node: Node, key: Any) -> None:
        """Take a node in, or to its new place."""
        self.drop(node)
        rank = self._places[node] = (key, node.name, node.is_queue, node)
        self._order.add(rank)

    def drop(self, node: Node) -> None:
        """Let a node go, if it is here."""
        rank = self._places.pop(node, None)
        if rank is not None:
            self._order.remove(rank)
