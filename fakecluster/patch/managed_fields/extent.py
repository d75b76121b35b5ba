"""Which paths an object has: as an apply body claims them, and as they appear with a new node (FK-227,
FK-228).
"""

from __future__ import annotations

from ...base.json_types import Json
from . import members
from .fieldset import LEAF, Fields
from .paths import SELF, field
from .typed import Form, Typed, declares, form

CONTAINERS = frozenset({dict, list})


def claimed(value: Json, typed: Typed) -> Fields:
    """Return the paths that an apply body owns: leaves, list items, what a free-form map holds (FK-228)."""
    return _claimed(value, typed) or {}


def _claimed(value: Json, typed: Typed) -> Fields | None:
    """Return what a node owns, None when it owns nothing: a list without items and all that holds no more."""
    kind = form(typed, value)
    if kind is Form.LEAF or value is None or value == {}:
        return LEAF
    found = _claimed_fields(value, typed) if kind is Form.MAP else _claimed_items(value, typed, kind)
    return found or None


def _claimed_fields(value: Json, typed: Typed) -> Fields:
    found: Fields = {}
    for element, child, child_type in members.fields(value, typed):
        below = _claimed(child, child_type)
        if declares(typed, element[2:]):
            if below is not None:
                found[element] = below
        else:
            found[element] = {SELF: LEAF, **below} if below else LEAF
    return found


def _claimed_items(value: Json, typed: Typed, kind: Form) -> Fields:
    found: Fields = {}
    for element, group in members.items(value, typed, kind).items():
        below = _claimed(group[0], members.item_type(typed)) if len(group) == 1 else LEAF
        found[element] = {SELF: LEAF, **below} if below else LEAF
    return found


def everything(value: Json, typed: Typed) -> Fields:
    """Return every path of a node that came or went as a whole, its own and those of containers included
    (FK-227).
    """
    if not value or type(value) not in CONTAINERS:
        return LEAF
    kind = form(typed, value)
    if kind is Form.LEAF:
        return LEAF
    if kind is Form.MAP:
        # Most members are texts and numbers: a call for each would cost more than all the rest.
        below = {
            field(name): everything(child, members.child_type(typed, name))
            if child and type(child) in CONTAINERS
            else LEAF
            for name, child in value.items()
        }
    else:
        below = {
            element: everything(group[0], members.item_type(typed)) if len(group) == 1 else LEAF
            for element, group in members.items(value, typed, kind).items()
        }
    return {SELF: LEAF, **below}
