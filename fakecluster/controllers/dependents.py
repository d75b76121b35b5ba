"""Which objects name an owner, by the owner's uid; kept in step with the store's events (FK-120)."""

from __future__ import annotations

from collections.abc import Iterator

from ..store import Event, Name, Resource, Store, Stored
from .owners import references

Place = tuple[Resource, Name]


class Dependents:
    """An index from uid of an owner to its dependents."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._of: dict[str, dict[Place, None]] = {}

    def add(self, stored: Stored) -> None:
        """Take in an object."""
        for owner in references(stored.object):
            self._of.setdefault(owner["uid"], {})[stored.resource, stored.name] = None

    def observe(self, event: Event) -> None:
        """Follow a change."""
        if event.before is not None:
            self._forget(event.before)
        if event.type != "DELETED":
            self.add(event.after)

    def of(self, uid: str) -> list[Stored]:
        """Return the present dependents of an owner, sorted."""
        return sorted(self._present(uid), key=lambda dependent: (dependent.resource, dependent.name))

    def _present(self, uid: str) -> Iterator[Stored]:
        # A copy: the loop may be left while requests change the index.
        for resource, name in tuple(self._of.get(uid, ())):
            stored = self._store.get(resource, name)
            # The index may be ahead of the store or behind it only within one event; an absent object is no
            # dependent.
            if stored is not None:
                yield stored

    def _forget(self, stored: Stored) -> None:
        for owner in references(stored.object):
            places = self._of.get(owner["uid"], {})
            places.pop((stored.resource, stored.name), None)
            # Owners without dependents are forgotten, or the index would grow with every uid that ever was.
            if not places:
                self._of.pop(owner["uid"], None)
