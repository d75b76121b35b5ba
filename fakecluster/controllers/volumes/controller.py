"""Keeps PersistentVolumes and PersistentVolumeClaims bound to each other (FK-504).

No volume is made or grown: that is what provisioners are for.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...api.steps import Steps
from ...registry.machinery import Api
from ...store import Event, Store
from ..engine import Key
from .claims import ClaimSync
from .storage import BIND_COMPLETED, CLAIMS, CLASSES, VOLUMES, Storage, annotation
from .volumes import VolumeSync

OFFERED_PHASES = frozenset({None, "Pending", "Available"})
"""Phases of a volume that a claim may wait for."""


class PersistentVolumeController:
    """Brings volumes and claims forward, one at a time."""

    resources = (VOLUMES, CLAIMS, CLASSES)

    def __init__(self, api: Api) -> None:
        self._store = api.store
        storage = Storage(api)
        self._volumes = VolumeSync(storage)
        self._claims = ClaimSync(storage)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every volume and claim."""
        return [(*stored.resource, *stored.name) for kind in (VOLUMES, CLAIMS) for stored in store.list(kind)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return what an event concerns: the object, what it is bound to, and claims that wait for it."""
        if event.resource == CLASSES:
            return [] if event.type == "DELETED" else self._waiting()
        own: Key = (*event.resource, *event.after.name)
        states = [state.object for state in (event.before, event.after) if state]
        if event.resource == CLAIMS:
            volumes = {state["spec"].get("volumeName") for state in states} - {None, ""}
            return [own, *((*VOLUMES, "", name) for name in sorted(volumes))]
        references = [state["spec"].get("claimRef") or {} for state in states]
        bound = {(claim.get("namespace", ""), claim["name"]) for claim in references if claim.get("name")}
        may_serve = (
            event.type != "DELETED" and event.after.object.get("status", {}).get("phase") in OFFERED_PHASES
        )
        named = self._waiting() if may_serve else []
        return list(dict.fromkeys([own, *((*CLAIMS, *name) for name in sorted(bound)), *named]))

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one volume or claim forward."""
        stored = self._store.get((key[0], key[1]), (key[2], key[3]))
        if stored is None:
            return None
        if stored.resource == VOLUMES:
            yield from self._volumes.sync(stored)
        else:
            yield from self._claims.sync(stored)
        return None

    def _waiting(self) -> list[Key]:
        """Return the claims that are not bound."""
        return [
            (*CLAIMS, *stored.name)
            for stored in self._store.list(CLAIMS)
            if annotation(stored.object, BIND_COMPLETED) is None
        ]
