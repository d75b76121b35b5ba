"""The flavor at which the search of the previous cycle stopped, where the next
one continues (Q-178, Q-179).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LastTriedFlavorIdx = Mapping[tuple[str, str], int]
"""By pod set and resource the index of the flavor at which the search stopped; one that saw the last flavor
is not listed.
"""

TreeState = tuple[int, frozenset[str]]
"""What a head sees in a cycle: the version of its tree, and the keys of all heads of that tree (P-036)."""

# For so many cycles a record is kept although quota was freed or changed meanwhile
#
KEPT_CYCLES = 1


@dataclass(frozen=True, slots=True)
class LastAssignment:
    """Flavors that are still to be tried, and the state of quota for which that is so."""

    last_tried_flavors: LastTriedFlavorIdx
    generation: int
    """That of the ClusterQueue's quota, which grows with everything that makes room (Q-142)."""
    cycle: int
    tree_state: TreeState
    """What was seen: the next cycle sees the very same unless the tree or the heads have changed."""
    recorded_flavors: frozenset[frozenset[tuple[tuple[str, str], int]]] = frozenset()
    """The stops that were recorded before at this sight."""

    def next_flavor_index(self, pod_set: str, resource: str) -> int:
        """Return the index of the flavor that is tried next."""
        return self.last_tried_flavors.get((pod_set, resource), -1) + 1

    def is_current(self, generation: int, cycle: int) -> bool:
        """Tell whether the record still says something (Q-179)."""
        # Kueue compares generations and drops older records. One cycle of grace: quota
        # that was freed for this very head must not send it back to the first flavor
        #
        return self.generation >= generation or cycle - self.cycle <= KEPT_CYCLES


def record_assignment(
    before: LastAssignment | None, stops: LastTriedFlavorIdx, generation: int, cycle: int, sight: TreeState
) -> LastAssignment | None:
    """Return the record of a search, None when no flavor is left to be tried.

    Searches for two pod sets can take turns in stopping early. What comes back to stops that were recorded
    for the same sight would come back for ever: there, nothing is left.
    """
    seen_usages = (
        before.recorded_flavors if before is not None and before.tree_state == sight else frozenset()
    )
    # Searches for two pod sets can take turns in stopping early: what was recorded for
    # the same sight before would come back for ever.
    mark = frozenset(stops.items())
    if not stops or mark in seen_usages:
        return None
    return LastAssignment(stops, generation, cycle, sight, seen_usages | {mark})
