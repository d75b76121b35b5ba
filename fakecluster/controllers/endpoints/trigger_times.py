"""When that happened which changed the endpoints of a Service:
the annotation `last-change-trigger-time` (FK-462).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...base.json_types import Json
from ...store import Name


class TriggerTimes:
    """Remembers when pods became ready, or not, as of the last look at each Service."""

    def __init__(self) -> None:
        self._pods: dict[Name, dict[str, str]] = {}

    def of(self, service: Json, pods: Iterable[Json]) -> str:
        """Return the earliest time that is new since the last look,
        RFC 3339; that of the Service at the first.
        """
        metadata = service["metadata"]
        name = (metadata["namespace"], metadata["name"])
        before, times = self._pods.get(name), {pod["metadata"]["name"]: _ready_since(pod) for pod in pods}
        self._pods[name] = times
        if before is None:
            return str(metadata["creationTimestamp"])
        return min((time for pod, time in times.items() if time > before.get(pod, "")), default="")

    def forget(self, name: Name) -> None:
        """Forget a Service that is gone."""
        self._pods.pop(name, None)


def _ready_since(pod: Json) -> str:
    conditions = pod.get("status", {}).get("conditions") or ()
    return next(
        (
            condition.get("lastTransitionTime") or ""
            for condition in conditions
            if condition["type"] == "Ready"
        ),
        "",
    )
