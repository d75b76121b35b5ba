"""In which order surplus pods of a ReplicaSet go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...numbers.integers import fits
from ...numbers.timestamps import since_epoch
from ..pod_state import is_ready, phase, ready_since

Json = Any
COST = "controller.kubernetes.io/pod-deletion-cost"
PHASES = ("Pending", "Unknown", "Running")


def surplus(active: Sequence[Json], number: int) -> list[Json]:
    """Return the pods that go first: without a node, pending, not ready, cheap, crowded, ready or made not
    long ago.
    """
    crowd = Counter(one["spec"].get("nodeName") for one in active)
    return sorted(active, key=lambda pod: _rank(pod, crowd))[:number]


def _rank(pod: Json, crowd: Counter[Any]) -> tuple[Any, ...]:
    node = pod["spec"].get("nodeName")
    known = phase(pod) if phase(pod) in PHASES else "Unknown"
    return (
        bool(node),
        PHASES.index(known),
        is_ready(pod),
        _cost(pod),
        -crowd[node],
        -(ready_since(pod) or 0.0),
        -since_epoch(pod["metadata"]["creationTimestamp"]),
        pod["metadata"]["name"],
    )


def _cost(pod: Json) -> int:
    text = pod["metadata"].get("annotations", {}).get(COST, "0")
    return int(text) if fits(text, 32) else 0
