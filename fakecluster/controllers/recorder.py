"""Events that controllers record about objects, as core/v1 (FK-471)."""

from __future__ import annotations

from typing import Any, Literal

from ..api.steps import Steps
from ..numbers.timestamps import at
from .actor import Actor

Json = Any


class Recorder:
    """Writes Events in the name of one component."""

    def __init__(self, actor: Actor, component: str) -> None:
        self._actor = actor
        self._component = component

    def record(
        self, about: Json, reason: str, message: str, kind: Literal["Normal", "Warning"] = "Normal"
    ) -> Steps[None]:
        """Record what happened to an object."""
        row = self._actor.kind("v1", "Event")
        if row is None:
            return
        now, metadata = at(self._actor.api.clock.now()), about["metadata"]
        namespace = metadata.get("namespace", "default")
        suffix = f"{self._actor.api.random.getrandbits(64):016x}"
        reference = {
            "apiVersion": about["apiVersion"], "kind": about["kind"], "name": metadata["name"], "uid": metadata["uid"],
            "resourceVersion": metadata["resourceVersion"], "namespace": metadata.get("namespace", ""),
        }  # fmt: skip
        event = {
            "apiVersion": "v1", "kind": "Event",
            "metadata": {"name": f"{metadata['name']}.{suffix}", "namespace": namespace},
            "involvedObject": {name: value for name, value in reference.items() if value},
            "reason": reason, "message": message, "type": kind, "count": 1,
            "source": {"component": self._component}, "firstTimestamp": now, "lastTimestamp": now,
            "reportingComponent": self._component,
        }  # fmt: skip
        yield from self._actor.create(row, event)
