"""Events: events.k8s.io/v1, folded as client-go folds them (AC-380…383, C-08, R-11).

Two events are one when type, action, reason, controller, instance and the regarded object, its resource-
Version included, are equal; the note does not count, so of a folded pair only the first is ever seen. The
second makes a series, later ones are only counted.
"""

from __future__ import annotations

import asyncio
import socket
import zlib
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from ..api.kinds import EVENTS
from ..api.resource import Json, Key, key_of
from ..api.shortening import shorten
from .client import Client
from .clock import Clock
from .errors import ApiError, UnreachableError
from .log import Logger

FOLD_SECONDS = 360.0
NOTE_LIMIT = 1024
INSTANCE_LIMIT = 128
LANES = 4
SERIES_STARTS = 2
EventType = Literal["Normal", "Warning"]
FoldKey = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord:
    """An Event of a controller about an object."""

    controller: str
    regarding: Json
    type: EventType
    action: str
    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """An event under way: created, or patched when it repeats one; busy until it has arrived."""

    event: Json
    patch: Json | None
    token: AbstractContextManager[None]


class Broadcaster:
    """Sends the events of all recorders, those of one object in their order."""

    def __init__(self, client: Client, clock: Clock, log: Logger) -> None:
        self._client = client
        self._clock = clock
        self._log = log.with_name("events")
        self._host = socket.gethostname()
        self._folds: dict[FoldKey, Json] = {}
        self._lanes: tuple[asyncio.Queue[PendingEvent], ...] = tuple(asyncio.Queue() for _ in range(LANES))
        self._last_name = 0

    def recorder(self, controller: str) -> Recorder:
        """Return the recorder of a reporting controller."""
        return Recorder(self, controller)

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as group:
            for lane in self._lanes:
                group.create_task(self._drain(lane))

    def record(self, happening: EventRecord) -> None:
        """Fold an event into the one it repeats, or send it."""
        current_time = self._clock.now()
        event = _event(happening, self._host, current_time, self._unique(current_time))
        self._forget_old(current_time)
        fold = _fold_key(event)
        # Taken out and put back: the dictionary stays in the order of last use, so that
        # old folds are at its beginning.
        first = self._folds.pop(fold, None)
        if first is None:
            self._folds[fold] = event
            self._send(event, None)
            return
        count = first["series"]["count"] + 1 if "series" in first else 2
        series = {"count": count, "lastObservedTime": event["eventTime"]}
        self._folds[fold] = {**first, "series": series}
        # client-go counts later repetitions and sends them with its next refresh only.
        if count == SERIES_STARTS:
            self._send(self._folds[fold], {"series": series})

    def _unique(self, current_time: float) -> int:
        """Return a number for the name, later than any before: virtual time may stand still."""
        # client-go names events by nanoseconds. In virtual time many happen in the same
        # one.
        self._last_name = max(int(current_time * 1e9), self._last_name + 1)
        return self._last_name

    def _send(self, event: Json, patch: Json | None) -> None:
        uid = event["regarding"].get("uid") or event["metadata"]["name"]
        token = self._clock.busy()
        token.__enter__()
        # Events of one object keep their order, those of different objects do not wait
        # for each other. crc32 and not hash(): the same lane in every run.
        self._lanes[zlib.crc32(uid.encode()) % LANES].put_nowait(PendingEvent(event, patch, token))

    async def _drain(self, lane: asyncio.Queue[PendingEvent]) -> None:
        try:
            while True:
                sending = await lane.get()
                try:
                    await self._deliver(sending.event, sending.patch)
                finally:
                    sending.token.__exit__(None, None, None)
        finally:
            while not lane.empty():
                lane.get_nowait().token.__exit__(None, None, None)

    async def _deliver(self, event: Json, patch: Json | None) -> None:
        try:
            # A series whose event was deleted meanwhile is created again, as client-go
            # does.
            if patch is None or not await self._patch(key_of(event), patch):
                await self._create(event)
        except (ApiError, UnreachableError) as error:
            self._log.warning(
                "event lost", event=event["metadata"]["name"], reason=event["reason"], error=error
            )

    async def _create(self, event: Json) -> None:
        """Create it, under a later name where another program has taken this one in the same nanosecond, as
        in virtual time.
        """
        while True:
            try:
                await self._client.create(EVENTS, event)
            except ApiError as error:
                if not error.is_already_exists:
                    raise
                # The fold that this event began knows it by the same dictionary, so that a series goes to the
                # new name.
                event["metadata"]["name"] = _name(event["regarding"], self._unique(self._clock.now()))
            else:
                return

    async def _patch(self, key: Key, patch: Json) -> bool:
        try:
            await self._client.patch(EVENTS, key, patch, kind="strategic")
        except ApiError as error:
            if not error.is_not_found:
                raise
            return False
        return True

    def _forget_old(self, current_time: float) -> None:
        """Forget what was last seen too long ago to be folded into; the folds stand in the order of that."""
        edge = _micro_time(current_time - FOLD_SECONDS)
        while self._folds:
            fold, event = next(iter(self._folds.items()))
            if _last_seen(event) >= edge:
                return
            del self._folds[fold]


class Recorder:
    """Records events in the name of one controller."""

    def __init__(self, broadcaster: Broadcaster, controller: str) -> None:
        self._broadcaster = broadcaster
        self._controller = controller

    def normal(self, obj: Json, reason: str, note: str, *, action: str = "") -> None:
        """Record that something expected happened to an object."""
        self._record(obj, "Normal", action or reason, reason, note)

    def warning(self, obj: Json, reason: str, note: str, *, action: str = "") -> None:
        """Record that something happened that a user should look at."""
        self._record(obj, "Warning", action or reason, reason, note)

    def record(self, obj: Json, kind: EventType, reason: str, note: str) -> None:
        """Record either."""
        self._record(obj, kind, reason, reason, note)

    def _record(self, obj: Json, kind: EventType, action: str, reason: str, note: str) -> None:
        self._broadcaster.record(
            EventRecord(
                controller=self._controller, regarding=obj, type=kind, action=action, reason=reason, note=note
            )
        )


def _event(happening: EventRecord, host: str, current_time: float, unique: int) -> Json:
    metadata = happening.regarding["metadata"]
    return {
        "apiVersion": EVENTS.api_version,
        "kind": EVENTS.kind,
        "metadata": {
            "name": _name(metadata, unique),
            # Events of cluster-scoped objects live in `default`.
            "namespace": metadata.get("namespace") or "default",
        },
        "eventTime": _micro_time(current_time),
        "reportingController": happening.controller,
        # The API refuses longer instances, and longer notes.
        "reportingInstance": f"{happening.controller}-{host}"[:INSTANCE_LIMIT],
        "action": happening.action,
        "reason": happening.reason,
        "regarding": _reference(happening.regarding),
        "note": shorten(happening.note, NOTE_LIMIT),
        "type": happening.type,
    }


def _name(regarding: Json, unique: int) -> str:
    return f"{regarding['name']}.{unique:x}"


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


def _micro_time(current_time: float) -> str:
    return datetime.fromtimestamp(current_time, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
