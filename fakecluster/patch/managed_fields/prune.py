"""What an applier owned and no longer mentions leaves the object, unless another manager owns it (FK-204 step
6).
"""

from __future__ import annotations

from ...base.json_types import Json
from . import members
from .fieldset import Fields, difference, intersection, owns, union, with_named_fields
from .object_paths import claimed_fields
from .typed import Form, Typed, form


def prune(merged: Json, last: Fields, owned: Fields, typed: Typed) -> Json:
    """Return the object without what `last` lists and `owned`, the present fields of all managers, does not."""
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


def fields_left(node: Json, typed: Typed) -> Fields:
    """Return the fields of a pruned object."""
    return with_named_fields(claimed_fields(node, typed), typed) if node is not None else {}


def remove(node: Json, removed: Fields, typed: Typed) -> Json:
    """Return the node without the listed paths; a container that loses all its members becomes null."""
    kind = form(typed, node)
    if not node:
        return None if isinstance(node, dict | list) else node
    if kind is Form.LEAF:
        return None if isinstance(node, dict | list) else node
    if kind is Form.MAP:
        return _fields(node, removed, typed) or None
    return _items(node, removed, typed, kind) or None


def _fields(node: Json, removed: Fields, typed: Typed) -> Json:
    members_left = {}
    for element, value, child in members.fields(node, typed):
        listed = removed.get(element)
        if listed is None:
            members_left[element[2:]] = value
        elif not owns(listed):
            members_left[element[2:]] = remove(value, listed, child)
    return members_left


def _items(node: list[Json], removed: Fields, typed: Typed, kind: Form) -> list[Json]:
    items_left = []
    for element, item in zip(members.elements(node, typed, kind), node, strict=True):
        listed = removed.get(element)
        if listed is None:
            items_left.append(item)
        elif not owns(listed):
            items_left.append(remove(item, listed, members.item_type(typed)))
    return items_left
