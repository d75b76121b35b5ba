"""The status of a workload: counts of its pods (FK-500)."""

from __future__ import annotations

from ...base.json_types import Json
from ...schema.fields import FieldError
from ..validation.replica_counts import collisions_kept, counts_not_negative, shares

DAEMON_COUNTS = (
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
)


def daemon_set(after: Json, before: Json) -> list[FieldError]:
    """Judge a DaemonSet's status."""
    status = after.get("status", {})
    return [*counts_not_negative(status, DAEMON_COUNTS), *collisions_kept(status, before)]


deployment = shares(
    (
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ),
    ("updatedReplicas", "readyReplicas", "availableReplicas"),
)
replica_set = shares(
    (
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas",
    ),
    ("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
)
stateful_set = shares(
    (
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount",
    ),
    ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
    ready="status.readyReplicas",
)
