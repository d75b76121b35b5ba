"""The garbage collector: dependents follow their owners,
in the way the owner's deletion asked for (FK-114, FK-120…FK-123).

An object is looked at when one of these happens, and not at any other change: it names an owner that is
absent; an owner goes, or begins to wait for its dependents; it begins to wait for its own; a dependent that
it waits for goes, or blocks it no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..api.kind import Kind
from ..api.steps import Steps
from ..base.json_types import Json
from ..meta.metadata import FOREGROUND_FINALIZER, ORPHAN_FINALIZER
from ..registry.machinery import Api
from ..store import Event, Store, Stored
from .actor import Actor, service_account
from .dependents import Dependents
from .engine import Key
from .owners import references
from .ownership import Ownership, UndecidedError, blocks, goes_with, waits_for_dependents
from .recorder import Recorder

# The real collector ignores events as well.
IGNORED_RESOURCES = frozenset({("", "events")})
DEFINITIONS = ("apiextensions.k8s.io", "customresourcedefinitions")


class GarbageCollector:
    """Deletes objects whose owners are gone, and finishes deletions that wait for dependents."""

    # Objects of any kind can be owners, so every event concerns it.
    resources = None

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("generic-garbage-collector"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "garbage-collector-controller")
        self._dependents = Dependents(api.store)
        self._ownership = Ownership(api.store, api.registry)
        self._undecided: dict[Key, None] = {}
        """Objects with an owner of a kind that may be served one day."""

    def initial(self, store: Store) -> Iterable[Key]:
        """Return everything that has owners or waits for its dependents."""
        # Sorted, as a set of texts has another order in every process.
        for resource in sorted({kind.stored_as for kind in self._api.registry.kinds()} - IGNORED_RESOURCES):
            for stored in store.list(resource):
                self._dependents.add(stored)
                if references(stored.object) or _begins(None, stored, ORPHAN_FINALIZER, FOREGROUND_FINALIZER):
                    yield _key(stored)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the objects that have to be looked at because of an event."""
        if event.resource in IGNORED_RESOURCES:
            return
        # Before the questions below, which ask the index about the state after the event.
        self._dependents.observe(event)
        # A definition that came, went or changed may make an unknown owner known.
        if event.resource == DEFINITIONS:
            yield from self._undecided
            self._undecided.clear()
        after, before = event.after, event.before
        if event.type == "DELETED":
            # Dependents first, then owners that waited for this one.
            yield from map(_key, self._dependents.of(after.uid))
            yield from (_key(owner) for owner in self._owners(after) if waits_for_dependents(owner.object))
            return
        if self._names_a_doubtful_owner(before, after):
            yield _key(after)
        if before is not None:
            yield from map(_key, self._owners_unblocked_by(before, after))
        if _begins(before, after, ORPHAN_FINALIZER):
            yield _key(after)
        elif _begins(before, after, FOREGROUND_FINALIZER):
            yield from map(_key, self._dependents.of(after.uid))
            yield _key(after)

    def work(self, key: Key) -> Steps[float | None]:
        """Look at one object."""
        stored = self._api.store.get((key[0], key[1]), (key[2], key[3]))
        kind = self._kind(stored) if stored else None
        if stored is None or kind is None:
            return None
        # Orphaning comes before everything else: dependents must lose their owner before it goes.
        if goes_with(stored.object, ORPHAN_FINALIZER):
            yield from self._orphan(kind, stored)
        elif waits_for_dependents(stored.object):
            yield from self._wait_for_dependents(kind, stored)
        else:
            yield from self._follow(kind, stored)
        return None

    def _orphan(self, kind: Kind, stored: Stored) -> Steps[None]:
        """Take an owner from its dependents, and let it go."""
        for dependent in self._dependents.of(stored.uid):
            yield from self._disown(dependent, {stored.uid})
        yield from self._drop_finalizer(kind, stored, ORPHAN_FINALIZER)

    def _wait_for_dependents(self, kind: Kind, stored: Stored) -> Steps[None]:
        """Let an owner go whose dependents block it no more, or look at those that do."""
        blocking = [
            dependent for dependent in self._dependents.of(stored.uid) if blocks(dependent.object, stored.uid)
        ]
        if not blocking:
            yield from self._drop_finalizer(kind, stored, FOREGROUND_FINALIZER)
        for dependent in blocking:
            if row := self._kind(dependent):
                yield from self._follow(row, dependent)

    def _follow(self, kind: Kind, stored: Stored) -> Steps[None]:
        """Delete a dependent without owners, or take from it the owners that are gone."""
        # It goes already, and its own finalizers say how.
        if "deletionTimestamp" in stored.object["metadata"]:
            return
        try:
            owners = self._ownership.classify(stored)
        except UndecidedError:
            self._undecided[_key(stored)] = None
            return
        yield from self._tell(kind, stored, owners.dangling)
        lost = {reference["uid"] for reference in (*owners.dangling, *owners.waiting)}
        # A solid owner keeps the object; the others are taken off it.
        if lost and owners.solid:
            yield from self._disown(stored, lost)
        elif lost:
            yield from self._delete(kind, stored, cascades=bool(owners.waiting))

    def _delete(self, kind: Kind, stored: Stored, *, cascades: bool) -> Steps[None]:
        """Delete a dependent; it waits for its own where it has any and an owner waits for it."""
        dependents = self._dependents.of(stored.uid) if cascades else []
        if not dependents:
            # Without dependents of its own there is nothing to wait for in the foreground.
            yield from self._actor.delete(kind, stored, propagationPolicy=_policy(stored))
            return
        if any(waits_for_dependents(dependent.object) for dependent in dependents):
            # A circle: each would wait for the other.
            yield from self._unblock(kind, stored)
        yield from self._actor.delete(kind, stored, propagationPolicy="Foreground")

    def _unblock(self, kind: Kind, stored: Stored) -> Steps[None]:
        """Let the owners of a dependent go before it."""
        owners = [
            {**reference, "blockOwnerDeletion": False} if reference.get("blockOwnerDeletion") else reference
            for reference in references(stored.object)
        ]
        yield from self._actor.patch(kind, stored, {"metadata": {"ownerReferences": owners}})

    def _tell(self, kind: Kind, stored: Stored, dangling: Iterable[Json]) -> Steps[None]:
        """Record an event about an owner in another namespace, which cannot own the object (FK-121)."""
        for reference in dangling:
            if self._ownership.is_elsewhere(reference):
                namespace = stored.name[0]
                location = f"namespace: {namespace}, name: {reference['name']}, uid: {reference['uid']}"
                owner = f"[{reference['apiVersion']}/{reference['kind']}, {location}]"
                text = f'ownerRef {owner} does not exist in namespace "{namespace}"'
                about = {**stored.object, "apiVersion": kind.api_version, "kind": kind.kind}
                yield from self._recorder.record(about, "OwnerRefInvalidNamespace", text, "Warning")

    def _disown(self, stored: Stored, uids: set[str]) -> Steps[None]:
        kind = self._kind(stored)
        rest = [reference for reference in references(stored.object) if reference["uid"] not in uids]
        if kind:
            yield from self._actor.patch(kind, stored, {"metadata": {"ownerReferences": rest or None}})

    def _drop_finalizer(self, kind: Kind, stored: Stored, name: str) -> Steps[None]:
        # Read again: the patches before may have changed it.
        current = self._api.store.get(stored.resource, stored.name)
        if current and current.uid == stored.uid:
            rest = [
                finalizer
                for finalizer in current.object["metadata"].get("finalizers", ())
                if finalizer != name
            ]
            yield from self._actor.patch(kind, current, {"metadata": {"finalizers": rest or None}})

    def _kind(self, stored: Stored) -> Kind | None:
        return self._api.registry.of_kind(stored.object["apiVersion"], stored.object["kind"])

    def _owners(self, stored: Stored) -> Iterator[Stored]:
        """Yield the owners of an object that are there."""
        for reference in references(stored.object):
            try:
                owner = self._ownership.owner(stored, reference)
            except UndecidedError:
                continue
            if owner is not None:
                yield owner

    def _names_a_doubtful_owner(self, before: Stored | None, after: Stored) -> bool:
        """Whether an object has begun to name an owner that is absent, or of an unknown kind."""
        owners = references(after.object)
        earlier_owners = references(before.object) if owners and before is not None else ()
        return any(
            reference not in earlier_owners and not self._ownership.is_there(after, reference)
            for reference in owners
        )

    def _owners_unblocked_by(self, before: Stored, after: Stored) -> Iterator[Stored]:
        """Yield the owners that an object has ceased to block."""
        if references(before.object) != references(after.object):
            for owner in self._owners(before):
                # An owner is looked at when one of those it waits for lets go, not at every change.
                if blocks(before.object, owner.uid) and not blocks(after.object, owner.uid):
                    yield owner


def _key(stored: Stored) -> Key:
    return (*stored.resource, *stored.name)


def _begins(before: Stored | None, after: Stored, *finalizers: str) -> bool:
    """Whether an object has begun to be deleted with one of some finalizers."""
    return any(
        goes_with(after.object, finalizer) and (before is None or not goes_with(before.object, finalizer))
        for finalizer in finalizers
    )


def _policy(stored: Stored) -> str:
    finalizers = stored.object["metadata"].get("finalizers", ())
    # A finalizer that is there already stands for what an earlier deletion asked.
    if ORPHAN_FINALIZER in finalizers:
        return "Orphan"
    return "Foreground" if FOREGROUND_FINALIZER in finalizers else "Background"
