"""What has become of a pod, as every controller of pods asks:
whether it ended, goes, is ready or available.
"""

from __future__ import annotations

import math

from ..base.json_types import Json
from ..base.numbers.timestamps import since_epoch

ENDED = frozenset({"Succeeded", "Failed"})


def phase(pod: Json) -> str:
    """Return a pod's phase."""
    return str(pod.get("status", {}).get("phase", ""))


def has_ended(pod: Json) -> bool:
    """Tell whether the containers of a pod have ended for good."""
    return phase(pod) in ENDED


def is_deleted(pod: Json) -> bool:
    """Tell whether a pod is being deleted."""
    return "deletionTimestamp" in pod["metadata"]


def is_active(pod: Json) -> bool:
    """Tell whether a pod is neither finished nor being deleted."""
    return not has_ended(pod) and not is_deleted(pod)


def is_terminating(pod: Json) -> bool:
    """Tell whether a pod is being deleted and has not finished."""
    return not has_ended(pod) and is_deleted(pod)


def is_ready(pod: Json) -> bool:
    """Tell whether a pod is ready."""
    condition = ready_condition(pod)
    return condition is not None and condition["status"] == "True"


def ready_condition(pod: Json) -> Json | None:
    """Return the condition Ready of a pod, None when it has none."""
    conditions = pod.get("status", {}).get("conditions", ())
    return next((condition for condition in conditions if condition["type"] == "Ready"), None)


def ready_since(pod: Json) -> float | None:
    """Return since when a pod is ready, None when it is not; 0 where that is not known."""
    condition = ready_condition(pod)
    if condition is None or condition["status"] != "True":
        return None
    since = condition.get("lastTransitionTime")
    return since_epoch(since) if since else 0.0


def seconds_until_available(pod: Json, min_ready: float, current_time: float) -> float:
    """Return in how many seconds a pod has been ready for long enough, 0 when it has; infinite for a pod that
    is not ready.
    """
    since = ready_since(pod)
    if since is None or (min_ready and not since):
        return math.inf
    return max(0.0, since + min_ready - current_time) if min_ready else 0.0


def is_available(pod: Json, min_ready: float, current_time: float) -> bool:
    """Tell whether a pod has been ready for `min_ready` seconds."""
    return seconds_until_available(pod, min_ready, current_time) == 0
