"""What the status of queues and Cohorts says of fair sharing: the share of what they borrow (pure)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from ....base.json_types import Json
from ..amounts import UNLIMITED, Node, Quota, Tree, milli
from ..snapshot import Snapshot
from ..state import Contradiction, State

_LARGEST = 2**63 - 1
"""The share of what borrows with a weight of 0."""


def shares(state: State) -> Iterator[Contradiction]:
    """Yield ClusterQueues whose weighted share is another one than their usage makes (Q-272, Q-376)."""
    # What is held of a flavor that has left its queue is counted otherwise (C-03).
    if (
        not state.is_fair
        or state.has_lost_flavor
        or not state.holds("0.19")
        or not _has_cpu_alone(state.snapshot)
    ):
        return
    tree, before = Tree(state.snapshot), Tree(state.before)
    if tree.has_cycle() or not _has_same_quota(state):
        return
    for name, stored in sorted(state.snapshot.objects["ClusterQueue"].items()):
        node = tree.queues[name]
        # Kueue counts anew when the usage of the queue changes, and not when another quota of the tree does.
        if node.usage == before.queues[name].usage:
            continue
        observed = (stored.get("status") or {}).get("fairSharing", {}).get("weightedShare")
        expected = _share(tree, node, _weight(stored))
        if observed is not None and observed != expected:
            yield Contradiction(
                statement="shares",
                name=f"ClusterQueue {name}",
                expected=f"fairSharing.weightedShare is {expected} (Q-272)",
                observed=f"it is {observed}",
            )


def _has_same_quota(state: State) -> bool:
    """Tell whether all queues and Cohorts are those of the rest before, unchanged."""
    return all(
        state.before.objects[kind].keys() == state.snapshot.objects[kind].keys()
        and all(state.is_unchanged(kind, name) for name in state.snapshot.objects[kind])
        for kind in ("ClusterQueue", "Cohort")
    )


def _has_cpu_alone(snapshot: Snapshot) -> bool:
    """Tell whether CPU is the only resource with quota: of several the largest share counts."""
    return all(
        group["coveredResources"] == ["cpu"]
        for kind in ("ClusterQueue", "Cohort")
        for stored in snapshot.objects[kind].values()
        for group in stored["spec"].get("resourceGroups") or ()
    )


def _weight(stored: Json) -> Fraction:
    weight = (stored.get("spec", {}).get("fairSharing") or {}).get("weight", "1")
    return Fraction(milli(weight), 1000)


def _share(tree: Tree, node: Node, weight: Fraction) -> int:
    is_infinite, exact = _exact(tree, node, weight)
    return _LARGEST if is_infinite else ceil(exact)


def share_of(snapshot: Snapshot, tree: Tree, node: Node) -> tuple[bool, Fraction]:
    """Return the share of a ClusterQueue or Cohort as shares are compared: whether it borrows with a weight
    of 0, and the part of what its parent can lend that it borrows, in thousandths, by its weight.
    """
    kind = "ClusterQueue" if node.name in tree.queues else "Cohort"
    return _exact(tree, node, _weight(snapshot.get(kind, node.name)))


def _exact(tree: Tree, node: Node, weight: Fraction) -> tuple[bool, Fraction]:
    if not node.parent:
        return False, Fraction(0)
    parent = tree.cohorts[node.parent]
    flavors = {flavor for other in [*tree.queues.values(), *tree.cohorts.values()] for flavor in other.quotas}
    borrowed = sum(max(0, tree.usage(node, flavor) - tree.capacity(node, flavor)) for flavor in flavors)
    lendable = sum(_potential(tree, parent, flavor) for flavor in flavors)
    if not borrowed or not lendable:
        return False, Fraction(0)
    ratio = Fraction(borrowed * 1000, lendable)
    return (False, ratio / weight) if weight else (True, ratio)


def _potential(tree: Tree, node: Node, flavor: str) -> int:
    """Return the most that a node could have, where nothing is used."""
    capacity = tree.capacity(node, flavor)
    if not node.parent:
        return capacity
    quota = node.quotas.get(flavor, Quota())
    own = max(0, capacity - quota.lending_limit) if quota.lending_limit < UNLIMITED else 0
    most = own + _potential(tree, tree.cohorts[node.parent], flavor)
    return min(most, capacity + quota.borrowing_limit)
