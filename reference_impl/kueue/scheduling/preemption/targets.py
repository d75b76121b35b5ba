"""The interface of preemption for the scheduler:
targets with their reasons, and the search for them (Q-168, Q-258).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from ...quota.cluster_queue import PreemptionPolicies
from ...quota.cohort_trees import CohortTrees
from ...quota.resources import FlavorResource, Usage
from ...quota.usage_cache import QuotaHolding
from ...workload.view import Workload


class PreemptionReason(StrEnum):
    """The reason of the `Preempted` condition (Q-258)."""

    IN_CLUSTER_QUEUE = "InClusterQueue"
    RECLAMATION = "InCohortReclamation"
    WHILE_BORROWING = "InCohortReclaimWhileBorrowing"
    FAIR_SHARING = "InCohortFairSharing"


@dataclass(frozen=True, slots=True)
class PreemptionTarget:
    """A Workload that would be preempted, and why it may be."""

    holding: QuotaHolding
    reason: PreemptionReason


class Preemptor(Protocol):
    """Finds targets, and tries the quota tree without them."""

    def targets(
        self, preemptor: Workload, cluster_queue: str, usage: Usage, short_of: frozenset[FlavorResource]
    ) -> Sequence[PreemptionTarget]:
        """Return the Workloads to preempt so that `usage` fits, none when that cannot be reached."""

    def may_borrow(self, policies: PreemptionPolicies) -> bool:
        """Tell whether targets are worth a search where the preemptor would borrow (Q-167)."""

    def without(self, targets: Iterable[PreemptionTarget]) -> AbstractContextManager[None]:
        """Take the usage of targets away until the context ends."""


@contextmanager
def remove(targets: Iterable[PreemptionTarget], forest: CohortTrees) -> Iterator[None]:
    """Take the usage of targets from the quota tree until the context ends."""
    with forest.simulation():
        for target in targets:
            forest.remove(target.holding.cluster_queue, target.holding.usage)
        yield
