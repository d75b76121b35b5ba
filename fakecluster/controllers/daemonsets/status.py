"""The status of a DaemonSet."""

from __future__ import annotations

import math

from ...base.json_types import Json
from ..pod_state import is_ready, seconds_until_available
from .plan import View
from .pods import oldest_first

REQUIRED = ("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady")
OPTIONAL = ("updatedNumberScheduled", "numberAvailable", "numberUnavailable")


def of(view: View, collisions: int) -> Json:
    """Return the status; of several pods on a node the oldest counts."""
    runs = [node for node, placement in view.placements.items() if placement.runs]
    first = [oldest_first(view.pods[node])[0] for node in runs if view.pods.get(node)]
    ready = [pod for pod in first if is_ready(pod)]
    available = sum(map(view.is_available, ready))
    astray = [
        node for node, placement in view.placements.items() if not placement.runs and view.pods.get(node)
    ]
    numbers = {
        "currentNumberScheduled": len(first),
        "numberMisscheduled": len(astray),
        "desiredNumberScheduled": len(runs),
        "numberReady": len(ready),
        "observedGeneration": view.daemon_set["metadata"].get("generation", 0),
        "updatedNumberScheduled": sum(map(view.is_updated, first)),
        "numberAvailable": available,
        "numberUnavailable": len(runs) - available,
        "collisionCount": collisions,
    }
    shown = {name: value for name, value in numbers.items() if value or name in REQUIRED}
    before = view.daemon_set.get("status", {})
    return {**{name: value for name, value in before.items() if name not in OPTIONAL}, **shown}


def next_available(view: View) -> float | None:
    """Return in how many seconds another pod is available, None when there is none to wait for."""
    waits = (
        seconds_until_available(pod, view.min_ready, view.current_time)
        for pods in view.pods.values()
        for pod in pods
    )
    return min((seconds for seconds in waits if 0 < seconds < math.inf), default=None)
