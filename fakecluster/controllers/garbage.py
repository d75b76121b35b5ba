"""The garbage collector: dependents follow their owners, in the way the owner's deletion asked for (FK-114,
FK-120…FK-123).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from ..api.kind import Kind
from ..api.steps import Steps
from ..registry.machinery import Api
from ..store import Event, Store, Stored
from .actor import Actor, service_account
from .dependents import Dependents
from .engine import Key
from .owners import references
from .recorder import Recorder

Json = Any
ORPHAN = "orphan"
FOREGROUND = "foregroundDeletion"
IGNORED = frozenset({("", "events")})


class Owners(Struct, frozen=True):
    """A dependent's owners: those that stand, those that are gone, those that wait for their dependents to
    go.
    """

    solid: tuple[Json, ...]
    dangling: tuple[Json, ...]
    waiting: tuple[Json, ...]


class GarbageCollector:
    """Deletes objects whose owners are gone, and finishes deletions that wait for dependents."""

    resources = None

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("generic-garbage-collector"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "garbage-collector-controller")
        self._dependents = Dependents(api.store)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return everything that has owners or waits for its dependents."""
        for resource in sorted({kind.stored_as for kind in self._api.registry.kinds()} - IGNORED):
            for one in store.list(resource):
                self._dependents.add(one)
                if references(one.object) or _waits(one.object):
                    yield _key(one)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the object itself, its dependents when it went, and owners that wait for it."""
        if event.resource in IGNORED:
            return
        self._dependents.observe(event)
        if event.type == "DELETED":
            yield from (_key(one) for one in self._dependents.of(event.after.uid))
            yield from self._waiting_owners(event.after)
        elif references(event.after.object) or _waits(event.after.object):
            yield _key(event.after)
            yield from (_key(one) for one in self._dependents.of(event.after.uid))
            yield from self._waiting_owners(event.after)

    def work(self, key: Key) -> Steps[float | None]:
        """Look at one object."""
        stored = self._api.store.get((key[0], key[1]), (key[2], key[3]))
        kind = self._kind(stored) if stored else None
        if stored is None or kind is None:
            return None
        metadata = stored.object["metadata"]
        if "deletionTimestamp" in metadata:
            yield from self._finish(kind, stored, metadata.get("finalizers", ()))
        elif references(stored.object):
            yield from self._follow(kind, stored)
        return None

    def _finish(self, kind: Kind, stored: Stored, finalizers: Iterable[str]) -> Steps[None]:
        if ORPHAN in finalizers:
            for one in self._dependents.of(stored.uid):
                yield from self._disown(one, {stored.uid})
            yield from self._drop_finalizer(kind, stored, ORPHAN)
        elif FOREGROUND in finalizers:
            blocking = [one for one in self._dependents.of(stored.uid) if _blocks(one, stored.uid)]
            for one in blocking:
                if row := self._kind(one):
                    yield from self._follow(row, one)
            if not any(_blocks(one, stored.uid) for one in self._dependents.of(stored.uid)):
                yield from self._drop_finalizer(kind, stored, FOREGROUND)

    def _follow(self, kind: Kind, stored: Stored) -> Steps[None]:
        """Delete a dependent without owners, or take from it the owners that are gone."""
        owners = self._owners(kind, stored)
        yield from self._tell(kind, stored, owners.dangling)
        lost = {one["uid"] for one in (*owners.dangling, *owners.waiting)}
        if not lost or "deletionTimestamp" in stored.object["metadata"]:
            return
        if owners.solid:
            yield from self._disown(stored, lost)
            return
        cascades = owners.waiting and self._dependents.of(stored.uid)
        yield from self._actor.delete(
            kind, stored, propagationPolicy="Foreground" if cascades else _policy(stored)
        )

    def _tell(self, kind: Kind, stored: Stored, dangling: Iterable[Json]) -> Steps[None]:
        """Record an event about an owner in another namespace, which cannot own the object (FK-121)."""
        for reference in dangling:
            row = self._api.registry.of_kind(reference["apiVersion"], reference["kind"])
            elsewhere = self._api.store.list(row.stored_as) if row and row.namespaced else ()
            if any(one.uid == reference["uid"] for one in elsewhere):
                namespace = stored.name[0]
                place = f"namespace: {namespace}, name: {reference['name']}, uid: {reference['uid']}"
                owner = f"[{reference['apiVersion']}/{reference['kind']}, {place}]"
                text = f'ownerRef {owner} does not exist in namespace "{namespace}"'
                about = {**stored.object, "apiVersion": kind.api_version, "kind": kind.kind}
                yield from self._recorder.record(about, "OwnerRefInvalidNamespace", text, "Warning")

    def _owners(self, kind: Kind, stored: Stored) -> Owners:
        found: dict[str, list[Json]] = {"solid": [], "dangling": [], "waiting": []}
        for reference in references(stored.object):
            found[self._standing(kind, stored, reference)].append(reference)
        return Owners(tuple(found["solid"]), tuple(found["dangling"]), tuple(found["waiting"]))

    def _standing(self, kind: Kind, stored: Stored, reference: Json) -> str:
        """Return whether an owner is solid, dangling or waiting; one of an unknown kind is left alone."""
        row = self._api.registry.of_kind(reference["apiVersion"], reference["kind"])
        if row is None or (row.namespaced and not kind.namespaced):
            return "solid"
        namespace = stored.name[0] if row.namespaced else ""
        owner = self._api.store.get(row.stored_as, (namespace, reference["name"]))
        if owner is None or owner.uid != reference["uid"]:
            return "dangling"
        metadata = owner.object["metadata"]
        goes = "deletionTimestamp" in metadata and FOREGROUND in metadata.get("finalizers", ())
        return "waiting" if goes and reference.get("blockOwnerDeletion") else "solid"

    def _disown(self, stored: Stored, uids: set[str]) -> Steps[None]:
        kind = self._kind(stored)
        left = [one for one in references(stored.object) if one["uid"] not in uids]
        if kind:
            yield from self._actor.patch(kind, stored, {"metadata": {"ownerReferences": left or None}})

    def _drop_finalizer(self, kind: Kind, stored: Stored, name: str) -> Steps[None]:
        current = self._api.store.get(stored.resource, stored.name)
        if current and current.uid == stored.uid:
            left = [one for one in current.object["metadata"].get("finalizers", ()) if one != name]
            yield from self._actor.patch(kind, current, {"metadata": {"finalizers": left or None}})

    def _kind(self, stored: Stored) -> Kind | None:
        return self._api.registry.of_kind(stored.object["apiVersion"], stored.object["kind"])

    def _waiting_owners(self, stored: Stored) -> Iterable[Key]:
        for reference in references(stored.object):
            row = self._api.registry.of_kind(reference["apiVersion"], reference["kind"])
            if row:
                yield (*row.stored_as, stored.name[0] if row.namespaced else "", reference["name"])


def _key(stored: Stored) -> Key:
    return (*stored.resource, *stored.name)


def _waits(obj: Json) -> bool:
    finalizers = obj["metadata"].get("finalizers", ())
    return "deletionTimestamp" in obj["metadata"] and (ORPHAN in finalizers or FOREGROUND in finalizers)


def _blocks(stored: Stored, uid: str) -> bool:
    return any(one["uid"] == uid and one.get("blockOwnerDeletion") for one in references(stored.object))


def _policy(stored: Stored) -> str:
    finalizers = stored.object["metadata"].get("finalizers", ())
    if ORPHAN in finalizers:
        return "Orphan"
    return "Foreground" if FOREGROUND in finalizers else "Background"
