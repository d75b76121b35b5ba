"""The status of a ReplicaSet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...kinds.validation.basics import matches
from ...numbers.timestamps import at
from ..jobs.pods import is_active, is_ready, is_terminating
from . import pods

Json = Any
OPTIONAL = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas", "conditions")
FAILURE = "ReplicaFailure"


def of(replica_set: Json, owned: Sequence[Json], failure: tuple[str, str] | None, now: float) -> Json:
    """Return the status; `failure` is the reason and message of what was refused, None when nothing was."""
    spec, before = replica_set["spec"], replica_set.get("status", {})
    active = [one for one in owned if is_active(one)]
    labels = {"matchLabels": (spec["template"].get("metadata") or {}).get("labels") or {}}
    status = {
        "replicas": len(active),
        "fullyLabeledReplicas": sum(matches(labels, one["metadata"].get("labels") or {}) for one in active),
        "readyReplicas": sum(map(is_ready, active)),
        "availableReplicas": sum(left <= 0 for left in _waits(spec, active, now)),
        "terminatingReplicas": sum(map(is_terminating, owned)),
        "observedGeneration": replica_set["metadata"].get("generation", 0),
        "conditions": _conditions(before.get("conditions") or [], failure, at(now)),
    }
    return {name: value for name, value in status.items() if value or name not in OPTIONAL}


def next_available(replica_set: Json, owned: Sequence[Json], now: float) -> float | None:
    """Return in how many seconds the next ready pod is available, None when there is none to wait for."""
    waits = _waits(replica_set["spec"], [one for one in owned if is_active(one)], now)
    return min((left for left in waits if 0 < left < math.inf), default=None)


def _waits(spec: Json, active: Sequence[Json], now: float) -> list[float]:
    """Return for each pod the seconds until it is available; infinite for one that is not ready."""
    ready = (pods.ready_since(one) for one in active)
    return [math.inf if since is None else since + spec.get("minReadySeconds", 0) - now for since in ready]


def _conditions(before: Sequence[Json], failure: tuple[str, str] | None, now: str) -> list[Json]:
    kept = [one for one in before if one["type"] != FAILURE]
    if failure is None:
        return kept
    known = [one for one in before if one["type"] == FAILURE]
    reason, message = failure
    new = {"type": FAILURE, "status": "True", "lastTransitionTime": now, "reason": reason, "message": message}
    return [*kept, *(known or [new])]
