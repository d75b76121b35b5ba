"""The candidates for preemption: Workloads that the policies of the preemptor's ClusterQueue allow
(Q-250…Q-259), and the order of candidates in which they are tried (Q-262, Q-263).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from ...queueing.pending import queue_order
from ...quota.cluster_queue import ClusterQueueSpec, PreemptionPolicies
from ...quota.resources import FlavorResource, Usage
from ...quota.tree import Node, leaves, local_available
from ...quota.usage_cache import QuotaHolding, UsageCache
from ...workload.view import Workload
from .targets import PreemptionReason

Policy = Callable[[Workload, QuotaHolding, frozenset[str]], bool]


def _never(_preemptor: Workload, _candidate: QuotaHolding, _sent_back: frozenset[str]) -> bool:
    return False


def _any(_preemptor: Workload, _candidate: QuotaHolding, _sent_back: frozenset[str]) -> bool:
    return True


def _lower(preemptor: Workload, candidate: QuotaHolding, _sent_back: frozenset[str]) -> bool:
    return candidate.priority < preemptor.priority


def _lower_or_newer(preemptor: Workload, candidate: QuotaHolding, sent_back: frozenset[str]) -> bool:
    if candidate.priority != preemptor.priority:
        return candidate.priority < preemptor.priority
    # Not by creation: a Workload that was evicted stands at its eviction, and may not
    # take revenge.
    return queue_order(preemptor, sent_back) < queue_order(candidate.workload, sent_back)


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "Never": _never,
        "Any": _any,
        "LowerPriority": _lower,
        "LowerOrNewerEqualPriority": _lower_or_newer,
    }
)
"""The values of `withinClusterQueue` and `reclaimWithinCohort`:
preemptor, candidate, evictions that lose their place.
"""


def may_borrow_over(preemptor: Workload, candidate: QuotaHolding, policies: PreemptionPolicies) -> bool:
    """Tell whether a Workload of another queue may go although the preemptor borrows afterwards (Q-257)."""
    threshold = policies.max_priority_threshold
    return (
        policies.borrow_within_cohort != "Never"
        and candidate.priority < preemptor.priority
        and (threshold is None or candidate.priority <= threshold)
    )


Gives = Callable[[str], bool]
"""Tells whether Workloads of a ClusterQueue may be preempted from another one."""


class PreemptionVariant(Enum):
    """By what right a candidate may go (Q-257, Q-258)."""

    WITHIN_QUEUE = auto()
    HIERARCHICAL = auto()
    WITHOUT_BORROWING = auto()
    WHILE_BORROWING = auto()
    WITHIN_NOMINAL = auto()
    FAIR_SHARING = auto()

    @property
    def reason(self) -> PreemptionReason:
        """The reason of the condition."""
        return _REASONS.get(self, PreemptionReason.RECLAMATION)


_REASONS: Mapping[PreemptionVariant, PreemptionReason] = MappingProxyType(
    {
        PreemptionVariant.WITHIN_QUEUE: PreemptionReason.IN_CLUSTER_QUEUE,
        PreemptionVariant.WHILE_BORROWING: PreemptionReason.WHILE_BORROWING,
        PreemptionVariant.FAIR_SHARING: PreemptionReason.FAIR_SHARING,
    }
)
"""Those of what is reclaimed are all the same."""


@dataclass(frozen=True, slots=True)
class PreemptionClaim:
    """What a preemptor asks of its ClusterQueue, and of which of it there is too little now (Q-253)."""

    workload: Workload
    spec: ClusterQueueSpec
    node: Node
    usage: Usage
    short_of: frozenset[FlavorResource]
    sent_back: frozenset[str]
    """Evictions after which a Workload goes behind its equals (Q-006)."""

    @classmethod
    def of(
        cls,
        workload: Workload,
        spec: ClusterQueueSpec,
        node: Node,
        usage: Usage,
        short_of: frozenset[FlavorResource],
        sent_back: frozenset[str],
    ) -> PreemptionClaim:
        """Return the claim of a Workload on the resources of which it needs more than zero."""
        needed = {fr: value for fr, value in usage.items() if value > 0}
        return cls(workload, spec, node, needed, short_of, sent_back)


class Candidate(NamedTuple):
    """A Workload that may go, the node of its queue, and the cohort at which it was found (Q-259)."""

    holding: QuotaHolding
    node: Node
    variant: PreemptionVariant
    found_at: Node | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """All candidates by kind: of the own queue, by hierarchical advantage, and by priority."""

    own: list[Candidate] = field(default_factory=list)
    hierarchical: list[Candidate] = field(default_factory=list)
    by_priority: list[Candidate] = field(default_factory=list)

    @property
    def others(self) -> bool:
        """Whether there is any in another queue."""
        return bool(self.hierarchical or self.by_priority)


def collect(claim: PreemptionClaim, ledger: UsageCache, gives: Gives) -> Candidates:
    """Collect the candidates in the own queue, then cohort by cohort up to the root (Q-255)."""
    candidates = Candidates()
    policy = claim.spec.preemption.within_cluster_queue
    candidates.own.extend(
        Candidate(holding, claim.node, PreemptionVariant.WITHIN_QUEUE)
        for holding in eligible(claim, ledger, claim.node, policy)
    )
    if claim.node.parent is None or claim.spec.preemption.reclaim_within_cohort == "Never":
        return candidates
    advantage = _fits_in(claim.node, claim.usage)
    rest = _beyond(claim.node, claim.usage)
    visited = claim.node
    for cohort in claim.node.parent.path():
        kind = candidates.hierarchical if advantage else candidates.by_priority
        for queue in _borrowing_queues(cohort, visited, claim, gives):
            kind += _of_queue(queue, cohort, claim, ledger, advantage=advantage)
        advantage = advantage or _fits_in(cohort, rest)
        rest = _beyond(cohort, rest)
        visited = cohort
    return candidates


def collect_borrowers(claim: PreemptionClaim, ledger: UsageCache, gives: Gives) -> list[Candidate]:
    """Collect the candidates in the own queue, and in all active queues of the tree that borrow short
    resources (Q-272, QC-08).
    """
    policies = claim.spec.preemption
    candidates = [
        Candidate(holding, claim.node, PreemptionVariant.WITHIN_QUEUE)
        for holding in eligible(claim, ledger, claim.node, policies.within_cluster_queue)
    ]
    if claim.node.parent is None or policies.reclaim_within_cohort == "Never":
        return candidates
    *_, root = claim.node.path()
    for queue in leaves(root):
        if queue is claim.node or within_nominal(queue, claim.short_of) or not gives(queue.name):
            continue
        candidates += (
            Candidate(holding, queue, PreemptionVariant.FAIR_SHARING)
            for holding in eligible(claim, ledger, queue, policies.reclaim_within_cohort)
        )
    return candidates


def within_nominal(node: Node, short_of: frozenset[FlavorResource]) -> bool:
    """Tell whether a node uses no more than its own quota of the short resources (Q-128)."""
    used, total = node.usage, node.subtree
    for fr in short_of:  # a search asks this once or more for each candidate  # noqa: SIM110
        if used.get(fr, 0) > total.get(fr, 0):
            return False
    return True


def _borrowing_queues(cohort: Node, visited: Node, claim: PreemptionClaim, gives: Gives) -> Iterator[Node]:
    """Yield the queues below a cohort that borrow and may give, in subtrees that borrow (Q-256, QC-08)."""
    for child in cohort.children.values():
        if child is visited or within_nominal(child, claim.short_of):
            continue
        if not child.is_queue:
            yield from _borrowing_queues(child, visited, claim, gives)
        elif gives(child.name):
            yield child


def _of_queue(
    queue: Node, cohort: Node, claim: PreemptionClaim, ledger: UsageCache, *, advantage: bool
) -> Iterator[Candidate]:
    policies = claim.spec.preemption
    for holding in eligible(claim, ledger, queue, policies.reclaim_within_cohort):
        if advantage:
            variant = PreemptionVariant.HIERARCHICAL
        elif may_borrow_over(claim.workload, holding, policies):
            variant = PreemptionVariant.WHILE_BORROWING
        else:
            variant = PreemptionVariant.WITHOUT_BORROWING
        yield Candidate(holding, queue, variant, cohort)


def eligible(claim: PreemptionClaim, ledger: UsageCache, queue: Node, policy: str) -> Iterator[QuotaHolding]:
    """Yield what uses something that is short, and may go by a policy (Q-252)."""
    if policy == "Never":
        return
    allows, sent_back = POLICIES[policy], claim.sent_back
    for holding in ledger.holders(queue.name):
        usage = holding.usage
        for fr in claim.short_of:
            if usage.get(fr):
                if allows(claim.workload, holding, sent_back):
                    yield holding
                break


def _fits_in(node: Node, usage: Usage) -> bool:
    return all(node.usage_of(fr) + value <= node.total(fr) for fr, value in usage.items())


def _beyond(node: Node, usage: Usage) -> Usage:
    return {fr: max(0, value - local_available(node, fr)) for fr, value in usage.items()}


Leaving = Callable[[QuotaHolding], bool]
Used = Callable[[QuotaHolding], float]
"""Returns what the LocalQueue of a holding has used, 0 where that decides nothing."""


_RANK = attrgetter("holding.rank")


def ignore_usage(_holding: QuotaHolding) -> float:
    """Let usage decide nothing."""
    return 0.0


def order(candidates: Candidates, leaving: Leaving, used: Used = ignore_usage) -> list[Candidate]:
    """Return the order of candidates for preemption: Workloads under eviction first; then by
    hierarchical advantage, by priority, of the own queue.

    In the own queue those of LocalQueues with more usage go first; those of several queues are not
    compared by usage.
    """
    in_order = by_rank(candidates.hierarchical)
    in_order += by_rank(candidates.by_priority)
    in_order += by_rank(candidates.own, used)
    # Stable: within both halves the order stays as it was built.
    in_order.sort(key=lambda candidate: not leaving(candidate.holding))
    return in_order


def by_rank(candidates: Iterable[Candidate], used: Used = ignore_usage) -> list[Candidate]:
    """Sort by usage, then by rank; candidates of one queue
    are already in the order of their ranks, which makes the sort cheap.
    """
    sorted_candidates = sorted(candidates, key=_RANK)
    if used is not ignore_usage:
        sorted_candidates.sort(key=lambda candidate: -used(candidate.holding))
    return sorted_candidates
