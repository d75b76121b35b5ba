"""Events: events.k8s.io/v1, folded as client-go folds them (AC-380…383, C-08, R-11).

Two events are one when type, action, reason, controller, instance and the object they regard, its resourceVersion
included, are equal; the note does not count, so of a folded pair only the first note is ever seen. The second makes a
series, later ones are only counted.
"""

from __future__ import annotations

import asyncio
import socket
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from ..api.resource import Json, Key, Resource, key_of
from .client import Client
from .clock import Clock
from .errors import ApiError, UnreachableError
from .log import Logger

EVENTS = Resource(group="events.k8s.io", version="v1", plural="events", kind="Event")
FOLD_SECONDS = 360.0
NOTE_LIMIT = 1024
SENDERS = 4
EventType = Literal["Normal", "Warning"]
FoldKey = tuple[str, ...]
Send = tuple[Json, Json | None]


class Broadcaster:
    """Sends the events of all recorders, those of one object in their order."""

    def __init__(self, client: Client, clock: Clock, log: Logger) -> None:
        self._client = client
        self._clock = clock
        self._log = log.named("events")
        self._folds: dict[FoldKey, Json] = {}
        self._lanes: tuple[asyncio.Queue[Send], ...] = tuple(asyncio.Queue() for _ in range(SENDERS))
        self.host = socket.gethostname()

    def recorder(self, controller: str) -> Recorder:
        """Return the recorder of a reporting controller."""
        return Recorder(self, controller)

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as group:
            for lane in self._lanes:
                group.create_task(self._drain(lane))

    def record(
        self, controller: str, regarding: Json, kind: EventType, action: str, reason: str, note: str
    ) -> None:
        """Fold an event into the one it repeats, or send it."""
        now = self._clock.now()
        event = _event(controller, self.host, regarding, kind, action, reason, note, now)
        self._forget_old(now)
        fold = _fold_key(event)
        first = self._folds.get(fold)
        if first is None:
            self._folds[fold] = event
            self._send(event, None)
        elif "series" in first:
            series = {"count": first["series"]["count"] + 1, "lastObservedTime": event["eventTime"]}
            self._folds[fold] = {**first, "series": series}
        else:
            series = {"count": 2, "lastObservedTime": event["eventTime"]}
            self._folds[fold] = {**first, "series": series}
            self._send(self._folds[fold], {"series": series})

    def _send(self, event: Json, patch: Json | None) -> None:
        uid = event["regarding"].get("uid") or event["metadata"]["name"]
        self._lanes[zlib.crc32(uid.encode()) % SENDERS].put_nowait((event, patch))

    async def _drain(self, lane: asyncio.Queue[Send]) -> None:
        while True:
            event, patch = await lane.get()
            with self._clock.busy():
                await self._deliver(event, patch)
                while not lane.empty():
                    await self._deliver(*lane.get_nowait())

    async def _deliver(self, event: Json, patch: Json | None) -> None:
        try:
            if patch is None or not await self._patch(key_of(event), patch):
                await self._client.create(EVENTS, event)
        except (ApiError, UnreachableError) as error:
            self._log.warning(
                "event lost", event=event["metadata"]["name"], reason=event["reason"], error=error
            )

    async def _patch(self, key: Key, patch: Json) -> bool:
        try:
            await self._client.patch(EVENTS, key, patch, kind="strategic")
        except ApiError as error:
            if not error.not_found:
                raise
            return False
        return True

    def _forget_old(self, now: float) -> None:
        """Forget what was last seen too long ago to be folded into."""
        edge = _micro_time(now - FOLD_SECONDS)
        for fold in [fold for fold, event in self._folds.items() if _last_seen(event) < edge]:
            del self._folds[fold]


class Recorder:
    """Records events in the name of one controller."""

    def __init__(self, broadcaster: Broadcaster, controller: str) -> None:
        self._broadcaster = broadcaster
        self._controller = controller

    def normal(self, obj: Json, reason: str, note: str, *, action: str = "") -> None:
        """Record that something expected happened to an object."""
        self._broadcaster.record(self._controller, obj, "Normal", action or reason, reason, note)

    def warning(self, obj: Json, reason: str, note: str, *, action: str = "") -> None:
        """Record that something happened that a user should look at."""
        self._broadcaster.record(self._controller, obj, "Warning", action or reason, reason, note)


def _event(
    controller: str, host: str, obj: Json, kind: EventType, action: str, reason: str, note: str, now: float
) -> Json:
    metadata = obj["metadata"]
    return {
        "apiVersion": EVENTS.api_version,
        "kind": EVENTS.kind,
        "metadata": {
            "name": f"{metadata['name']}.{int(now * 1e9):x}",
            "namespace": metadata.get("namespace") or "default",
        },
        "eventTime": _micro_time(now),
        "reportingController": controller,
        "reportingInstance": f"{controller}-{host}"[:128],
        "action": action,
        "reason": reason,
        "regarding": _reference(obj),
        "note": note if len(note) <= NOTE_LIMIT else note[:NOTE_LIMIT],
        "type": kind,
    }


def _reference(obj: Json) -> Mapping[str, str]:
    metadata = obj["metadata"]
    fields = ("namespace", "name", "uid", "resourceVersion")
    return {
        "apiVersion": obj["apiVersion"],
        "kind": obj["kind"],
        **{field: metadata[field] for field in fields if metadata.get(field)},
    }


def _fold_key(event: Json) -> FoldKey:
    names = ("type", "action", "reason", "reportingController", "reportingInstance")
    return (*(event[name] for name in names), *(f"{k}={v}" for k, v in event["regarding"].items()))


def _last_seen(event: Json) -> str:
    return str(event["series"]["lastObservedTime"] if "series" in event else event["eventTime"])


def _micro_time(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
