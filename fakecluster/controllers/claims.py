"""Which objects an owner has by its selector: those that match and have no controller are adopted, those that
match no more are released.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..api.steps import Steps
from ..kinds.validation.basics import matches
from ..store import Event, Name, Resource, Store, Stored
from .actor import Actor
from .dependents import Dependents
from .owners import controller_of, reference_to, references

Json = Any


class Claims:
    """The objects of one kind, by the owners that control them."""

    def __init__(self, actor: Actor, resource: Resource, api_version: str, kind: str) -> None:
        self._actor = actor
        self._store = actor.api.store
        self._resource = resource
        self._kind = api_version, kind
        self._dependents = Dependents(actor.api.store)
        self._orphans: dict[Name, None] = {}

    def begin(self, store: Store) -> Iterable[Stored]:
        """Take in everything there is, and return it."""
        found = store.list(self._resource)
        for one in found:
            self._take(one)
        return found

    def observe(self, event: Event) -> None:
        """Follow a change."""
        self._dependents.observe(event)
        self._orphans.pop(event.after.name, None)
        if event.type != "DELETED":
            self._take(event.after)

    def of(self, owner: Stored) -> Steps[list[Json]]:
        """Return what an owner controls, after it has adopted and released. Raises StatusError."""
        selector, kept = owner.object["spec"]["selector"], []
        owned = [one for one in self._dependents.of(owner.uid) if one.resource == self._resource]
        for one in owned:
            if (controller_of(one.object) or {}).get("uid") != owner.uid:
                continue
            if _matches(selector, one.object) or _goes(one.object):
                kept.append(one.object)
            elif not _goes(owner.object):
                others = [each for each in references(one.object) if each["uid"] != owner.uid]
                yield from self._own(one, others)
        adopted = [] if _goes(owner.object) else self._adoptable(owner.name[0], selector)
        for one in adopted:
            owners = [*references(one.object), reference_to(owner.object)]
            kept.append((yield from self._own(one, owners)))
        return kept

    def _adoptable(self, namespace: str, selector: Json) -> list[Stored]:
        places = [name for name in self._orphans if name[0] == namespace]
        found = [self._store.get(self._resource, name) for name in places]
        return [
            one
            for one in found
            if one is not None and _matches(selector, one.object) and is_adoptable(one.object)
        ]

    def _own(self, one: Stored, owners: list[Json]) -> Steps[Json]:
        row = self._actor.kind(*self._kind)
        if row is None:
            return one.object
        return (yield from self._actor.patch(row, one, {"metadata": {"ownerReferences": owners or None}}))

    def _take(self, one: Stored) -> None:
        self._dependents.add(one)
        if controller_of(one.object) is None:
            self._orphans[one.name] = None


def claimants(event: Event, owner_kind: str, owners: Iterable[Stored]) -> Iterable[Name]:
    """Return the owners that an event of something they may own concerns; `owners` are those of its
    namespace.
    """
    namespace, former = event.after.name[0], event.before.object if event.before else event.after.object
    controllers = [controller_of(one) for one in (former, event.after.object)]
    yield from ((namespace, one["name"]) for one in controllers if one and one["kind"] == owner_kind)
    if controllers[1] is None and event.type != "DELETED":
        yield from (
            one.name for one in owners if _matches(one.object["spec"]["selector"], event.after.object)
        )


def is_adoptable(found: Json) -> bool:
    """Tell whether something may get a controller: it has none, stays, and, if it is a pod, has not ended."""
    ended = found.get("status", {}).get("phase") in {"Succeeded", "Failed"}
    return controller_of(found) is None and not _goes(found) and not ended


def _matches(selector: Json, found: Json) -> bool:
    return matches(selector, found["metadata"].get("labels") or {})


def _goes(found: Json) -> bool:
    return "deletionTimestamp" in found["metadata"]
