"""How ownership moves when an object changes:
the step that updates and applies share (FK-204 steps 7–9, FK-207).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json
from .comparison import Comparison, compare
from .fieldset import Fields, difference, intersection, of_paths
from .managers import Entry, Manager, Managers
from .paths import Path, field
from .typed import Typed

Names = tuple[str, ...]


def _same(obj: Json) -> Json:
    return obj


class View(Struct, frozen=True):
    """A version that owners speak of: its type, and a conversion of objects into it."""

    typed: Typed
    of: Callable[[Json], Json] = _same


class Unconvertible(Exception):
    """An object has no form in a version that an owner speaks of; the text says why."""

    def during(self, step: str) -> Unconvertible:
        """Return the failure of what the conversion was for."""
        return Unconvertible(f"{step}: {self}")


Served = Callable[[str], View | None]

UNOWNED: Fields = of_paths(
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


class Change(Struct, frozen=True):
    """An object before and after in the version of the request,
    and the other versions that owners speak of.
    """

    old: Json
    new: Json
    api_version: str
    typed: Typed
    ignored: Fields
    served: Served | None = None

    def view(self, version: str) -> View | None:
        """Return a version, None when there is none of that name."""
        return View(self.typed) if self.served is None else self.served(version)

    def compute_comparison(self) -> Comparison:
        """Return what differs in the request's version, reset fields left out."""
        return compare(self.old, self.new, self.typed).without(self.ignored)


def ignored_fields(names: Collection[Names]) -> Fields:
    """Return the reset fields of an endpoint, given as tuples of field names (FK-221, FK-222)."""
    return of_paths(tuple(map(field, path)) for path in names)


class Moved(Struct, frozen=True):
    """The managers after a change, what they would lose to it,
    and the comparison in the request's version.
    """

    managers: dict[Manager, Entry]
    conflicts: Mapping[Manager, Fields]
    difference: Comparison


def move(change: Change, managers: Managers, workflow: Manager | None) -> Moved:
    """Take what came, changed or went from every manager but `workflow`; empty managers are dropped (FK-204
    step 7, 8).
    """
    comparisons: dict[str, Comparison] = {change.api_version: change.compute_comparison()}
    remaining: dict[Manager, Entry] = {}
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
    return Moved(owning_managers, conflicts, comparisons[change.api_version])


def _in_version(change: Change, version: str, comparisons: dict[str, Comparison]) -> Comparison | None:
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


def convert(view: View, obj: Json, step: str) -> Json:
    """Return an object in another version. Raises Unconvertible with `what` before the reason."""
    try:
        return view.of(obj)
    except Unconvertible as error:
        raise error.during(step) from error


def check_versions(change: Change, managers: Managers) -> None:
    """Check that the object before has a form in every version that its owners speak of.

    Raises Unconvertible.
    """
    for version in {entry.version for entry in managers.values()} - {change.api_version}:
        view = change.view(version)
        if view is not None:
            view.of(change.old)


def strip_unowned(managers: Managers, manager: Manager) -> dict[Manager, Entry]:
    """Return the managers, one of them without the paths that never have an owner (FK-203)."""
    remaining = dict(managers)
    if manager in remaining:
        fields = difference(remaining[manager].fields, UNOWNED)
        if fields:
            remaining[manager] = replace(remaining[manager], fields=fields)
        else:
            del remaining[manager]
    return remaining


__all__ = [
    "UNOWNED",
    "Change",
    "Moved",
    "Path",
    "Served",
    "Unconvertible",
    "View",
    "check_versions",
    "convert",
    "ignored_fields",
    "move",
    "strip_unowned",
]
