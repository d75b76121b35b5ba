"""Writes volumes and claims in the name of the binder, and the events about them (FK-504)."""

from __future__ import annotations

from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.machinery import Api
from ...store import Stored
from ..actor import Actor, service_account
from ..recorder import Recorder, Type

VOLUMES, CLAIMS = ("", "persistentvolumes"), ("", "persistentvolumeclaims")
CLASSES = ("storage.k8s.io", "storageclasses")
KINDS = {VOLUMES: "PersistentVolume", CLAIMS: "PersistentVolumeClaim"}
BOUND_BY_CONTROLLER, BIND_COMPLETED = (
    "pv.kubernetes.io/bound-by-controller",
    "pv.kubernetes.io/bind-completed",
)
PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"


class Storage:
    """The volumes, claims and classes of a cluster."""

    def __init__(self, api: Api) -> None:
        self._store = api.store
        self._actor = Actor(api, service_account("persistent-volume-binder"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "persistentvolume-controller")

    def volume(self, name: str) -> Stored | None:
        """Return a volume by its name."""
        return self._store.get(VOLUMES, ("", name))

    def volumes(self) -> list[Json]:
        """Return all volumes."""
        return [stored.object for stored in self._store.list(VOLUMES)]

    def claim(self, namespace: str, name: str) -> Stored | None:
        """Return a claim by its name."""
        return self._store.get(CLAIMS, (namespace, name))

    def storage_class(self, name: str) -> Json | None:
        """Return a StorageClass by its name."""
        stored = self._store.get(CLASSES, ("", name)) if name else None
        return stored.object if stored else None

    def update(self, stored: Stored, obj: Json) -> Steps[Json]:
        """Write an object where it differs from what is stored; return it. Raises StatusError."""
        row = self._actor.kind("v1", KINDS[stored.resource])
        return (yield from self._actor.update(row, obj)) if row and obj != stored.object else obj

    def update_status(self, stored: Stored, obj: Json, status: Json) -> Steps[bool]:
        """Write a status where it differs; return whether it does. Raises StatusError."""
        row = self._actor.kind("v1", KINDS[stored.resource])
        if row is None or status == obj.get("status"):
            return False
        yield from self._actor.update_status(row, {**obj, "status": status})
        return True

    def delete(self, stored: Stored) -> Steps[None]:
        """Delete an object. Raises StatusError."""
        row = self._actor.kind("v1", KINDS[stored.resource])
        if row:
            yield from self._actor.delete(row, stored)

    def record(self, obj: Json, reason: str, message: str, kind: Type = "Normal") -> Steps[None]:
        """Record what happened to a volume or claim."""
        yield from self._recorder.record(obj, reason, message, kind)


def annotate(obj: Json, **annotations: str) -> Json:
    """Return an object with further annotations."""
    metadata = obj["metadata"]
    return {
        **obj,
        "metadata": {**metadata, "annotations": {**(metadata.get("annotations") or {}), **annotations}},
    }


def annotation(obj: Json, name: str) -> str | None:
    """Return an annotation, None when an object does not have it."""
    value: str | None = (obj["metadata"].get("annotations") or {}).get(name)
    return value
