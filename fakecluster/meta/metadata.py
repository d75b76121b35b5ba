"""The server's share of an object's metadata: what it fills in,
keeps and throws away (FK-061, FK-062, FK-104, FK-105).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache

from ..api.kind import Kind
from ..base.json_types import Json

OWNED = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink")
"""What only the server sets; only a POST is not heard about it (FK-061)."""


def timestamp(current_time: float) -> str:
    """Format an instant as Kubernetes does."""
    return _second(int(current_time))


# Many writes fall into one second, and strftime is slow.
@lru_cache(maxsize=64)
def _second(number: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(number))


def with_metadata(obj: Json, **members: Json) -> Json:
    """Return the object with members of its metadata set, or removed where the value is None."""
    merged = {**obj.get("metadata", {}), **members}
    return {**obj, "metadata": {key: value for key, value in merged.items() if value is not None}}


def for_create(obj: Json, kind: Kind, *, uid: str, current_time: float) -> Json:
    """Return a new object with the fields that only the server sets."""
    generation = obj["metadata"].get("generation") if kind.strategy.generation == "none" else 1
    return with_metadata(
        obj, uid=uid, creationTimestamp=timestamp(current_time), generation=generation or None
    )


def for_update(new: Json, old: Json) -> Json:
    """Return the new object with what the server keeps:
    a client may leave it out, or is not heard (FK-104).
    """
    before = old["metadata"]
    server_fields = {key: before.get(key) for key in ("creationTimestamp", "generation")}
    # A client may send the uid it expects; the update is then refused with 409 where the object is another
    # one.
    server_fields["uid"] = new["metadata"].get("uid") or before.get("uid")
    server_fields |= {
        key: before[key] for key in ("deletionTimestamp", "deletionGracePeriodSeconds") if key in before
    }
    return with_metadata(new, **server_fields)


def with_generation(new: Json, old: Json, kind: Kind) -> Json:
    """Return the new object with its generation raised when what the kind tracks has changed (FK-105)."""
    if kind.strategy.generation == "none":
        return new
    tracked_member = kind.strategy.generation_of
    # Compared, not counted: an update that changes nothing must not raise the generation.
    same = tracked_content(new, kind) == tracked_content(old, kind) and (
        not tracked_member or _member(new, tracked_member) == _member(old, tracked_member)
    )
    if same:
        return new
    return with_metadata(new, generation=int(old["metadata"].get("generation") or 0) + 1)


def _member(obj: Mapping[str, Json], name: str) -> Json:
    return obj["metadata"].get(name) or {}


def tracked_content(obj: Mapping[str, Json], kind: Kind) -> Json:
    """Return the part of an object whose change raises its generation."""
    if kind.strategy.generation == "spec":
        return obj.get("spec")
    ignored = {"metadata", "apiVersion", "kind"} | ({"status"} if "status" in kind.subresources else set())
    return {key: value for key, value in obj.items() if key not in ignored}
