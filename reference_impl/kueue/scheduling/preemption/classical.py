"""Classical preemption: by priority and by quota, without fair sharing (scheduling §7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from ...quota.catalogue import Catalogue
from ...quota.cluster_queue import PreemptionPolicies
from ...quota.resources import FlavorResource, Usage
from ...quota.usage_cache import QuotaHolding, UsageCache
from ...workload.view import Workload
from .candidates import Leaving, PreemptionClaim, Used, collect, ignore_usage, order
from .search import search
from .targets import PreemptionTarget, remove

MayGive = Callable[[Catalogue, str], bool]
"""Tells whether Workloads of a ClusterQueue may be preempted from another one."""


def is_evicted(holding: QuotaHolding) -> bool:
    """Tell whether a Workload was told to give its quota back."""
    return holding.is_evicted


def is_preemptible_always(_catalogue: Catalogue, _name: str) -> bool:
    """Let Workloads of every ClusterQueue be preempted, stopped or not (QC-08, corrected)."""
    return True


@dataclass(frozen=True, slots=True)
class ClassicalPreemptor:
    """Finds the targets of a preemptor on the live quota tree."""

    ledger: UsageCache
    catalogue: Catalogue
    sent_back: frozenset[str] = frozenset()
    """Evictions after which a Workload goes behind its equals (Q-006)."""
    leaving: Leaving = is_evicted
    """Which holdings are on their way out: those are tried first (Q-262, Q-292)."""
    used: Used = ignore_usage
    """What the LocalQueues of holdings have used: of one queue those that used more go first (Q-262)."""
    gives: MayGive = Catalogue.is_active
    """Whether Workloads of a ClusterQueue may be preempted from another one (QC-08)."""

    def targets(
        self, preemptor: Workload, cluster_queue: str, usage: Usage, short_of: frozenset[FlavorResource]
    ) -> Sequence[PreemptionTarget]:
        """Return the Workloads to preempt so that `usage` fits, none when that cannot be reached."""
        spec, node = (
            self.catalogue.cluster_queues[cluster_queue],
            self.ledger.cohort_trees.queues[cluster_queue],
        )
        claim = PreemptionClaim.of(preemptor, spec, node, usage, short_of, self.sent_back)
        candidates = collect(claim, self.ledger, partial(self.gives, self.catalogue))
        in_order = order(candidates, self.leaving, self.used)
        victims = search(claim, candidates, in_order, self.ledger.cohort_trees)
        return tuple(PreemptionTarget(victim.holding, victim.variant.reason) for victim in victims)

    def may_borrow(self, policies: PreemptionPolicies) -> bool:
        """Allow it where others may be preempted by a Workload that borrows (Q-167)."""
        return policies.borrow_within_cohort != "Never"

    def without(self, targets: Iterable[PreemptionTarget]) -> AbstractContextManager[None]:
        """Take the usage of targets away until the context ends."""
        return remove(targets, self.ledger.cohort_trees)
