"""Sets of paths, in the very form in which managed fields are stored, so nothing is decoded (FK-200).

A node maps path elements to nodes. The member `.` says that the node's own
path is in the set; an empty node below the root says the same, so that each
set has one spelling. Sets are values: no function changes its argument.

The set of an object holds what an apply body claims (FK-228), or all that a new node has (FK-227).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...base.json_types import Json
from .paths import (
    SELF,
    Path,
    canonical,
    child_type,
    field,
    fields_with_elements,
    is_known,
    item_type,
    items_by_element,
    order,
)
from .typed import NodeForm, NodeType, declares, form, member

Fields = dict[str, Any]
# Shared by all sets, which is safe because no function changes one.
LEAF: Fields = {}
CONTAINERS = frozenset({dict, list})


def owns(node: Fields) -> bool:
    """Tell whether a node below the root has its own path in the set."""
    return not node or SELF in node


def of_paths(paths: Iterable[Path]) -> Fields:
    """Return the set of the given paths."""
    fields: Fields = {}
    for path in paths:
        fields = union(fields, _chain(path))
    return fields


def _chain(path: Path) -> Fields:
    node: Fields = LEAF
    for element in reversed(path):
        node = {element: node}
    return node


def union(fields: Fields, other_fields: Fields) -> Fields:
    """Return the paths in either."""
    if not fields or not other_fields:
        return fields or other_fields
    merged = dict(fields)
    for element, node in other_fields.items():
        mine = fields.get(element)
        # Identity first: sets of two managers often share whole branches.
        merged[element] = node if mine is None or mine is node else _union_below(mine, node)
    return merged


def _union_below(fields: Fields, other_fields: Fields) -> Fields:
    if fields and other_fields:
        return union(fields, other_fields)
    union_or_leaf = fields or other_fields
    return {SELF: LEAF, **union_or_leaf} if union_or_leaf else LEAF


def difference(fields: Fields, other_fields: Fields) -> Fields:
    """Return the paths of `one` that are not in `other`."""
    if not fields or not other_fields:
        return fields
    return _subtract(fields, other_fields, keep_self=False)


def _subtract(fields: Fields, other_fields: Fields, *, keep_self: bool) -> Fields:
    """Subtract below a node; `keep` says that the node's own path stays."""
    remaining: Fields = {SELF: LEAF} if keep_self else {}
    for element, node in fields.items():
        if element == SELF:
            continue
        theirs = other_fields.get(element)
        if theirs is None:
            remaining[element] = node
            continue
        stays = owns(node) and not owns(theirs)
        rest = _subtract(node, theirs, keep_self=stays) if node else (LEAF if stays else None)
        if rest is not None and (rest or stays):
            remaining[element] = rest
    # `{".": {}}` alone and `{}` say the same; only the second is canonical.
    return LEAF if keep_self and len(remaining) == 1 else remaining


def without_below(fields: Fields, other_fields: Fields) -> Fields:
    """Return the paths of `one` that are neither in `other` nor below one of its paths."""
    if not fields or not other_fields:
        return fields
    remaining: Fields = {}
    for element, node in fields.items():
        theirs = other_fields.get(element)
        if theirs is None or element == SELF:
            remaining[element] = node
        elif not owns(theirs):
            rest = without_below(node, theirs)
            if rest or not node:
                remaining[element] = rest if rest.keys() != {SELF} else LEAF
    return remaining


def intersection(fields: Fields, other_fields: Fields) -> Fields:
    """Return the paths in both."""
    shared: Fields = {}
    for element, node in fields.items():
        theirs = other_fields.get(element)
        if theirs is None or element == SELF:
            continue
        both = owns(node) and owns(theirs)
        below = intersection(node, theirs) if node and theirs else LEAF
        if below:
            shared[element] = {SELF: LEAF, **below} if both else below
        elif both:
            shared[element] = LEAF
    return shared


