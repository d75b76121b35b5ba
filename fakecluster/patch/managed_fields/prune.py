"""Pruning: what an applier owned and no longer mentions leaves the object, unless another manager owns it,
also when owners speak of several versions of the object (FK-204 step 6, FK-334).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from . import paths
from .fieldset import Fields, claimed_fields, difference, intersection, owns, union, with_named_fields
from .managers import ManagedFieldsEntry, Managers
from .ownership import ObjectChange, convert
from .typed import NodeForm, NodeType, form


def prune(merged: Json, last: Fields, owned: Fields, typed: NodeType) -> Json:
    """Return the object without what `last` lists and `owned`,
    the present fields of all managers, does not.
    """
    # Nothing was given up: the usual apply.
    if not difference(last, owned):
        return merged
    last = with_named_fields(last, typed)
    present = with_named_fields(claimed_fields(merged, typed), typed)
    # A field that another manager owns keeps all containers above it.
    owned_fields = union(fields_left(remove(merged, last, typed), typed), with_named_fields(owned, typed))
    remaining = fields_left(remove(merged, difference(present, owned_fields), typed), typed)
    # Only what the applier listed itself may go: emptied parents that it never owned stay.
    return remove(merged, intersection(difference(present, remaining), last), typed)


def fields_left(node: Json, typed: NodeType) -> Fields:
    """Return the fields of a pruned object."""
    return with_named_fields(claimed_fields(node, typed), typed) if node is not None else {}


def remove(node: Json, removed: Fields, typed: NodeType) -> Json:
    """Return the node without the listed paths; a container that loses all its members becomes null."""
    kind = form(typed, node)
    if not node:
        return None if isinstance(node, dict | list) else node
    if kind is NodeForm.LEAF:
        return None if isinstance(node, dict | list) else node
    if kind is NodeForm.MAP:
        return _fields(node, removed, typed) or None
    return _items(node, removed, typed, kind) or None


def _fields(node: Json, removed: Fields, typed: NodeType) -> Json:
    members_left = {}
    for element, value, child in paths.fields_with_elements(node, typed):
        listed = removed.get(element)
        if listed is None:
            members_left[element[2:]] = value
        elif not owns(listed):
            members_left[element[2:]] = remove(value, listed, child)
    return members_left


def _items(node: list[Json], removed: Fields, typed: NodeType, kind: NodeForm) -> list[Json]:
    items_left = []
    for element, item in zip(paths.item_elements(node, typed, kind), node, strict=True):
        listed = removed.get(element)
        if listed is None:
            items_left.append(item)
        elif not owns(listed):
            items_left.append(remove(item, listed, paths.item_type(typed)))
    return items_left


def prune_across(step: ObjectChange, merged: Json, last: ManagedFieldsEntry, claimants: Managers) -> Json:
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


def _add_back_owned(step: ObjectChange, merged: Json, pruned: Json, first: str, claimants: Managers) -> Json:
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


def _all(node: Json, typed: NodeType) -> Fields:
    return with_named_fields(claimed_fields(node, typed), typed)
