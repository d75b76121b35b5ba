"""What distinguishes the queues of one release from those of another, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ...api.resource import Json
from ..quota import adjusting
from ..quota.adjusting import LimitRangeSummary
from ..quota.cohort_trees import CohortTrees
from ..quota.usage_cache import ConsumedUsage, consumed_by_admitted
from .pending import PriorityKey, RequeueOnChange, class_priority_key, requeue_on_spec_change
from .retried_queues import RetriedQueues, of_local_queue
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
    keeps_sticky_workload: bool
    """Whether a preemptor stands before all others also after it failed for another reason (KV-46)."""
    parks_equivalent_workloads: bool
    """Whether a Workload that does not fit takes its equals along (Q-045, Q-504)."""
    hashes_pod_set_names: bool
    """Whether Workloads with other names of podSets are no equals (Q-009, KV-47)."""
    consumed_usage: ConsumedUsage
    """What of a LocalQueue counts as used by admission fair sharing (AC-077, KV-45)."""
    fill_container: Callable[[Json, LimitRangeSummary], Json]
    """What a container requests that leaves requests out (BUG-160)."""
    complete_pod: Callable[[Json], Json]
    """What a pod requests that has resources of its own (BUG-163)."""
    requeues_on_limit_range: Callable[[Json | None, Json | None], bool]
    """Whether a change of a LimitRange has what it kept waiting looked at again (BUG-161)."""
    retried_queues: RetriedQueues
    """Which ClusterQueues try their Workloads again when one gives quota back (BUG-166)."""


V0_19: Final = PendingRules(
    requeue_on_check_change=requeue_on_spec_change,
    priority_key=class_priority_key,
    requeues_on_status_change=CohortTrees.has_cohort_object,
    immediate_requeue_reasons=IMMEDIATE,
    has_sticky_workload=True,
    keeps_sticky_workload=True,
    parks_equivalent_workloads=True,
    hashes_pod_set_names=True,
    consumed_usage=consumed_by_admitted,
    fill_container=adjusting.fill_from_limit_range,
    complete_pod=adjusting.keep_pod,
    requeues_on_limit_range=adjusting.rests_on_any_change,
    retried_queues=of_local_queue,
)
