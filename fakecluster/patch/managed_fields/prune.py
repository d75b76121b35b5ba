"""What an applier owned and no longer mentions leaves the object, unless another manager owns it (FK-204 step
6).
"""

from __future__ import annotations

from ...base.json_types import Json
from . import members
from .extent import claimed
from .fieldset import Fields, difference, intersection, owns, union, with_named_fields
from .typed import Form, Typed, form


def prune(merged: Json, last: Fields, owned: Fields, typed: Typed) -> Json:
    """Return the object without what `last` lists and `owned`, the present fields of all managers, does not."""
    if not difference(last, owned):
        return merged
    last = with_named_fields(last, typed)
    present = with_named_fields(claimed(merged, typed), typed)
    kept = union(fields_left(remove(merged, last, typed), typed), with_named_fields(owned, typed))
    left = fields_left(remove(merged, difference(present, kept), typed), typed)
    return remove(merged, intersection(difference(present, left), last), typed)


def fields_left(node: Json, typed: Typed) -> Fields:
    """Return the fields of a pruned object."""
    return with_named_fields(claimed(node, typed), typed) if node is not None else {}


def remove(node: Json, gone: Fields, typed: Typed) -> Json:
    """Return the node without the listed paths; a container that loses all its members becomes null."""
    kind = form(typed, node)
    if not node:
        return None if isinstance(node, dict | list) else node
    if kind is Form.LEAF:
        return None if isinstance(node, dict | list) else node
    if kind is Form.MAP:
        return _fields(node, gone, typed) or None
    return _items(node, gone, typed, kind) or None


def _fields(node: Json, gone: Fields, typed: Typed) -> Json:
    kept = {}
    for element, value, child in members.fields(node, typed):
        listed = gone.get(element)
        if listed is None:
            kept[element[2:]] = value
        elif not owns(listed):
            kept[element[2:]] = remove(value, listed, child)
    return kept


def _items(node: list[Json], gone: Fields, typed: Typed, kind: Form) -> list[Json]:
    kept = []
    for element, item in zip(members.elements(node, typed, kind), node, strict=True):
        listed = gone.get(element)
        if listed is None:
            kept.append(item)
        elif not owns(listed):
            kept.append(remove(item, listed, members.item_type(typed)))
    return kept
