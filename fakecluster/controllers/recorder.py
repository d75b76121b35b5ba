"""Events that controllers record about objects (FK-471, FK-490).

An Event that is refused, such as in a namespace that is going, is dropped: what it is about has happened.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal

from ..api.status import StatusError
from ..api.steps import Steps
from ..numbers.timestamps import at
from ..registry.machinery import Api
from .actor import Actor

Json = Any
NANOSECONDS = 1_000_000_000
Type = Literal["Normal", "Warning"]


class Recorder:
    """Writes Events in the name of one component, such as a controller or the kubelet of a host."""

    def __init__(self, actor: Actor, component: str, host: str = "") -> None:
        self._actor = actor
        self._source = {"component": component, "host": host} if host else {"component": component}
        self._reporter = {"reportingComponent": component, "reportingInstance": host}

    def record(
        self, about: Json, reason: str, message: str, kind: Type = "Normal", field_path: str = ""
    ) -> Steps[None]:
        """Record what happened to an object, or to the part of it at `field_path`."""
        now = at(self._actor.api.clock.now())
        yield from _create(self._actor, about, field_path, {
            "reason": reason, "message": message, "type": kind, "count": 1, "source": self._source,
            "firstTimestamp": now, "lastTimestamp": now, **self._reporter,
        })  # fmt: skip


class ActionRecorder:
    """Writes Events in the form of events.k8s.io/v1, which name the action of a reporting instance."""

    def __init__(self, actor: Actor, controller: str, instance: str) -> None:
        self._actor = actor
        self._reporter = {"reportingComponent": controller, "reportingInstance": instance}

    def record(self, about: Json, reason: str, action: str, note: str, kind: Type = "Normal") -> Steps[None]:
        """Record what was done about an object."""
        now = at(self._actor.api.clock.now()).replace("Z", ".000000Z")
        yield from _create(self._actor, about, "", {
            "reason": reason, "action": action, "message": note, "type": kind, "eventTime": now, **self._reporter,
        })  # fmt: skip


def _create(actor: Actor, about: Json, field_path: str, content: Json) -> Steps[None]:
    row, metadata = actor.kind("v1", "Event"), about["metadata"]
    if row is None:
        return
    reference = {
        "apiVersion": about["apiVersion"], "kind": about["kind"], "name": metadata["name"],
        "uid": metadata.get("uid"), "resourceVersion": metadata.get("resourceVersion"), "namespace": metadata.get("namespace"),
        "fieldPath": field_path,
    }  # fmt: skip
    event = {
        "apiVersion": "v1", "kind": "Event",
        "metadata": {
            "name": f"{metadata['name']}.{_moment(actor.api):x}",
            "namespace": metadata.get("namespace", "default"),
        },
        "involvedObject": {name: value for name, value in reference.items() if value},
        **content,
    }  # fmt: skip
    with suppress(StatusError):
        yield from actor.create(row, event)


def _moment(api: Api) -> int:
    """Return nanoseconds for the name of an Event: later Events of an object come later in a list, as upstream.

    Below the second it is the revision, because on virtual time many things happen in one moment.
    """
    return int(api.clock.now()) * NANOSECONDS + api.store.revision % NANOSECONDS
