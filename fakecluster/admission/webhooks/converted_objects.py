"""The objects of a write in another version of their resource,
for webhooks whose rules name that one (FK-303).

What is drafted is kept, since a conversion that is missing is asked for and looked up again.
"""

from __future__ import annotations

from ...api import versions
from ...api.kind import Kind
from ...base.json_types import Json
from ...store import Stored
from .matching import ViewOf


def views(new: ConvertedObject, old: ConvertedObject) -> ViewOf:
    """Return how versions of the resource show the new and the old object of a write.

    The function raises NeedsConversion.
    """
    return lambda kind: (new.as_(kind), old.as_(kind))


class ConvertedObject:
    """One object of a write; what it looks like in other versions is found out once."""

    def __init__(self, kind: Kind, obj: Json) -> None:
        self._kind = kind
        self._object = obj
        self._drafts: dict[str, Stored] = {}

    def as_(self, kind: Kind) -> Json:
        """Return the object as a version of its resource shows it;
        an object of another kind is returned unchanged.
        """
        obj = self._object
        # What is no object of the kind, such as a Scale or an Eviction, has no other version.
        if obj is None or kind is self._kind or obj.get("kind") != self._kind.kind:
            return obj
        # Without a converter versions differ by their names alone.
        if kind.custom and kind.schema.converter is None:
            return {**obj, "apiVersion": kind.api_version}
        stored = versions.to_storage_version(self._kind, self._draft(self._kind.api_version, obj))
        return versions.to_served_version(kind, self._draft("stored", stored))

    def _draft(self, name: str, obj: Json) -> Stored:
        draft = self._drafts.get(name)
        if draft is None:
            draft = self._drafts[name] = Stored(self._kind.stored_as, ("", ""), 0, obj)
        return draft
