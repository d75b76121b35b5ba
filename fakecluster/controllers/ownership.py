"""What becomes of the owners that an object names: whether they stand, are gone, or wait for their dependents
to go (FK-120, FK-121).
"""

from __future__ import annotations

from msgspec import Struct

from ..api.registry import Registry
from ..base.json_types import Json
from ..meta.metadata import FOREGROUND_FINALIZER
from ..store import Store, Stored
from .owners import references


class UndecidedError(Exception):
    """An owner's kind is unknown, or cannot own the object: nothing is done about any of its owners."""


class Owners(Struct, frozen=True):
    """The references to owners that stand, that are gone, and that wait for their dependents to go."""

    solid: tuple[Json, ...] = ()
    dangling: tuple[Json, ...] = ()
    waiting: tuple[Json, ...] = ()


class Ownership:
    """Looks up the owners of objects."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store = store
        self._registry = registry

    def classify(self, dependent: Stored) -> Owners:
        """Return the owners of an object by what has become of them. Raises UndecidedError."""
        by_standing: dict[str, list[Json]] = {"solid": [], "dangling": [], "waiting": []}
        for reference in references(dependent.object):
            by_standing[self._standing(dependent, reference)].append(reference)
        return Owners(**{standing: tuple(references_) for standing, references_ in by_standing.items()})

    def is_there(self, dependent: Stored, reference: Json) -> bool:
        """Whether an owner is known to be there."""
        try:
            return self.owner(dependent, reference) is not None
        except UndecidedError:
            return False

    def owner(self, dependent: Stored, reference: Json) -> Stored | None:
        """Return the object that a reference names,
        None when there is none of its uid. Raises UndecidedError.
        """
        kind = self._registry.of_kind(reference["apiVersion"], reference["kind"])
        if kind is None or (kind.namespaced and not dependent.name[0]):
            raise UndecidedError
        namespace = dependent.name[0] if kind.namespaced else ""
        owner = self._store.get(kind.stored_as, (namespace, reference["name"]))
        return owner if owner is not None and owner.uid == reference["uid"] else None

    def is_elsewhere(self, reference: Json) -> bool:
        """Whether an owner lives in another namespace than its dependent, where it cannot own it."""
        kind = self._registry.of_kind(reference["apiVersion"], reference["kind"])
        owners = self._store.list(kind.stored_as) if kind and kind.namespaced else ()
        return any(other.uid == reference["uid"] for other in owners)

    def _standing(self, dependent: Stored, reference: Json) -> str:
        owner = self.owner(dependent, reference)
        if owner is None:
            return "dangling"
        return "waiting" if waits_for_dependents(owner.object) else "solid"


def waits_for_dependents(obj: Json) -> bool:
    """Whether an object is being deleted once its dependents are gone."""
    return goes_with(obj, FOREGROUND_FINALIZER)


def goes_with(obj: Json, finalizer: str) -> bool:
    """Whether an object is being deleted and has a finalizer."""
    metadata = obj["metadata"]
    return "deletionTimestamp" in metadata and finalizer in metadata.get("finalizers", ())


def blocks(dependent: Json, uid: str) -> bool:
    """Whether an object keeps the owner of that uid from going before it."""
    return any(
        reference["uid"] == uid and reference.get("blockOwnerDeletion") for reference in references(dependent)
    )
