"""Which candidates the preemption policies of the preemptor's ClusterQueue allow (Q-250, Q-251, Q-257)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ...queueing.pending import queue_order
from ...quota.cluster_queue import Preemption
from ...quota.usage_cache import Holding
from ...workload.view import Workload

Policy = Callable[[Workload, Holding, frozenset[str]], bool]


def _never(_preemptor: Workload, _candidate: Holding, _sent_back: frozenset[str]) -> bool:
    return False


def _any(_preemptor: Workload, _candidate: Holding, _sent_back: frozenset[str]) -> bool:
    return True


def _lower(preemptor: Workload, candidate: Holding, _sent_back: frozenset[str]) -> bool:
    return candidate.priority < preemptor.priority


def _lower_or_newer(preemptor: Workload, candidate: Holding, sent_back: frozenset[str]) -> bool:
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


def may_borrow_over(preemptor: Workload, candidate: Holding, policies: Preemption) -> bool:
    """Tell whether a Workload of another queue may go although the preemptor borrows afterwards (Q-257)."""
    threshold = policies.max_priority_threshold
    return (
        policies.borrow_within_cohort != "Never"
        and candidate.priority < preemptor.priority
        and (threshold is None or candidate.priority <= threshold)
    )
