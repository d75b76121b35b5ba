"""The status of a StatefulSet."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from ...base.json_types import Json
from ..pod_state import is_available, is_deleted, is_ready, phase, seconds_until_available
from .pods import revision_of

OPTIONAL_STATUS_FIELDS = ("observedGeneration", "readyReplicas", "currentReplicas", "updatedReplicas")
WATCHED_STATUS_FIELDS = (
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "currentRevision",
    "updateRevision",
)
"""Members whose change is written; with the others alone a status stays as it is."""


class PodCounts(Struct, frozen=True):
    """The pods of a set, counted."""

    replicas: int
    ready: int
    available: int
    current: int
    updated: int


def count(
    pods: Iterable[Json], min_ready: float, current: str, update: str, current_time: float
) -> PodCounts:
    """Count pods; those that go are of no revision."""
    counted = tuple(pods)
    staying = [revision_of(pod) for pod in counted if not is_deleted(pod)]
    ready = [pod for pod in counted if phase(pod) == "Running" and is_ready(pod)]
    return PodCounts(
        len(counted),
        len(ready),
        sum(is_available(pod, min_ready, current_time) for pod in ready),
        staying.count(current),
        staying.count(update),
    )


def of(stateful_set: Json, counts: PodCounts, current: str, update: str, collisions: int) -> Json:
    """Return the status, with the rollout ended when every pod is of the new revision and ready."""
    desired = stateful_set["spec"]["replicas"]
    is_rolling = (stateful_set["spec"].get("updateStrategy") or {}).get("type") == "RollingUpdate"
    # Complete only when no pod of another revision is left and all are ready.
    is_complete = is_rolling and desired == counts.updated == counts.ready == counts.replicas
    status = {
        "observedGeneration": stateful_set["metadata"].get("generation", 0),
        "replicas": counts.replicas,
        "readyReplicas": counts.ready,
        # With the end of the rollout the new revision becomes the current one.
        "currentReplicas": counts.updated if is_complete else counts.current,
        "updatedReplicas": counts.updated,
        "currentRevision": update if is_complete else current,
        "updateRevision": update,
        "collisionCount": collisions,
        "availableReplicas": counts.available,
    }
    return {name: value for name, value in status.items() if value or name not in OPTIONAL_STATUS_FIELDS}


def is_news(before: Json, after: Json) -> bool:
    """Tell whether a status is written in place of another one."""
    observed = "observedGeneration"
    # A status is written for a new generation even if nothing else has changed, so that clients can wait for
    # it.
    return after.get(observed, 0) > before.get(observed, 0) or any(
        (after.get(name) or None) != (before.get(name) or None) for name in WATCHED_STATUS_FIELDS
    )


def next_available(pods: Iterable[Json], min_ready: float, current_time: float) -> float | None:
    """Return in how many seconds another pod is available, None when there is none to wait for."""
    waits = (seconds_until_available(pod, min_ready, current_time) for pod in pods)
    return min((seconds for seconds in waits if 0 < seconds < math.inf), default=None)
