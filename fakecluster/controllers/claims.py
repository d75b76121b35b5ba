"""Which objects an owner has by its selector: those that match and have no controller are adopted, those that
match no more are released.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from ..api.steps import PAUSE, Steps
from ..base.json_types import Json
from ..kinds.validation.basics import matches
from ..store import Event, Name, Resource, Store, Stored
from .actor import Actor
from .dependents import Dependents
from .owners import controller_of, reference_to, references
from .pod_state import has_ended

OBJECTS_PER_TURN = 100
"""Objects that are looked at before others may have a turn."""


class Owners(Struct, frozen=True):
    """A kind whose objects own others by a selector."""

    resource: Resource
    api_version: str
    kind: str
    selector: Callable[[Json], Json] = lambda owner: owner["spec"]["selector"]
    """Returns the label selector of an owner."""
    accepts: Callable[[Json, Json], bool] | None = None
    """Tells whether an owner takes something that its selector matches; None: it always does."""


class Claims:
    """The objects of one kind, by the owners that control them."""

    def __init__(self, actor: Actor, owners: Owners, resource: Resource, api_version: str, kind: str) -> None:
        self._actor = actor
        self._store = actor.api.store
        self._owners = owners
        self._resource = resource
        self._kind = api_version, kind
        self._dependents = Dependents(actor.api.store)
        # A dict for its order: sets have none that is the same in every run.
        self._orphans: dict[Name, None] = {}

    def begin(self, store: Store) -> Iterable[Name]:
        """Take in everything there is, and return the names of all owners."""
        for item in store.list(self._resource):
            self._take(item)
        return [item.name for item in store.list(self._owners.resource)]

    def keys(self, event: Event) -> Iterable[Name]:
        """Follow a change of an owner or of something that it may own,
        and return the owners that it concerns.
        """
        if event.resource == self._owners.resource:
            return (event.after.name,) if event.type != "DELETED" else ()
        if event.resource != self._resource:
            return ()
        self._dependents.observe(event)
        # Whatever has happened to it, it is looked at anew below.
        self._orphans.pop(event.after.name, None)
        if event.type != "DELETED":
            self._take(event.after)
        return self._claimants(event)

    def of(self, owner: Stored) -> Steps[list[Json]]:
        """Return what an owner controls, after it has adopted and released. Raises StatusError."""
        claimed: list[Json] = []
        for position, item in enumerate(self._dependents.of(owner.uid), 1):
            if position % OBJECTS_PER_TURN == 0:
                yield PAUSE
            # An index by owner reference also has objects that only name the owner without being controlled
            # by it.
            if item.resource != self._resource or (controller_of(item.object) or {}).get("uid") != owner.uid:
                continue
            # What is going stays with its owner until it is gone, whatever its labels.
            if self._matches(owner.object, item.object) or _goes(item.object):
                claimed.append(item.object)
            elif not _goes(owner.object):
                foreign = [
                    reference for reference in references(item.object) if reference["uid"] != owner.uid
                ]
                yield from self._own(item, foreign)
        # Adoption comes after release, and never by an owner that is going.
        for item in () if _goes(owner.object) else self._adoptable(owner):
            owners = [*references(item.object), reference_to(owner.object)]
            claimed.append((yield from self._own(item, owners)))
        return claimed

    def list_owned(self, uid: str) -> list[Stored]:
        """Return the stored objects with an owner reference to a uid."""
        return [item for item in self._dependents.of(uid) if item.resource == self._resource]

    def _adoptable(self, owner: Stored) -> list[Stored]:
        places = [name for name in self._orphans if name[0] == owner.name[0]]
        orphans = [self._store.get(self._resource, name) for name in places]
        return [
            item
            for item in orphans
            if item is not None and is_adoptable(item.object) and self._matches(owner.object, item.object)
        ]

    def _claimants(self, event: Event) -> Iterator[Name]:
        """Yield the owners of something before and after an event, and those that might adopt it."""
        namespace, after = event.after.name[0], event.after.object
        former = event.before.object if event.before else after
        controllers = [controller_of(item) for item in (former, after)]
        # The owner before counts as well: it has lost something and must look.
        yield from (
            (namespace, item["name"]) for item in controllers if item and item["kind"] == self._owners.kind
        )
        # Every owner of the namespace may adopt an orphan; labels decide.
        if controllers[1] is None and event.type != "DELETED":
            owners = self._store.list(self._owners.resource, namespace=namespace)
            yield from (item.name for item in owners if self._matches(item.object, after))

    def _matches(self, owner: Json, item: Json) -> bool:
        labels = item["metadata"].get("labels") or {}
        accepts = self._owners.accepts
        return matches(self._owners.selector(owner), labels) and (accepts is None or accepts(owner, item))

    def _own(self, item: Stored, owners: list[Json]) -> Steps[Json]:
        row = self._actor.kind(*self._kind)
        if row is None:
            return item.object
        # An empty list is written as null, which a merge patch takes for removal.
        return (yield from self._actor.patch(row, item, {"metadata": {"ownerReferences": owners or None}}))

    def _take(self, item: Stored) -> None:
        self._dependents.add(item)
        if controller_of(item.object) is None:
            self._orphans[item.name] = None


def is_adoptable(item: Json) -> bool:
    """Tell whether something may get a controller: it has none, stays, and, if it is a pod, has not ended."""
    return controller_of(item) is None and not _goes(item) and not has_ended(item)


def _goes(item: Json) -> bool:
    return "deletionTimestamp" in item["metadata"]
