"""Which paths an object has: as an apply body claims them,
and as they appear with a new node (FK-227, FK-228).
"""

from __future__ import annotations

from ...base.json_types import Json
from . import members
from .fieldset import LEAF, Fields
from .paths import SELF, field
from .typed import Form, Typed, declares, form

CONTAINERS = frozenset({dict, list})


def claimed_fields(value: Json, typed: Typed) -> Fields:
    """Return the paths that an apply body owns: leaves, list items, what a free-form map holds (FK-228)."""
    return _claim_node(value, typed) or {}


def _claim_node(value: Json, typed: Typed) -> Fields | None:
    """Return what a node owns, None when it owns nothing: a list without items and all that holds no more."""
    kind = form(typed, value)
    if kind is Form.LEAF or value is None or value == {}:
        return LEAF
    fields = _claim_members(value, typed) if kind is Form.MAP else _claim_items(value, typed, kind)
    return fields or None


def _claim_members(value: Json, typed: Typed) -> Fields:
    fields: Fields = {}
    for element, child, child_type in members.fields(value, typed):
        below = _claim_node(child, child_type)
        # A declared field is a leaf or the way to one; the key of a free-form map is somebody's choice, and
        # owned itself.
        if declares(typed, element[2:]):
            if below is not None:
                fields[element] = below
        else:
            fields[element] = {SELF: LEAF, **below} if below else LEAF
    return fields


def _claim_items(value: Json, typed: Typed, kind: Form) -> Fields:
    fields: Fields = {}
    for element, group in members.items(value, typed, kind).items():
        below = _claim_node(group[0], members.item_type(typed)) if len(group) == 1 else LEAF
        fields[element] = {SELF: LEAF, **below} if below else LEAF
    return fields


def everything(value: Json, typed: Typed) -> Fields:
    """Return every path of a node that came or went as a whole,
    its own and those of containers included (FK-227).
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
