"""How ownership moves when an object changes: the step that updates and applies share, and the update itself,
which is every write but an apply: POST, PUT, JSON, merge and strategic merge patch
(FK-171, FK-172, FK-204 steps 7–9, FK-207, FK-208).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json
from .comparison import Comparison, compare
from .fieldset import Fields, difference, intersection, of_paths, union
from .managers import (
    ManagedFieldsEntry,
    Manager,
    Managers,
    UndecodableEntry,
    cap_updates,
    decode,
    entries_of,
    with_managers,
)
from .paths import field
from .typed import NodeType, whole

FieldNames = tuple[str, ...]
# A name that no client can have: a null byte does not get through validation.
_OPERATION = Manager(name="\0current-operation", operation="Update")


def _same(obj: Json) -> Json:
    return obj


class VersionView(Struct, frozen=True):
    """A version that owners speak of: its type, and a conversion of objects into it."""

    typed: NodeType
    of: Callable[[Json], Json] = _same


class Unconvertible(Exception):
    """An object has no form in a version that an owner speaks of; the text says why."""

    def during(self, step: str) -> Unconvertible:
        """Return the failure of what the conversion was for."""
        return Unconvertible(f"{step}: {self}")


VersionLookup = Callable[[str], VersionView | None]

STRIPPED_FIELDS: Fields = of_paths(
    tuple(map(field, path.split(".")))
    for path in (
        "apiVersion",
        "kind",
        "metadata",
        "metadata.name",
        "metadata.namespace",
        "metadata.creationTimestamp",
        "metadata.selfLink",
        "metadata.uid",
        "metadata.clusterName",
        "metadata.generation",
        "metadata.managedFields",
        "metadata.resourceVersion",
    )
)
"""Paths that never have an owner (FK-203)."""


class ObjectChange(Struct, frozen=True):
    """An object before and after in the version of the request,
    and the other versions that owners speak of.
    """

    old: Json
    new: Json
    api_version: str
    typed: NodeType
    ignored: Fields
    served: VersionLookup | None = None

    def view(self, version: str) -> VersionView | None:
        """Return a version, None when there is none of that name."""
        return VersionView(self.typed) if self.served is None else self.served(version)

    def compute_comparison(self) -> Comparison:
        """Return what differs in the request's version, reset fields left out."""
        return compare(self.old, self.new, self.typed).without(self.ignored)


def ignored_fields(names: Collection[FieldNames]) -> Fields:
    """Return the reset fields of an endpoint, given as tuples of field names (FK-221, FK-222)."""
    return of_paths(tuple(map(field, path)) for path in names)


class OwnershipMove(Struct, frozen=True):
    """The managers after a change, what they would lose to it,
    and the comparison in the request's version.
    """

    managers: dict[Manager, ManagedFieldsEntry]
    conflicts: Mapping[Manager, Fields]
    difference: Comparison


def move(change: ObjectChange, managers: Managers, workflow: Manager | None) -> OwnershipMove:
    """Take what came, changed or went from every manager but `workflow`; empty managers are dropped (FK-204
    step 7, 8).
    """
    comparisons: dict[str, Comparison] = {change.api_version: change.compute_comparison()}
    remaining: dict[Manager, ManagedFieldsEntry] = {}
    conflicts: dict[Manager, Fields] = {}
    for manager, entry in managers.items():
        if manager == workflow:
            remaining[manager] = entry
            continue
        comparison = _in_version(change, entry.version, comparisons)
        if comparison is None:
            continue
        # Lost fields and removed ones both go; only the lost ones may be a conflict.
        lost = intersection(entry.fields, comparison.added_or_modified)
        if lost:
            conflicts[manager] = lost
        remaining[manager] = replace(
            entry, fields=difference(difference(entry.fields, lost), comparison.removed)
        )
    owning_managers = {manager: entry for manager, entry in remaining.items() if entry.fields}
    return OwnershipMove(owning_managers, conflicts, comparisons[change.api_version])


def _in_version(change: ObjectChange, version: str, comparisons: dict[str, Comparison]) -> Comparison | None:
    # Once for a version: several managers usually speak of the same.
    if version not in comparisons:
        view = change.view(version)
        # The version is no longer served; the manager is dropped with what it owned in it.
        if view is None:
            return None
        old = convert(view, change.old, "failed to convert old object")
        new = convert(view, change.new, "failed to convert new object")
        comparisons[version] = replace(
            change, old=old, new=new, typed=view.typed, ignored={}
        ).compute_comparison()
    return comparisons[version]


def convert(view: VersionView, obj: Json, step: str) -> Json:
    """Return an object in another version. Raises Unconvertible with `what` before the reason."""
    try:
        return view.of(obj)
    except Unconvertible as error:
        raise error.during(step) from error


def check_versions(change: ObjectChange, managers: Managers) -> None:
    """Check that the object before has a form in every version that its owners speak of.

    Raises Unconvertible.
    """
    for version in {entry.version for entry in managers.values()} - {change.api_version}:
        view = change.view(version)
        if view is not None:
            view.of(change.old)


def strip_unowned(managers: Managers, manager: Manager) -> dict[Manager, ManagedFieldsEntry]:
    """Return the managers, one of them without the paths that never have an owner (FK-203)."""
    remaining = dict(managers)
    if manager in remaining:
        fields = difference(remaining[manager].fields, STRIPPED_FIELDS)
        if fields:
            remaining[manager] = replace(remaining[manager], fields=fields)
        else:
            del remaining[manager]
    return remaining


def update(
    live: Json | None,
    new: Json,
    typed: NodeType,
    *,
    manager: str,
    api_version: str,
    subresource: str = "",
    current_time: str,
    ignore: Collection[FieldNames] = (),
    served: VersionLookup | None = None,
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
    change = ObjectChange(
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


def track(change: ObjectChange, managers: Managers, manager: Manager, current_time: str) -> Managers:
    """Return the managers after an update by one of them:
    it owns what came or changed; what went has no owner.
    """
    moved = move(change, managers, None)
    taken = {
        **moved.managers,
        _OPERATION: ManagedFieldsEntry(change.api_version, moved.difference.added_or_modified),
    }
    after = strip_unowned(taken, _OPERATION)
    # What the update changed is merged into the manager's entry, which has a time of its own.
    mine = after.pop(_OPERATION, None)
    if mine is not None:
        before = after.get(manager)
        after[manager] = ManagedFieldsEntry(
            change.api_version, union(mine.fields, before.fields if before else {}), current_time
        )
    return cap_updates(after)


def _of_request(live: Json | None, new: Json, below: bool) -> Managers:
    """Return the managers a write starts from:
    the body's when they are sound, else the live object's (FK-172).
    """
    ours = entries_of(live) if live is not None else []
    theirs = new.get("metadata", {}).get("managedFields")
    # The usual case: clients send managedFields back as they read them.
    if below or theirs is None or theirs == ours:
        return _sound(ours)
    # An empty list, and a list with an empty entry, are the two ways to reset all owners (FK-172).
    if theirs in ([], [{}]):
        return {}
    try:
        return decode(theirs, trusted=False)
    except UndecodableEntry:
        return _sound(ours)


def _sound(entries: list[Json]) -> Managers:
    try:
        return decode(entries)
    except UndecodableEntry:
        return {}
