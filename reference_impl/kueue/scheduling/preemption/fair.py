"""Preemption under fair sharing: by shares of what is lent,
and by priority inside of a queue (KEP-1714, Q-272, QC-13).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from ...quota.catalogue import Catalogue
from ...quota.cluster_queue import PreemptionPolicies
from ...quota.resources import FlavorResource, Usage
from ...quota.usage_cache import UsageCache
from ...workload.view import Workload
from .candidates import Leaving, PreemptionClaim, Used, by_rank, collect_borrowers, ignore_usage
from .classical import MayGive, is_evicted
from .fair_search import FairSearch, Strategy
from .targets import PreemptionTarget, remove


@dataclass(frozen=True, slots=True)
class FairPreemptor:
    """Finds the targets of a preemptor on the live quota tree."""

    ledger: UsageCache
    catalogue: Catalogue
    strategies: Sequence[Strategy]
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
        candidates = collect_borrowers(claim, self.ledger, partial(self.gives, self.catalogue))
        if not candidates:
            return ()
        in_order = by_rank(candidates, self.used)
        in_order.sort(key=lambda candidate: not self.leaving(candidate.holding))
        victims = FairSearch(claim, self.ledger.cohort_trees, self.leaving).run(in_order, self.strategies)
        return tuple(PreemptionTarget(victim.holding, victim.variant.reason) for victim in victims)

    def may_borrow(self, policies: PreemptionPolicies) -> bool:
        """Allow it where quota may be reclaimed at all: shares decide who may borrow (Q-167)."""
        return policies.borrow_within_cohort != "Never" or policies.reclaim_within_cohort != "Never"

    def without(self, targets: Iterable[PreemptionTarget]) -> AbstractContextManager[None]:
        """Take the usage of targets away until the context ends."""
        return remove(targets, self.ledger.cohort_trees)
