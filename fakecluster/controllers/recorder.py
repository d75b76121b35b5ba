"""Events that controllers record about objects (FK-471, FK-490).

An Event that is refused, such as in a namespace that is going, is dropped: what it is about has happened.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from ..api.status import StatusError
from ..api.steps import Steps
from ..base.json_types import Json
from ..base.numbers.timestamps import at
from ..registry.machinery import Api
from ..store import Name
from .actor import Actor

Key = tuple[str | None, str, str, str, str]
MAX_REMEMBERED_EVENTS = 4096
NANOSECONDS = 1_000_000_000
Type = Literal["Normal", "Warning"]


class Recorder:
    """Writes Events in the name of one component, such as a controller or the kubelet of a host."""

    def __init__(self, actor: Actor, component: str, host: str = "") -> None:
        self._actor = actor
        self._source = {"component": component, "host": host} if host else {"component": component}
        self._reporter = {"reportingComponent": component, "reportingInstance": host}
        self._recorded: dict[Key, Name] = {}
        """The Events that were recorded last, by what they say."""

    def record(
        self, about: Json, reason: str, message: str, kind: Type = "Normal", field_path: str = ""
    ) -> Steps[None]:
        """Record what happened to an object, or to the part of it at `field_path`; what happened before is
        counted once more.
        """
        current_time, key = (
            at(self._actor.api.clock.now()),
            (about["metadata"].get("uid"), field_path, kind, reason, message),
        )
        if (yield from self._count(self._recorded.pop(key, None), key, current_time)):
            return
        event = yield from _create(
            self._actor,
            about,
            field_path,
            {
                "reason": reason,
                "message": message,
                "type": kind,
                "count": 1,
                "source": self._source,
                "firstTimestamp": current_time,
                "lastTimestamp": current_time,
                **self._reporter,
            },
        )
        if event is not None:
            self._remember(key, (event["metadata"]["namespace"], event["metadata"]["name"]))

    def _count(self, name: Name | None, key: Key, current_time: str) -> Steps[bool]:
        """Count an Event once more; return whether it is there and was counted."""
        row = self._actor.kind("v1", "Event")
        stored = self._actor.api.store.get(row.stored_as, name) if row and name else None
        if row is None or stored is None:
            return False
        count = stored.object.get("count", 0) + 1
        with suppress(StatusError):
            yield from self._actor.patch(row, stored, {"count": count, "lastTimestamp": current_time})
        self._remember(key, stored.name)
        return True

    def _remember(self, key: Key, name: Name) -> None:
        self._recorded[key] = name
        if len(self._recorded) > MAX_REMEMBERED_EVENTS:
            del self._recorded[next(iter(self._recorded))]


class ActionRecorder:
    """Writes Events in the form of events.k8s.io/v1, which name the action of a reporting instance."""

    def __init__(self, actor: Actor, controller: str, instance: str) -> None:
        self._actor = actor
        self._reporter = {"reportingComponent": controller, "reportingInstance": instance}

    def record(self, about: Json, reason: str, action: str, note: str, kind: Type = "Normal") -> Steps[None]:
        """Record what was done about an object."""
        # eventTime is a MicroTime, unlike firstTimestamp and lastTimestamp: Go writes six digits of the
        # second.
        current_time = at(self._actor.api.clock.now()).replace("Z", ".000000Z")
        yield from _create(
            self._actor,
            about,
            "",
            {
                "reason": reason,
                "action": action,
                "message": note,
                "type": kind,
                "eventTime": current_time,
                **self._reporter,
            },
        )


def _create(actor: Actor, about: Json, field_path: str, content: Json) -> Steps[Json | None]:
    """Create an Event and return it; None where it is refused."""
    row, metadata = actor.kind("v1", "Event"), about["metadata"]
    if row is None:
        return None
    reference = {
        "apiVersion": about["apiVersion"],
        "kind": about["kind"],
        "name": metadata["name"],
        "uid": metadata.get("uid"),
        "resourceVersion": metadata.get("resourceVersion"),
        "namespace": metadata.get("namespace"),
        "fieldPath": field_path,
    }
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {
            "name": f"{metadata['name']}.{_moment(actor.api):x}",
            "namespace": metadata.get("namespace", "default"),
        },
        "involvedObject": {name: value for name, value in reference.items() if value},
        **content,
    }
    try:
        return (yield from actor.create(row, event))
    except StatusError:
        return None


def _moment(api: Api) -> int:
    """Return nanoseconds for the name of an Event:
    later Events of an object come later in a list, as upstream.

    Below the second it is the revision, because on virtual time many things happen in one moment.
    """
    return int(api.clock.now()) * NANOSECONDS + api.store.revision % NANOSECONDS
