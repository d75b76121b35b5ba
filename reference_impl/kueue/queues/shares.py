"""The shares that statuses and metrics tell, where fair sharing is on (AC-050, Q-376)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, nan
from typing import TypeAlias

from ..quota.cohort_trees import CohortTrees
from ..quota.shares import DominantResourceShare, share
from ..quota.tree import Node


@dataclass(frozen=True, slots=True)
class Shares:
    """Reads shares from the quota tree."""

    forest: CohortTrees
    enabled: bool

    def of_cluster_queue(self, name: str) -> DominantResourceShare | None:
        """Return the share of a ClusterQueue, None where none is to be told."""
        return self._of(self.forest.queues.get(name))

    def of_cohort(self, name: str) -> DominantResourceShare | None:
        """Return the share of a cohort, None where none is to be told."""
        return self._of(self.forest.cohorts.get(name))

    def _of(self, node: Node | None) -> DominantResourceShare | None:
        if not self.enabled or node is None or self.forest.root(node) is None:
            return None
        return share(node)

    def cohorts_above(self, name: str) -> Iterator[str]:
        """Name the cohorts with objects that a ClusterQueue is below (Q-376)."""
        node = self.forest.queues.get(name)
        if self.enabled and node is not None and self.forest.root(node) is not None:
            yield from (
                ancestor.name for ancestor in node.path() if ancestor.explicit and not ancestor.is_queue
            )

    def all_cohorts(self, name: str) -> Iterator[str]:
        """Name all cohorts with objects: quota of a ClusterQueue that changes or moves changes what others
        can borrow too (Q-376, corrected).
        """
        del name
        if self.enabled:
            yield from (name for name, node in self.forest.cohorts.items() if node.explicit)


MeasureShare: TypeAlias = Callable[[DominantResourceShare], float]
"""Returns a share for metrics."""


def measure(share: DominantResourceShare) -> float:
    """Return a share for metrics: precise, and NaN for an infinite one."""
    is_infinite, amount = share.degree
    # Prometheus has no integer limits; statuses tell the largest int64 in its place.
    return nan if is_infinite else float(amount)


def measure_with_infinity(share: DominantResourceShare) -> float:
    """Return a share for metrics, +Inf for an infinite one: the form of a Cohort up to the fix (KV-75)."""
    return inf if share.degree.is_infinite else measure(share)
