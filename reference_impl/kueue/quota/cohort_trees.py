"""All quota trees together: queues and cohorts come, move and go;
usage is added, taken back, or only tried (Q-130…Q-132).

A structural change recomputes the trees it touches. A change of usage follows one path, and `simulation`
undoes what was tried from a journal (P-038). Every real change gives the root a new `version`, by which a
blocked head knows whether looking again makes sense (P-036).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from . import tree
from .resources import FlavorResource, Quota, Usage
from .tree import DEFAULT_WEIGHT, Node, leaves

Change = Callable[[Node, FlavorResource, int], None]


class CohortTrees:
    """The cohort trees of a cluster; a ClusterQueue without cohort is a tree of its own."""

    def __init__(self) -> None:
        self.queues: dict[str, Node] = {}
        self.cohorts: dict[str, Node] = {}
        self._versions = itertools.count(1)
        self._journal: defaultdict[Node, dict[FlavorResource, int]] | None = None
        """What a simulation has added to the usage of each queue in all; what it took away is negative."""

    def set_queue(
        self,
        name: str,
        cohort: str,
        quotas: Mapping[FlavorResource, Quota],
        weight: Fraction = DEFAULT_WEIGHT,
    ) -> None:
        """Create or change a ClusterQueue; its usage stays (Q-132)."""
        node = self.queues.setdefault(name, Node(name, is_queue=True))
        node.weight = weight
        self._place(node, cohort, quotas)

    def remove_queue(self, name: str) -> None:
        """Forget a ClusterQueue with its quota and usage."""
        node = self.queues.pop(name, None)
        if node is not None:
            self._detach(node)

    def set_cohort(
        self,
        name: str,
        parent: str,
        quotas: Mapping[FlavorResource, Quota],
        weight: Fraction = DEFAULT_WEIGHT,
    ) -> None:
        """Create or change a cohort that has an object of its own."""
        node = self._cohort(name)
        node.weight = weight
        node.explicit = True
        self._place(node, parent, quotas)

    def remove_cohort(self, name: str) -> None:
        """Make a cohort implicit: children stay below it, its quota and its parent are gone (Q-130).

        Without a parent its weight counts for nothing.
        """
        node = self.cohorts[name]
        node.explicit = False
        self._place(node, "", {})
        self._forget_if_unused(node)

    def root(self, node: Node) -> Node | None:
        """Return the root of a node's tree, None when its cohorts form a cycle (Q-131)."""
        # A path longer than there are cohorts comes round again. Counting needs no set
        # of visited nodes for each of the many calls.
        steps, most = 0, len(self.cohorts)
        while node.parent is not None:
            if steps > most:
                return None
            node, steps = node.parent, steps + 1
        return node

    def members(self, name: str) -> tuple[str, ...]:
        """Name all ClusterQueues in the tree of one; none when its cohorts form a cycle (Q-050)."""
        node = self.queues.get(name)
        root = self.root(node) if node else None
        return tuple(leaf.name for leaf in leaves(root)) if root else ()

    def is_in_circle(self, name: str) -> bool:
        """Tell whether the cohorts above a ClusterQueue form a circle (Q-131)."""
        node = self.queues.get(name)
        return node is not None and self.root(node) is None

    def has_cohort_object(self, name: str) -> bool:
        """Tell whether a cohort above a ClusterQueue,
        but not the root, has an object of its own; not in a cycle.
        """
        node = self.queues[name]
        return self.root(node) is not None and any(
            step.explicit and step.parent is not None for step in node.path() if step is not node
        )

    def cohort_members(self, name: str) -> tuple[str, ...]:
        """Name all ClusterQueues in the tree that a cohort belongs to."""
        node = self.cohorts.get(name)
        root = self.root(node) if node else None
        return tuple(leaf.name for leaf in leaves(root)) if root else ()

    def touch(self, name: str) -> None:
        """Declare that something other than usage changed for
        a ClusterQueue's tree (a flavor, a check, a policy).
        """
        node = self.queues.get(name)
        if node is not None:
            self._stamp(node)

    def add(self, name: str, usage: Usage) -> None:
        """Add usage to a ClusterQueue."""
        self._apply(tree.add, 1, name, usage)

    def remove(self, name: str, usage: Usage) -> None:
        """Take usage back from a ClusterQueue."""
        self._apply(tree.remove, -1, name, usage)

    @contextmanager
    def simulation(self) -> Iterator[None]:
        """Undo on exit every change of usage made inside; simulations nest (Q-202, P-038).

        What a path of the tree uses does not depend on the
        order in which usage came and went: the sum is undone.
        """
        outer, self._journal = self._journal, defaultdict(dict)
        try:
            yield
        finally:
            for node, tried in self._journal.items():
                for fr, value in tried.items():
                    self._undo(node, fr, value)
            self._journal = outer

    def _apply(self, change: Change, sign: int, name: str, usage: Usage) -> None:
        node, root = self.queues[name], self.root(self.queues[name])
        if root is None:
            change = _on_leaf(sign)
        for fr, value in usage.items():
            change(node, fr, value)
        if self._journal is not None:
            tried = self._journal[node]
            for fr, value in usage.items():
                # The sum is enough: usage of a path does not depend on the order in
                # which it came and went.
                tried[fr] = tried.get(fr, 0) + sign * value
            return
        # Only what makes room: a record of tried flavors stays valid when quota gets
        # scarcer.
        node.generation += sign < 0
        if root is not None:
            root.version = next(self._versions)

    def _undo(self, node: Node, fr: FlavorResource, value: int) -> None:
        if self.root(node) is None:
            _on_leaf(-1)(node, fr, value)
        elif value > 0:
            tree.remove(node, fr, value)
        else:
            tree.add(node, fr, -value)

    def _stamp(self, node: Node) -> None:
        root = self.root(node)
        if root is not None:
            root.version = next(self._versions)

    def _cohort(self, name: str) -> Node:
        return self.cohorts.setdefault(name, Node(name, is_queue=False))

    def _place(self, node: Node, parent: str, quotas: Mapping[FlavorResource, Quota]) -> None:
        self._detach(node)
        node.quotas = quotas
        if parent:
            # A cohort that is only named exists without an object.
            node.parent = self._cohort(parent)
            node.parent.children[_child_key(node)] = node
        self._recompute(node)

    def _detach(self, node: Node) -> None:
        parent, node.parent = node.parent, None
        if parent is None:
            return
        del parent.children[_child_key(node)]
        self._recompute(parent)
        self._forget_if_unused(parent)

    def _forget_if_unused(self, cohort: Node) -> None:
        if not cohort.explicit and not cohort.children:
            self.cohorts.pop(cohort.name, None)

    def _recompute(self, node: Node) -> None:
        root = self.root(node)
        if root is not None:
            _recompute(root)
            root.version = next(self._versions)


def _child_key(node: Node) -> tuple[bool, str]:
    return node.is_queue, node.name


def _on_leaf(sign: int) -> Change:
    """Change the leaf alone: in a cycle there is no root to rise to, the rest is derived
    once it is broken.
    """

    def change(node: Node, fr: FlavorResource, value: int) -> None:
        node.usage[fr] = node.usage_of(fr) + sign * value

    return change


def _recompute(node: Node) -> None:
    """Derive S and U of a subtree from the leaves up (Q-120, Q-122)."""
    subtree = {fr: quota.nominal for fr, quota in node.quotas.items()}
    usage = dict(node.usage) if node.is_queue else {}
    for child in node.children.values():
        _recompute(child)
        for fr in child.subtree.keys() | child.usage.keys():
            guaranteed_amount = tree.guaranteed_quota(child, fr)
            subtree[fr] = subtree.get(fr, 0) + child.total(fr) - guaranteed_amount
            usage[fr] = usage.get(fr, 0) + max(0, child.usage_of(fr) - guaranteed_amount)
    node.subtree, node.usage, node.lendable = subtree, usage, {}
    node.generation += 1
