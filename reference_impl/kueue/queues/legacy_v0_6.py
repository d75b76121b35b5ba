"""What releases before v0.9 wrote about queues (AC-426, Q-513)."""

from __future__ import annotations

from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..workload.conditions import Condition
from .status import ACTIVE, CANNOT_ADMIT, cluster_queue_active

_REASONS = {
    "AdmissionCheckNotFound": "CheckNotFoundOrInactive",
    "AdmissionCheckInactive": "CheckNotFoundOrInactive",
}


def cluster_queue_active_by_reason(catalogue: Catalogue, spec: ClusterQueueSpec) -> Condition:
    """Say whether a ClusterQueue admits, naming reasons instead of objects."""
    problems = () if spec.is_deleting else catalogue.problems(spec.name)
    reasons = list(dict.fromkeys(_REASONS.get(problem.reason, problem.reason) for problem in problems))
    if not reasons:
        return cluster_queue_active(catalogue, spec)
    return Condition(ACTIVE, False, reasons[0], f"{CANNOT_ADMIT}: {', '.join(reasons)}")


def admission_note(cluster_queue: str) -> str:
    """Say where it was admitted; the text ends with a space."""
    return f"Admitted by ClusterQueue {cluster_queue}, wait time since reservation was 0s "
