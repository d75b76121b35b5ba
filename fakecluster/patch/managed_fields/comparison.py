"""What differs between two objects of one type, as three sets of paths (FK-204 step 7, FK-207)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...base.json_types import Json
from ..json.equality import is_same
from . import paths
from .fieldset import LEAF, Fields, all_fields, union, without_below
from .paths import SELF, field
from .typed import NodeForm, NodeType, form

# Not None: null is a value, and a member that turns from null to absent is a change.
_ABSENT: Any = object()
SCALAR_TYPES = frozenset({str, int, float, bool})


class Comparison(Struct, frozen=True):
    """The paths that came, changed and went."""

    added: Fields
    modified: Fields
    removed: Fields

    @property
    def added_or_modified(self) -> Fields:
        """The paths that came or changed."""
        return union(self.modified, self.added)

    def without(self, ignored: Fields) -> Comparison:
        """Return the comparison without the ignored paths and all below them."""
        return Comparison(
            *(without_below(fields, ignored) for fields in (self.added, self.modified, self.removed))
        )


Difference = tuple[Fields | None, Fields | None, Fields | None]
_NO_DIFFERENCE: Difference = (None, None, None)


def compare(old: Json, new: Json, typed: NodeType) -> Comparison:
    """Compare two objects of one type."""
    added, modified, removed = _node(old, new, typed)
    return Comparison(added or {}, modified or {}, removed or {})


def _node(old: Json, new: Json, typed: NodeType) -> Difference:
    # combine() keeps the identity of what stays, so that most of an object is skipped here.
    if old is new:
        return _NO_DIFFERENCE
    if old is _ABSENT:
        return all_fields(new, typed), None, None
    if new is _ABSENT:
        return None, None, all_fields(old, typed)
    kind = form(typed, new if new is not None else old)
    if old is not None and type(old) is not type(new) and form(typed, old) is not kind:
        return _other_form(old, new, typed)
    if kind is NodeForm.LEAF or not (old or new):
        return _NO_DIFFERENCE if is_same(old, new) else (None, LEAF, None)
    return (
        _fields(old or {}, new or {}, typed)
        if kind is NodeForm.MAP
        else _items(old or [], new or [], typed, kind)
    )


def _other_form(old: Json, new: Json, typed: NodeType) -> Difference:
    """A node of free type turned from a map into something else or back: the map's members go or come."""
    return _inside(new, typed), LEAF, _inside(old, typed)


def _inside(value: Json, typed: NodeType) -> Fields | None:
    below = {element: node for element, node in all_fields(value, typed).items() if element != SELF}
    return below or None


def _fields(old: Json, new: Json, typed: NodeType) -> Difference:
    differences = _Differences()
    for name, value in new.items():
        before = old.get(name, _ABSENT)
        # Most members are texts and numbers that stay.
        if before is not value and not (
            type(value) in SCALAR_TYPES and type(before) is type(value) and before == value
        ):
            differences.add(field(name), _node(before, value, paths.child_type(typed, name)))
    for name, value in old.items():
        if name not in new:
            differences.add(field(name), _node(value, _ABSENT, paths.child_type(typed, name)))
    return differences.sets()


def _items(old: list[Json], new: list[Json], typed: NodeType, kind: NodeForm) -> Difference:
    before, after = paths.items_by_element(old, typed, kind), paths.items_by_element(new, typed, kind)
    differences = _Differences()
    for element in {**before, **after}:
        differences.add(
            element, _group(before.get(element, []), after.get(element, []), paths.item_type(typed))
        )
    return differences.sets()


def _group(old: list[Json], new: list[Json], typed: NodeType) -> Difference:
    """Compare the items with one identity. Several of them are owned as one leaf, whatever they hold."""
    if len(old) <= 1 and len(new) <= 1:
        return _node(old[0] if old else _ABSENT, new[0] if new else _ABSENT, typed)
    # Lists from before validation may repeat a key; the library then owns all items of the key as one.
    if len(old) > 1 and len(new) > 1:
        return _NO_DIFFERENCE if is_same(old, new) else (None, LEAF, None)
    if len(old) > 1:
        return (all_fields(new[0], typed) if new else None), None, LEAF
    return LEAF, None, (all_fields(old[0], typed) if old else None)


class _Differences:
    """Collects what was found below one node."""

    def __init__(self) -> None:
        self._sets: tuple[Fields, Fields, Fields] = ({}, {}, {})

    def add(self, element: str, difference: Difference) -> None:
        if difference is _NO_DIFFERENCE:
            return
        for collected, node in zip(self._sets, difference, strict=True):
            if node is not None:
                collected[element] = node

    def sets(self) -> Difference:
        added, modified, removed = self._sets
        return added or None, modified or None, removed or None
