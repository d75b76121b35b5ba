"""What distinguishes the queues of one release from those of another, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..quota.cohort_trees import CohortTrees
from .pending import PriorityKey, RequeueOnChange, class_priority_key, requeue_on_spec_change
from .strategies import IMMEDIATE, RequeueReason, Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRules:
    """The members that a dialect may replace."""

    requeue_on_check_change: RequeueOnChange
    """Which change of a parked Workload makes looking again worthwhile (Q-032, C-01)."""
    priority_key: PriorityKey
    """What of a Workload that holds quota makes others look again when it changes (Q-051, QC-05)."""
    requeues_on_status_change: Callable[[CohortTrees, str], bool]
    """Whether a status that is written to a ClusterQueue has others of its tree look again (QC-03)."""
    immediate_requeue_reasons: Mapping[Strategy, frozenset[RequeueReason]]
    """After which failures a Workload is tried again at once (Q-043, Q-503)."""
    has_sticky_workload: bool
    """Whether a preemptor stands before all others (Q-022, Q-504)."""
    parks_equivalent_workloads: bool
    """Whether a Workload that does not fit takes its equals along (Q-045, Q-504)."""


V0_19: Final = PendingRules(
    requeue_on_check_change=requeue_on_spec_change,
    priority_key=class_priority_key,
    requeues_on_status_change=CohortTrees.has_cohort_object,
    immediate_requeue_reasons=IMMEDIATE,
    has_sticky_workload=True,
    parks_equivalent_workloads=True,
)
