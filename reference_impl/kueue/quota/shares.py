"""Dominant resource shares: how much of what its parent could lend a node has borrowed (Q-272, QC-12).

Shares are exact fractions. What a parent could lend follows from the form of the tree alone and is remembered
in the node until the tree changes; what is borrowed is read from usage as it stands, also in a simulation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final, NamedTuple

from ...api.quantity import NANO, quantity
from ...api.resource import Json
from .resources import FlavorResource
from .tree import DEFAULT_WEIGHT, Node, potential

# What is told of a node of weight 0 that borrows (QC-12).
INFINITE: Final = 2**63 - 1
THOUSANDTHS: Final = 1000
NONE: Final = Fraction(0)


class Degree(NamedTuple):
    """How shares compare: what borrows without weight has
    more than any other, and compares by what it borrowed.
    """

    is_infinite: bool
    amount: Fraction


@dataclass(frozen=True, slots=True)
class DominantResourceShare:
    """The share of a node: its largest ratio over all resources, in thousandths and before its weight."""

    ratio: Fraction = NONE
    weight: Fraction = DEFAULT_WEIGHT
    borrowed: frozenset[FlavorResource] = frozenset()
    """What the node borrows at all."""

    @property
    def degree(self) -> Degree:
        """By what it is compared: lower is admitted first, higher gives first."""
        if self.weight:
            return Degree(False, self.ratio / self.weight)
        # Kueue compares queues of weight 0 by what they borrow, after all others.
        return Degree(bool(self.borrowed), self.ratio)

    @property
    def weighted_share(self) -> int:
        """The whole number that statuses tell, rounded up (Q-376, QC-12)."""
        is_infinite, amount = self.degree
        return INFINITE if is_infinite else min(ceil(amount), INFINITE)

    def borrows(self, flavor_resources: Iterable[FlavorResource]) -> bool:
        """Tell whether any of this is borrowed."""
        return not self.borrowed.isdisjoint(flavor_resources)


def weight_of(spec: Json) -> Fraction:
    """Read `fairSharing.weight` of a ClusterQueue, Cohort or LocalQueue (AC-044)."""
    weight = (spec.get("fairSharing") or {}).get("weight")
    return DEFAULT_WEIGHT if weight is None else Fraction(quantity(weight).nano, NANO)


def share(node: Node) -> DominantResourceShare:
    """Compute the share of a node as its usage stands; a root cannot borrow."""
    if node.parent is None:
        return DominantResourceShare(weight=node.weight)
    over: dict[str, int] = {}
    borrowed = []
    for fr, total in node.subtree.items():
        # Borrowed is what exceeds the subtree's own quota, children's included.
        excess = node.usage_of(fr) - total
        if excess > 0:
            over[fr.resource] = over.get(fr.resource, 0) + excess
            borrowed.append(fr)
    ratio = NONE
    for resource, excess in over.items():
        available = lendable(node.parent, resource)
        # What no sibling could lend cannot be a part of anything.
        if available:
            ratio = max(ratio, Fraction(excess * THOUSANDTHS, available))
    return DominantResourceShare(ratio, node.weight, frozenset(borrowed))


def lendable(cohort: Node, resource: str) -> int:
    """Sum over all flavors what the nodes below a cohort could have of a resource if nothing was in use."""
    potential_total = cohort.lendable.get(resource)
    if potential_total is None:
        *_, root = cohort.path()
        potential_total = sum(potential(cohort, fr) for fr in root.subtree if fr.resource == resource)
        cohort.lendable[resource] = potential_total
    return potential_total
