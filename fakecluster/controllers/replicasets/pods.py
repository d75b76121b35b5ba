"""In which order surplus pods of a ReplicaSet go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...base.json_types import Json
from ...base.numbers.integers import fits
from ...base.numbers.timestamps import since_epoch
from ..pod_state import is_active, is_ready, phase, ready_since

COST = "controller.kubernetes.io/pod-deletion-cost"
PHASES = ("Pending", "Unknown", "Running")


def surplus(active: Sequence[Json], related: Iterable[Json], number: int) -> list[Json]:
    """Return the pods that go first: without a node, pending, not ready, cheap, on a node with many related
    pods, ready for a short time, restarted, young.
    """
    crowd = Counter(pod["spec"].get("nodeName") for pod in related if is_active(pod))
    return sorted(active, key=lambda pod: _rank(pod, crowd))[:number]


def _rank(pod: Json, crowd: Counter[Any]) -> tuple[Any, ...]:
    node = pod["spec"].get("nodeName")
    pod_phase = phase(pod) if phase(pod) in PHASES else "Unknown"
    return (
        bool(node),
        PHASES.index(pod_phase),
        is_ready(pod),
        _cost(pod),
        -crowd[node],
        -(ready_since(pod) or 0.0),
        -_restarts(pod),
        -since_epoch(pod["metadata"]["creationTimestamp"]),
        pod["metadata"]["name"],
    )


def _restarts(pod: Json) -> int:
    """Return how often the container of a pod that restarted most has restarted."""
    statuses = pod.get("status", {}).get("containerStatuses") or ()
    return max((status.get("restartCount", 0) for status in statuses), default=0)


def _cost(pod: Json) -> int:
    text = pod["metadata"].get("annotations", {}).get(COST, "0")
    return int(text) if fits(text, 32) else 0
