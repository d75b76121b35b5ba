"""Events as cluster-autoscaler records them: core/v1, the same text about the same object once in five
minutes (PR-187…192, finding X10).
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Final, Literal

from reference_impl.api import instants
from reference_impl.api.resource import Json, Resource
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.log import Logger

EVENTS: Final = Resource(group="", version="v1", plural="events", kind="Event")
COMPONENT: Final = "cluster-autoscaler"
REPEAT_SECONDS: Final = 300.0
NO_REASON: Final = ""
"""Some events have none: the field is left out."""
EventType = Literal["Normal", "Warning"]


class EventRecorder:
    """Sends events in their order, beside the work."""

    name = "events of the autoscaler"

    def __init__(self, client: Client, clock: Clock, log: Logger, *, repeat: bool) -> None:
        self._client, self._clock, self._log, self._repeat = client, clock, log, repeat
        self._queue: asyncio.Queue[tuple[Json, AbstractContextManager[None]]] = asyncio.Queue()
        self._told: dict[tuple[str, ...], float] = {}
        self._last_name = 0

    def record(self, regarding: Json, kind: EventType, reason: str, message: str) -> None:
        """Record what happened to an object; what was said of it a moment ago is not said again."""
        current_time = self._clock.now()
        key = (regarding["kind"], regarding.get("namespace", ""), regarding["name"], kind, reason, message)
        if not self._repeat and current_time - self._told.get(key, -REPEAT_SECONDS) < REPEAT_SECONDS:
            return
        self._forget_old(current_time)
        self._told.pop(key, None)
        self._told[key] = current_time
        token = self._clock.busy()
        token.__enter__()
        self._queue.put_nowait((self._event(regarding, kind, reason, message, current_time), token))

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            event, token = await self._queue.get()
            try:
                await self._client.create(EVENTS, event)
            except (ApiError, UnreachableError, TimeoutError) as error:
                self._log.warning("event lost", event=event["metadata"]["name"], error=error)
            finally:
                token.__exit__(None, None, None)

    def _event(
        self, regarding: Json, kind: EventType, reason: str, message: str, current_time: float
    ) -> Json:
        self._last_name = max(int(current_time * 1e9), self._last_name + 1)
        time = instants.render(current_time)
        event = {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {
                "name": f"{regarding['name']}.{self._last_name:x}",
                "namespace": regarding.get("namespace") or "default",
            },
            "involvedObject": regarding,
            "reason": reason,
            "message": message,
            "source": {"component": COMPONENT},
            "firstTimestamp": time,
            "lastTimestamp": time,
            "count": 1,
            "type": kind,
        }
        if reason == NO_REASON:
            del event["reason"]
        return event

    def _forget_old(self, current_time: float) -> None:
        while self._told:
            key, count = next(iter(self._told.items()))
            if current_time - count < REPEAT_SECONDS:
                return
            del self._told[key]


def of_pod(namespace: str, name: str, uid: str = "") -> Json:
    """Return a reference to a pod, which need not exist."""
    reference = {"apiVersion": "v1", "kind": "Pod", "namespace": namespace, "name": name}
    return {**reference, "uid": uid} if uid else reference


def of_object(obj: Json) -> Json:
    """Return a reference to an object."""
    metadata = obj["metadata"]
    named = {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "name": metadata["name"]}
    return {
        **named,
        **{key: metadata[key] for key in ("namespace", "uid", "resourceVersion") if key in metadata},
    }
