"""What distinguishes one version of the documents from another on the queue side, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...api.resource import Json
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..scheduling.outcomes import Outcome
from ..scheduling.preemption.wording import PreemptionWording
from ..workload.conditions import Condition
from .shares import Shares

ToldAnew: TypeAlias = Callable[[Shares, str], Iterator[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRules:
    """The members that a dialect may replace."""

    active: Callable[[Catalogue, ClusterQueueSpec], Condition]
    """The Active condition of a ClusterQueue (D-17)."""
    local_queue_ready: str
    """What an active LocalQueue says (AC-437)."""
    sent_back: frozenset[str]
    """Evictions after which a Workload goes behind its equals (Q-006)."""
    wake_seconds: float
    """For so long notices are gathered before parked Workloads are tried again (Q-050, Q-502)."""
    cohort_objects: bool
    """Whether Cohorts with an object of their own are known (Q-508)."""
    told_anew: ToldAnew
    """The Cohorts whose share is told anew when a ClusterQueue has changed (Q-376)."""
    pending_event: Literal["Normal", "Warning"]
    """The type of the event of a failed attempt (D-19)."""
    regarded: Callable[[Outcome, Json], Json]
    """What the event of a failed attempt is about (QC-04)."""
    waits_strictly: bool
    """Whether it is said of a known revision only why there is no reservation (AC-370)."""
    preemption: PreemptionWording
    """What is told of preemptions (Q-512)."""
    admitted_at_once: Callable[[str], str]
    """The note of an admission that needed no check (EV-002)."""