def paths(fields: Fields, above: Path = ()) -> Iterator[Path]:
    """Yield the paths in the server's order:
    at each node first its own members, then what lies below them.
    """
    # Conflict texts list paths in the order of the library: members of a node before what lies below them.
    elements = sorted((element for element in fields if element != SELF), key=order)
    yield from ((*above, element) for element in elements if owns(fields[element]))
    for element in elements:
        yield from paths(fields[element], (*above, element))


def with_named_fields(fields: Fields, typed: NodeType | None) -> Fields:
    """Return the set with every declared field that has something below it as a path of its own."""
    expanded: Fields = {}
    for element, node in fields.items():
        if not node:
            expanded[element] = node
            continue
        below = with_named_fields(node, _below(typed, element))
        named = typed is not None and element[:2] == "f:" and declares(typed, element[2:])
        expanded[element] = {SELF: LEAF, **below} if named else below
    return expanded


def _below(typed: NodeType | None, element: str) -> NodeType | None:
    if typed is None:
        return None
    if element[:2] == "f:":
        return member(typed, element[2:])
    items: NodeType | None = typed.items if element[:2] == "k:" else None
    return items


def parse(raw: Any) -> Fields:
    """Return a set that a client wrote, in canonical spelling.

    Raises ValueError for an element that makes no sense.

    Elements of unknown kinds are left out, with all below them.
    """
    if not isinstance(raw, dict):
        # A ValueError, since it is a value of an object that was read.
        raise ValueError(f"fields are no object: {raw!r}")  # noqa: TRY004
    known_nodes = ((element, node) for element, node in raw.items() if element == SELF or is_known(element))
    fields = {
        element if element == SELF else canonical(element): parse(node) for element, node in known_nodes
    }
    return LEAF if fields.keys() == {SELF} else fields


def claimed_fields(value: Json, typed: NodeType) -> Fields:
    """Return the paths that an apply body owns: leaves, list items, what a free-form map holds (FK-228)."""
    return _claim_node(value, typed) or {}


def _claim_node(value: Json, typed: NodeType) -> Fields | None:
    """Return what a node owns, None when it owns nothing: a list without items and all that holds no more."""
    kind = form(typed, value)
    if kind is NodeForm.LEAF or value is None or value == {}:
        return LEAF
    fields = _claim_members(value, typed) if kind is NodeForm.MAP else _claim_items(value, typed, kind)
    return fields or None


def _claim_members(value: Json, typed: NodeType) -> Fields:
    fields: Fields = {}
    for element, child, type_of_child in fields_with_elements(value, typed):
        below = _claim_node(child, type_of_child)
        # A declared field is a leaf or the way to one; the key of a free-form map is somebody's choice, and
        # owned itself.
        if declares(typed, element[2:]):
            if below is not None:
                fields[element] = below
        else:
            fields[element] = {SELF: LEAF, **below} if below else LEAF
    return fields


def _claim_items(value: Json, typed: NodeType, kind: NodeForm) -> Fields:
    fields: Fields = {}
    for element, group in items_by_element(value, typed, kind).items():
        below = _claim_node(group[0], item_type(typed)) if len(group) == 1 else LEAF
        fields[element] = {SELF: LEAF, **below} if below else LEAF
    return fields


def all_fields(value: Json, typed: NodeType) -> Fields:
    """Return every path of a node that came or went as a whole,
    its own and those of containers included (FK-227).
    """
    if not value or type(value) not in CONTAINERS:
        return LEAF
    kind = form(typed, value)
    if kind is NodeForm.LEAF:
        return LEAF
    if kind is NodeForm.MAP:
        # Most members are texts and numbers: a call for each would cost more than all the rest.
        below = {
            field(name): all_fields(child, child_type(typed, name))
            if child and type(child) in CONTAINERS
            else LEAF
            for name, child in value.items()
        }
    else:
        below = {
            element: all_fields(group[0], item_type(typed)) if len(group) == 1 else LEAF
            for element, group in items_by_element(value, typed, kind).items()
        }
    return {SELF: LEAF, **below}
