"""Whether a claim fits, asked again and again while usage is taken away and put back (Q-268).

What a node may take changes by no more than what any queue gives back or takes: as long as too little has
changed the answer is known without a look at the tree. The same usage of the same queue that once did not fit
beside a claim does not fit beside more either.
"""

from __future__ import annotations

from collections.abc import Callable

from ...quota.resources import FlavorResource, Usage
from ...quota.tree import Node, available
from .candidates import Claim

Room = dict[FlavorResource, int]
"""How much more there is than a claim needs; negative where it is too little."""


def room(claim: Claim, *, borrowing: bool) -> Room:
    """Compare what the node may take now, without borrowing if that is not allowed, with the whole claim."""
    node = claim.node
    room_by_flavor = {fr: available(node, fr) - value for fr, value in claim.usage.items()}
    if not borrowing:
        for fr, value in claim.usage.items():
            room_by_flavor[fr] = min(room_by_flavor[fr], node.total(fr) - node.used(fr) - value)
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


class PuttingBack:
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
