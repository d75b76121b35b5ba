"""Between the version an object is stored in and the version it is served in (FK-281, FK-490)."""

from __future__ import annotations

from typing import Any

from .kinds import Kind

Json = Any


def served(kind: Kind, obj: Json) -> Json:
    """Return a stored object as this version of its kind shows it."""
    shown = kind.from_stored(obj) if kind.from_stored else obj
    return stamped(kind, shown)


def stored(kind: Kind, obj: Json) -> Json:
    """Return an object of this version as it is stored."""
    if kind.to_stored:
        return kind.to_stored(obj)
    version = kind.storage_version or kind.version
    return {**obj, "apiVersion": f"{kind.group}/{version}" if kind.group else version, "kind": kind.kind}


def stamped(kind: Kind, obj: Json) -> Json:
    """Return the object with the apiVersion and kind of its row."""
    if obj.get("apiVersion") == kind.api_version and obj.get("kind") == kind.kind:
        return obj
    return {**obj, "apiVersion": kind.api_version, "kind": kind.kind}
