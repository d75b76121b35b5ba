"""The status of a ReplicaSet or ReplicationController."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from ...api.steps import PAUSE, Steps
from ...base.json_types import Json
from ...kinds.validation.basics import matches
from ..claims import OBJECTS_PER_TURN
from ..pod_state import is_active, is_ready, is_terminating, seconds_until_available

OPTIONAL_STATUS_FIELDS = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas", "conditions")
REPLICA_FAILURE = "ReplicaFailure"


class PodCounts(Struct, frozen=True):
    """The pods of an owner, counted."""

    replicas: int = 0
    fully_labeled: int = 0
    ready: int = 0
    available: int = 0
    terminating: int = 0
    next_available: float | None = None
    """In how many seconds another pod is available, None when there is none to wait for."""


def count(owner: Json, owned: Sequence[Json], current_time: float) -> Steps[PodCounts]:
    """Count the pods of an owner, some at a time."""
    labels = {"matchLabels": (owner["spec"]["template"].get("metadata") or {}).get("labels") or {}}
    min_ready = owner["spec"].get("minReadySeconds", 0)
    active: list[Json] = []
    terminating, labeled, waits = 0, 0, []
    for position, pod in enumerate(owned, 1):
        if position % OBJECTS_PER_TURN == 0:
            yield PAUSE
        terminating += is_terminating(pod)
        if is_active(pod):
            active.append(pod)
            labeled += matches(labels, pod["metadata"].get("labels") or {})
            waits.append(seconds_until_available(pod, min_ready, current_time))
    return PodCounts(
        len(active),
        labeled,
        sum(map(is_ready, active)),
        waits.count(0),
        terminating,
        min((seconds for seconds in waits if 0 < seconds < math.inf), default=None),
    )


def of(owner: Json, counts: PodCounts, failure: tuple[str, str] | None, current_time: str) -> Json:
    """Return the status; `failure` is the reason and message of what was refused, None when nothing was."""
    status = {
        "replicas": counts.replicas,
        "fullyLabeledReplicas": counts.fully_labeled,
        "readyReplicas": counts.ready,
        "availableReplicas": counts.available,
        "terminatingReplicas": counts.terminating,
        "observedGeneration": owner["metadata"].get("generation", 0),
        "conditions": _conditions(owner.get("status", {}).get("conditions") or [], failure, current_time),
    }
    return {name: value for name, value in status.items() if value or name not in OPTIONAL_STATUS_FIELDS}


def _conditions(before: Sequence[Json], failure: tuple[str, str] | None, current_time: str) -> list[Json]:
    other_conditions = [condition for condition in before if condition["type"] != REPLICA_FAILURE]
    if failure is None:
        return other_conditions
    failures = [condition for condition in before if condition["type"] == REPLICA_FAILURE]
    reason, message = failure
    new = {
        "type": REPLICA_FAILURE,
        "status": "True",
        "lastTransitionTime": current_time,
        "reason": reason,
        "message": message,
    }
    return [*other_conditions, *(failures or [new])]
