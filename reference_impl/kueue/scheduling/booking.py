"""What one cycle has given away so far: reservations,
claims of preemptors, and their targets (Q-224, Q-227, Q-229).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from ..quota.cohort_trees import CohortTrees
from ..quota.resources import FlavorResource, Usage
from ..quota.tree import Node, fits_now
from .preemption.targets import PreemptionTarget, Preemptor


@dataclass(slots=True)
class Booking:
    """Books usage in a simulation of the quota tree;
    targets stay in it, as they hold their quota until they let go.
    """

    forest: CohortTrees
    preemptor: Preemptor
    _taken: dict[str, PreemptionTarget] = field(default_factory=dict)
    _claims: list[tuple[str, Usage]] = field(default_factory=list)
    _booked: defaultdict[Node, set[FlavorResource]] = field(default_factory=partial(defaultdict, set))
    _decided: set[Node] = field(default_factory=set)

    def overlaps_targets(self, targets: Sequence[PreemptionTarget]) -> bool:
        """Tell whether any target is one of another preemptor already (Q-227)."""
        return any(target.holding.workload.key in self._taken for target in targets)

    def victims(self) -> tuple[PreemptionTarget, ...]:
        """Return the targets of all preemptors so far."""
        return tuple(self._taken.values())

    def fits_without_targets(self, targets: Sequence[PreemptionTarget], node: Node, usage: Usage) -> bool:
        """Tell whether usage fits once these and all other targets are gone (Q-224)."""
        # All targets of the cycle at once: each entry counts on the ones before it
        # having theirs.
        with self.preemptor.without((*self._taken.values(), *targets)):
            return _fits(node, usage)

    def fits_beside_victims(self, node: Node, usage: Usage) -> bool:
        """Tell whether usage fits while the targets of this cycle still hold their quota.

        What a target holds beyond the claim made for it seems
        free to several heads at once, and is not (P-052).
        """
        if not self._claims:
            return True
        with self.forest.simulation():
            # Claims were booked as usage: without them only what the targets hold is
            # left.
            for name, claimed in self._claims:
                self.forest.remove(name, claimed)
            return _fits(node, usage)

    def is_shared(self, node: Node, usage: Usage) -> bool:
        """Tell whether an entry before it in the same tree had to do with any of these (Q-507)."""
        return not self._booked[self._tree(node)].isdisjoint(usage)

    def is_decided(self, node: Node) -> bool:
        """Tell whether quota was given, or a preemption decided, in the tree of a node (Q-507)."""
        return self._tree(node) in self._decided

    def keep(self, node: Node, usage: Usage) -> None:
        """Book capacity that is kept free."""
        self.forest.add(node.name, usage)
        self._booked[self._tree(node)].update(usage)

    def reserve(self, node: Node, usage: Usage) -> None:
        """Book a reservation."""
        self.keep(node, usage)
        # v0.6 gives one head of each tree quota in a cycle.
        self._decided.add(self._tree(node))

    def claim(self, node: Node, usage: Usage, targets: Sequence[PreemptionTarget]) -> None:
        """Book what a preemptor will use, and take its targets."""
        self.reserve(node, usage)
        self._claims.append((node.name, usage))
        self._taken |= {target.holding.workload.key: target for target in targets}

    def _tree(self, node: Node) -> Node:
        root = self.forest.root(node)
        assert root is not None, "heads below a cycle of cohorts are not nominated"
        return root


def _fits(node: Node, usage: Usage) -> bool:
    return all(value <= fits_now(node, fr) for fr, value in usage.items())
