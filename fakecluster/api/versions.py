"""Between the version an object is stored in and the
version it is served in (FK-262, FK-281, FK-334, FK-490).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base.json_types import Json
from ..store import Store, Stored
from .converter import NeedsConversion, Wanted
from .kind import Kind, Transform


def served(kind: Kind, one: Stored) -> Json:
    """Return a stored object as this version of its kind shows it. Raises NeedsConversion."""
    if not kind.custom or kind.schema.converter is not None:
        return _served(kind, one)
    key = "served", kind.view
    found = one.cache.get(key)
    if found is None:
        found = one.cache[key] = _served(kind, one)
    return found


def _served(kind: Kind, one: Stored) -> Json:
    whole = kind.schema.from_stored(one.object) if kind.schema.from_stored else one.object
    if kind.custom and whole["apiVersion"] != kind.api_version:
        whole = _fitting(kind.schema.fit, _converted(kind, one, whole, kind.api_version))
    return stamped(kind, whole)


def stored(kind: Kind, one: Stored) -> Json:
    """Return an object of this version in its storage version. Raises NeedsConversion."""
    if kind.custom and kind.schema.storage_version != kind.version:
        version = f"{kind.group}/{kind.schema.storage_version}"
        obj = _fitting(kind.schema.to_stored, _converted(kind, one, one.object, version))
        return {**obj, "apiVersion": version}
    return kind.schema.to_stored(one.object) if kind.schema.to_stored else stamped(kind, one.object)


def ready(kind: Kind, found: Iterable[Stored]) -> None:
    """Check that objects can be shown. Raises NeedsConversion for all that are not converted yet (FK-330)."""
    if kind.schema.converter is None:
        return
    wanted = _wanted(kind, found)
    if wanted:
        raise NeedsConversion(kind.schema.converter, kind.api_version, wanted)


def shown_at_all(kind: Kind, found: list[Stored]) -> list[Stored]:
    """Return what a cache has that stops at the first object that cannot be converted (FK-332).

    Raises NeedsConversion for all that are not converted yet.
    """
    if kind.schema.converter is None:
        return found
    version = kind.api_version
    wanted = _wanted(kind, found)
    if wanted:
        raise NeedsConversion(kind.schema.converter, version, wanted, survivable=True)
    failed = [one.revision for one in found if kind.schema.converter.forget_failure(one, version)]
    return [one for one in found if one.revision < min(failed)] if failed else found


def ready_to_list(kind: Kind, store: Store) -> None:
    """Check that objects older than the definition's webhook are converted, in every namespace (FK-332).

    The real server fills a cache before it lists or watches anything. Raises NeedsConversion.
    """
    if kind.schema.converter is None:
        return
    since = kind.schema.converter.since
    wanted = _wanted(kind, (one for one in store.list(kind.stored_as) if one.revision <= since))
    if wanted:
        raise NeedsConversion(kind.schema.converter, kind.api_version, wanted, first=True)


def _wanted(kind: Kind, found: Iterable[Stored]) -> list[Wanted]:
    return [
        Wanted(one, kind.schema.from_stored(one.object) if kind.schema.from_stored else one.object)
        for one in found
        if one.object["apiVersion"] != kind.api_version
        and (kind.schema.converter, kind.api_version) not in one.cache
    ]


def stamped(kind: Kind, obj: Json) -> Json:
    """Return the object with the apiVersion and kind of its row."""
    if obj.get("apiVersion") == kind.api_version and obj.get("kind") == kind.kind:
        return obj
    return {**obj, "apiVersion": kind.api_version, "kind": kind.kind}


def _fitting(fit: Transform | None, obj: Json) -> Json:
    return fit(obj) if fit else obj


def _converted(kind: Kind, one: Stored, whole: Json, version: str) -> Json:
    return whole if kind.schema.converter is None else kind.schema.converter.converted(one, whole, version)
