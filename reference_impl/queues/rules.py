"""What distinguishes one version of the documents from another on the queue side, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..queueing.pending import Reactivates
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..workload.conditions import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRules:
    """The members that a dialect may replace."""

    active: Callable[[Catalogue, ClusterQueueSpec], Condition]
    """The Active condition of a ClusterQueue (D-17)."""
    local_queue_ready: str
    """What an active LocalQueue says (AC-437)."""
    sent_back: frozenset[str]
    """Evictions after which a Workload goes behind its equals (Q-006)."""
    stirs: Reactivates
    """Which change of a parked Workload makes looking again worthwhile (Q-032, C-01)."""
    pending_event: Literal["Normal", "Warning"]
    """The type of the event of a failed attempt (D-19)."""
    admitted_at_once: Callable[[str], str]
    """The note of an admission that needed no check (EV-002)."""
