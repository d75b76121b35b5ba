"""The heads of a cycle: one Workload of every ClusterQueue
whose tree is worth a look (Q-038, Q-039, P-035…P-037).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ..quota.catalogue import Catalogue
from ..quota.cohort_trees import CohortTrees
from .last_assignment import TreeState
from .pending import PendingWorkload
from .queues import Queues


@dataclass(frozen=True, slots=True)
class Head:
    """A popped Workload, and the state that it was tried in."""

    cluster_queue: str
    pending: PendingWorkload
    tree_state: TreeState
    cycle: int = 0
    """The number of the cycle."""
    is_blocked: bool = False
    """Whether it had this very sight before, with all flavors: it only comes along (P-036)."""

    @property
    def evaluated_state(self) -> TreeState | None:
        """What it has seen with all flavors; None where the search for flavors goes on from another sight."""
        scan = self.pending.last_assignment
        return self.tree_state if scan is None or scan.tree_state == self.tree_state else None


def pop_heads(queues: Queues, catalogue: Catalogue, forest: CohortTrees) -> list[Head]:
    """Pop the head of every active ClusterQueue in a tree that has at least one head not seen at this
    version, beside these heads.

    Blocked heads of such a tree come along: they keep the space they wait for (Q-226). One that was skipped
    for the sake of a head that has been parked since is looked at again, though the tree is the same.
    """
    fresh = [
        (names, sight, blocked)
        for names, sight in _trees(queues, catalogue, forest)
        if len(blocked := {name for name in names if queues.cluster_queues[name].is_blocked(sight)})
        < len(names)
    ]
    # A cycle without heads is none: flavors recorded for the next cycle stay valid.
    queues.cycles += bool(fresh)
    heads = []
    for names, sight, blocked in fresh:
        for name in names:
            pending = queues.cluster_queues[name].pop()
            if pending is not None:
                heads.append(Head(name, pending, sight, queues.cycles, name in blocked))
    return heads


def _trees(
    queues: Queues, catalogue: Catalogue, forest: CohortTrees
) -> Iterator[tuple[list[str], TreeState]]:
    """Yield of each tree the active ClusterQueues that have a head, and what their heads see."""
    heads: defaultdict[int, dict[str, str]] = defaultdict(dict)
    versions = {}
    for name, queue in queues.cluster_queues.items():
        head = queue.head()
        if head is None or not catalogue.is_active(name):
            continue
        root = forest.root(forest.queues[name])
        # Trees have no name of their own: a queue and a cohort may share one.
        tree = id(root) if root else id(queue)
        heads[tree][name] = head.key
        versions[tree] = root.version if root else 0
    for tree, tree_head in heads.items():
        yield [*tree_head], (versions[tree], frozenset(tree_head.values()))
