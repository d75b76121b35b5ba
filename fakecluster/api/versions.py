"""Between the version an object is stored in and the
version it is served in (FK-262, FK-281, FK-334, FK-490).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base.json_types import Json
from ..store import Store, Stored
from .converter import ConversionInput, NeedsConversion
from .kind import Kind, Transform


def to_served_version(kind: Kind, stored: Stored) -> Json:
    """Return a stored object as this version of its kind shows it. Raises NeedsConversion."""
    if not kind.custom or kind.schema.converter is not None:
        return _convert_to_served(kind, stored)
    key = "served", kind.view
    obj = stored.cache.get(key)
    if obj is None:
        obj = stored.cache[key] = _convert_to_served(kind, stored)
    return obj


def _convert_to_served(kind: Kind, stored: Stored) -> Json:
    obj = kind.schema.from_stored(stored.object) if kind.schema.from_stored else stored.object
    if kind.custom and obj["apiVersion"] != kind.api_version:
        obj = _fitting(kind.schema.fit, _convert(kind, stored, obj, kind.api_version))
    return with_type_meta(kind, obj)


def to_storage_version(kind: Kind, stored: Stored) -> Json:
    """Return an object of this version in its storage version. Raises NeedsConversion."""
    if kind.custom and kind.schema.storage_version != kind.version:
        version = f"{kind.group}/{kind.schema.storage_version}"
        obj = _fitting(kind.schema.to_stored, _convert(kind, stored, stored.object, version))
        return {**obj, "apiVersion": version}
    return (
        kind.schema.to_stored(stored.object) if kind.schema.to_stored else with_type_meta(kind, stored.object)
    )


def ready(kind: Kind, objects: Iterable[Stored]) -> None:
    """Check that objects can be shown. Raises NeedsConversion for all that are not converted yet (FK-330)."""
    if kind.schema.converter is None:
        return
    missing = _missing_conversions(kind, objects)
    if missing:
        raise NeedsConversion(kind.schema.converter, kind.api_version, missing)


def convertible_prefix(kind: Kind, objects: list[Stored]) -> list[Stored]:
    """Return what a cache has that stops at the first object that cannot be converted (FK-332).

    Raises NeedsConversion for all that are not converted yet.
    """
    if kind.schema.converter is None:
        return objects
    version = kind.api_version
    missing = _missing_conversions(kind, objects)
    if missing:
        raise NeedsConversion(kind.schema.converter, version, missing, survivable=True)
    failed = [stored.revision for stored in objects if kind.schema.converter.forget_failure(stored, version)]
    return [stored for stored in objects if stored.revision < min(failed)] if failed else objects


def ready_to_list(kind: Kind, store: Store) -> None:
    """Check that objects older than the definition's webhook are converted, in every namespace (FK-332).

    The real server fills a cache before it lists or watches anything. Raises NeedsConversion.
    """
    if kind.schema.converter is None:
        return
    since = kind.schema.converter.since
    missing = _missing_conversions(
        kind, (stored for stored in store.list(kind.stored_as) if stored.revision <= since)
    )
    if missing:
        raise NeedsConversion(kind.schema.converter, kind.api_version, missing, first=True)


def _missing_conversions(kind: Kind, objects: Iterable[Stored]) -> list[ConversionInput]:
    return [
        ConversionInput(
            stored, kind.schema.from_stored(stored.object) if kind.schema.from_stored else stored.object
        )
        for stored in objects
        if stored.object["apiVersion"] != kind.api_version
        and (kind.schema.converter, kind.api_version) not in stored.cache
    ]


def with_type_meta(kind: Kind, obj: Json) -> Json:
    """Return the object with the apiVersion and kind of its row."""
    if obj.get("apiVersion") == kind.api_version and obj.get("kind") == kind.kind:
        return obj
    return {**obj, "apiVersion": kind.api_version, "kind": kind.kind}


def _fitting(fit: Transform | None, obj: Json) -> Json:
    return fit(obj) if fit else obj


def _convert(kind: Kind, stored: Stored, obj: Json, version: str) -> Json:
    return obj if kind.schema.converter is None else kind.schema.converter.convert(stored, obj, version)
