"""What distinguishes one version of the documents from another on the queue side, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...api.resource import Json
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.cohort_trees import CohortTrees
from ..scheduling.outcomes import SchedulingOutcome
from ..scheduling.preemption.wording import PreemptionWording
from ..workload.conditions import Condition
from .shares import MeasureShare, Shares

CohortsToUpdate: TypeAlias = Callable[[Shares, str], Iterator[str]]
AdmissionNote: TypeAlias = Callable[[str], str]
"""Returns the note of an admission into a ClusterQueue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRules:
    """The members that a dialect may replace."""

    cluster_queue_active: Callable[[Catalogue, ClusterQueueSpec], Condition]
    """The Active condition of a ClusterQueue (D-17)."""
    check_circle: Callable[[Condition, CohortTrees, ClusterQueueSpec], Condition]
    """What that condition is where cohorts form a circle (QC-01)."""
    local_queue_ready_message: str
    """What an active LocalQueue says (AC-437)."""
    eviction_ordered_reasons: frozenset[str]
    """Evictions after which a Workload goes behind its equals (Q-006)."""
    requeue_batch_seconds: float
    """For so long notices are gathered before parked Workloads are tried again (Q-050, Q-502)."""
    has_cohort_objects: bool
    """Whether Cohorts with an object of their own are known (Q-508)."""
    cohorts_to_update: CohortsToUpdate
    """The Cohorts whose share is told anew when a ClusterQueue has changed (Q-376)."""
    measure_cohort: MeasureShare
    """What the metric of a Cohort's share has (KV-75)."""
    pending_event_type: Literal["Normal", "Warning"]
    """The type of the event of a failed attempt (D-19)."""
    event_subject: Callable[[SchedulingOutcome, Json], Json]
    """What the event of a failed attempt is about (QC-04)."""
    has_strict_pending_writes: bool
    """Whether it is said of a known revision only why there is no reservation (AC-370)."""
    preemption_wording: PreemptionWording
    """What is told of preemptions (Q-512)."""
    immediate_admission_note: AdmissionNote
    """The note of an admission that needed no check (EV-002)."""
