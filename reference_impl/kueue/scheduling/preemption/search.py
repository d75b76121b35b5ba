"""The search for a minimal set of targets: remove until it fits,
then put back what is not needed (Q-266…Q-270).

Removals happen on the quota tree itself, inside of a simulation that undoes them. What a node may take
changes by no more than what any queue gives back or takes: as long as too little has changed it is known
without a look at the tree whether the claim fits (Q-268).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...quota.cohort_trees import CohortTrees
from ...quota.resources import FlavorResource, Usage
from ...quota.tree import Node, available
from .candidates import Candidate, Candidates, PreemptionClaim, PreemptionVariant, within_nominal

Room = dict[FlavorResource, int]
"""How much more there is than a claim needs; negative where it is too little."""


def room(claim: PreemptionClaim, *, borrowing: bool) -> Room:
    """Compare what the node may take now, without borrowing if that is not allowed, with the whole claim."""
    node = claim.node
    room_by_flavor = {fr: available(node, fr) - value for fr, value in claim.usage.items()}
    if not borrowing:
        for fr, value in claim.usage.items():
            room_by_flavor[fr] = min(room_by_flavor[fr], node.total(fr) - node.usage_of(fr) - value)
    return room_by_flavor


class Shortage:
    """The resources that a claim lacks, while usage is taken away."""

    def __init__(self, look: Callable[[], Room]) -> None:
        self._look = look
        self._lacking: Room = {}

    def is_over_without(self, usage: Usage) -> bool:
        """Tell whether the claim fits once this usage is gone as well, which the tree shows already."""
        lacking = self._lacking
        for fr, value in lacking.items():
            lacking[fr] = value - usage.get(fr, 0)
        # Fast path: as long as a resource lacks more than was removed, the tree need
        # not be asked.
        for value in lacking.values():
            if value > 0:
                return False
        return self._is_over()

    def _is_over(self) -> bool:
        self._lacking = {fr: -missing for fr, missing in self._look().items() if missing < 0}
        return not self._lacking


class FillBack:
    """What still fits beside a claim, while usage that was taken away is put back."""

    def __init__(self, look: Callable[[], Room]) -> None:
        self._look = look
        self._room = look()
        self._refused: set[tuple[Node, tuple[tuple[FlavorResource, int], ...]]] = set()

    def is_refused(self, node: Node, usage: Usage) -> bool:
        """Tell whether as much of the same queue did not fit before."""
        return (node, tuple(usage.items())) in self._refused

    def fits_with(self, node: Node, usage: Usage) -> bool:
        """Tell whether the claim fits beside this usage as well, which the tree shows already."""
        remaining = {fr: value - usage.get(fr, 0) for fr, value in self._room.items()}
        if any(value < 0 for value in remaining.values()):
            remaining = self._look()
        if any(value < 0 for value in remaining.values()):
            self._refused.add((node, tuple(usage.items())))
            return False
        self._room = remaining
        return True


def search(
    claim: PreemptionClaim, candidates: Candidates, in_order: Sequence[Candidate], forest: CohortTrees
) -> list[Candidate]:
    """Return the candidates that have to go, none when the claim does not fit without all of them either."""
    for borrowing in attempts(claim, candidates):
        with forest.simulation():
            removed = _remove_until_fit(claim, in_order, forest, borrowing=borrowing)
            if removed:
                return fill_back(claim, removed, forest, borrowing=borrowing)
    return []


def attempts(claim: PreemptionClaim, candidates: Candidates) -> tuple[bool, ...]:
    """Say whether borrowing is allowed, attempt by attempt (Q-266)."""
    forbidden = claim.spec.preemption.borrow_within_cohort == "Never"
    node = claim.node
    under_nominal = all(node.usage_of(fr) < node.quota(fr).nominal for fr in claim.short_of)
    # Only the own queue gives: borrowing changes nothing for it. Or the queue borrows
    # already, and may not borrow over others.
    if not candidates.others or (forbidden and not under_nominal):
        return (True,)
    if forbidden and not candidates.hierarchical:
        # Kueue tries without borrowing first when nobody has a hierarchical advantage:
        # fewer victims of others.
        return (False, True)
    return (True, False)


def is_allowed(candidate: Candidate, claim: PreemptionClaim, *, borrowing: bool) -> bool:
    """Tell whether a candidate may go as the tree is now (Q-267)."""
    if candidate.node is claim.node:
        return True
    if borrowing and candidate.variant is PreemptionVariant.WITHOUT_BORROWING:
        return False
    node: Node | None = candidate.node
    while node is not None and node is not candidate.found_at:
        # A queue that uses no more than its own cannot be reclaimed from; removals
        # before this one may have brought it there.
        if within_nominal(node, claim.short_of):
            return False
        node = node.parent
    return True


def _remove_until_fit(
    claim: PreemptionClaim, in_order: Sequence[Candidate], forest: CohortTrees, *, borrowing: bool
) -> list[Candidate]:
    """Remove candidates until the claim fits; none when it never does."""
    removed = []
    shortage = Shortage(partial(room, claim, borrowing=borrowing))
    for candidate in in_order:
        if is_allowed(candidate, claim, borrowing=borrowing):
            usage = candidate.holding.usage
            forest.remove(candidate.node.name, usage)
            removed.append(candidate)
            if shortage.is_over_without(usage):
                return removed
    return []


def fill_back(
    claim: PreemptionClaim, removed: list[Candidate], forest: CohortTrees, *, borrowing: bool
) -> list[Candidate]:
    """Put back each but the last removed, from the last to the first,
    as long as the claim still fits (Q-269).
    """
    needed = list(removed)
    beside = FillBack(partial(room, claim, borrowing=borrowing))
    # The last one removed made it fit: it is needed by construction.
    for index in range(len(needed) - 2, -1, -1):
        node, usage = needed[index].node, needed[index].holding.usage
        if beside.is_refused(node, usage):
            continue
        forest.add(node.name, usage)
        if beside.fits_with(node, usage):
            # Go swaps with the last and cuts. The order of the targets, and with it
            # that of the writes, is the same here.
            needed[index] = needed[-1]
            needed.pop()
        else:
            forest.remove(node.name, usage)
    return needed
