"""Ownership after a write that is no apply: POST, PUT, JSON,
merge and strategic merge patch (FK-171, FK-172, FK-207, FK-208).
"""

from __future__ import annotations

from collections.abc import Collection

from ...base.json_types import Json
from .fieldset import union
from .managers import Entry, Manager, Managers, Undecodable, cap_updates, decode, encode
from .ownership import Change, Names, Served, ignored_fields, move, strip_unowned
from .typed import Typed, whole

# A name that no client can have: a null byte does not get through validation.
_OPERATION = Manager(name="\0current-operation", operation="Update")


def update(
    live: Json | None,
    new: Json,
    typed: Typed,
    *,
    manager: str,
    api_version: str,
    subresource: str = "",
    current_time: str,
    ignore: Collection[Names] = (),
    served: Served | None = None,
    empty: Json | None = None,
) -> Json:
    """Return the new object with its managedFields.

    Never fails: nonsense in the body leaves the live entries (FK-219).

    `live` is None for a create, whose absent members are those of `empty`. `now` is RFC 3339. `ignore` lists
    the reset fields of the endpoint; `served` gives another version, None for one that is no longer served.
    """
    managers = _of_request(live, new, bool(subresource))
    if not managers and live is not None:
        return with_managers(new, {})
    change = Change(
        live if live is not None else empty or {},
        new,
        api_version,
        whole(typed),
        ignored_fields(ignore),
        served,
    )
    return with_managers(
        new, track(change, managers, Manager.of(manager, "Update", api_version, subresource), current_time)
    )


def track(change: Change, managers: Managers, manager: Manager, current_time: str) -> Managers:
    """Return the managers after an update by one of them:
    it owns what came or changed; what went has no owner.
    """
    moved = move(change, managers, None)
    taken = {**moved.managers, _OPERATION: Entry(change.api_version, moved.difference.added_or_modified)}
    after = strip_unowned(taken, _OPERATION)
    # What the update changed is merged into the manager's entry, which has a time of its own.
    mine = after.pop(_OPERATION, None)
    if mine is not None:
        before = after.get(manager)
        after[manager] = Entry(
            change.api_version, union(mine.fields, before.fields if before else {}), current_time
        )
    return cap_updates(after)


def of_object(obj: Json) -> list[Json]:
    """Return an object's managedFields."""
    entries: list[Json] = obj.get("metadata", {}).get("managedFields") or []
    return entries


def with_managers(obj: Json, managers: Managers) -> Json:
    """Return the object with these managers in its metadata."""
    metadata = {name: value for name, value in obj.get("metadata", {}).items() if name != "managedFields"}
    entries = encode(managers)
    return {**obj, "metadata": {**metadata, "managedFields": entries} if entries else metadata}


def with_old_times(new: Json, old: Json) -> Json:
    """Return the new object, with the old entries' times
    when nothing but those would change (FK-211, FK-212).
    """
    before, after = of_object(old), of_object(new)
    if before == after or [_timeless(entry) for entry in before] != [_timeless(entry) for entry in after]:
        return new
    with_old_entries = {**new, "metadata": {**new["metadata"], "managedFields": before}}
    return old if with_old_entries == old else new


def _timeless(entry: Json) -> Json:
    return {name: value for name, value in entry.items() if name != "time"}


def _of_request(live: Json | None, new: Json, below: bool) -> Managers:
    """Return the managers a write starts from:
    the body's when they are sound, else the live object's (FK-172).
    """
    ours = of_object(live) if live is not None else []
    theirs = new.get("metadata", {}).get("managedFields")
    # The usual case: clients send managedFields back as they read them.
    if below or theirs is None or theirs == ours:
        return _sound(ours)
    # An empty list, and a list with an empty entry, are the two ways to reset all owners (FK-172).
    if theirs in ([], [{}]):
        return {}
    try:
        return decode(theirs, trusted=False)
    except Undecodable:
        return _sound(ours)


def _sound(entries: list[Json]) -> Managers:
    try:
        return decode(entries)
    except Undecodable:
        return {}
