"""Pruning by an apply when owners speak of several versions of the object (FK-204 step 6, FK-334)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from .fieldset import Fields, difference, intersection, union, with_named_fields
from .managers import Entry, Managers
from .object_paths import claimed_fields
from .ownership import Change, convert
from .prune import fields_left, remove
from .typed import Typed


def prune_across(step: Change, merged: Json, last: Entry, claimants: Managers) -> Json:
    """Return the merged object without what the applier owned
    last and no manager owns now, in the request's version.
    """
    view = step.view(last.version)
    back = step.view(step.api_version)
    if view is None or back is None:
        return merged
    start = convert(view, merged, "failed to convert merged object to last applied version")
    gone = with_named_fields(last.fields, view.typed)
    pruned = _add_back_owned(step, start, remove(start, gone, view.typed), last.version, claimants)
    remaining = fields_left(view.of(pruned), view.typed)
    dangling = difference(_all(start, view.typed), remaining)
    return back.of(remove(start, intersection(dangling, gone), view.typed))


def _add_back_owned(step: Change, merged: Json, pruned: Json, first: str, claimants: Managers) -> Json:
    """Return the pruned object with what other managers own, the version that was pruned in first."""
    # Each version adds back what its managers own, in their own words; the last conversion brings all into
    # the request's.
    for version, owned in _by_version(claimants, first):
        view = step.view(version)
        if view is None:
            continue
        why = "failed add back owned items: failed to convert {} object at version " + version
        merged = convert(view, merged, why.format("merged"))
        pruned = convert(view, pruned, why.format("pruned"))
        owned_fields = union(fields_left(pruned, view.typed), with_named_fields(owned, view.typed))
        pruned = remove(merged, difference(_all(merged, view.typed), owned_fields), view.typed)
    return pruned


def _by_version(claimants: Managers, first: str) -> Iterator[tuple[str, Fields]]:
    fields_by_version: dict[str, Fields] = {first: {}}
    for entry in claimants.values():
        fields_by_version[entry.version] = union(fields_by_version.get(entry.version, {}), entry.fields)
    yield from fields_by_version.items()


def _all(node: Json, typed: Typed) -> Fields:
    return with_named_fields(claimed_fields(node, typed), typed)
