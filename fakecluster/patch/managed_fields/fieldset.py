"""Sets of paths, in the very form in which managed fields are stored, so nothing is decoded (FK-200).

A node maps path elements to nodes. The member `.` says that the node's own
path is in the set; an empty node below the root says the same, so that each
set has one spelling. Sets are values: no function changes its argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .paths import SELF, Path, canonical, is_known, order
from .typed import Typed, declares, member

Fields = dict[str, Any]
# Shared by all sets, which is safe because no function changes one.
LEAF: Fields = {}


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


def with_named_fields(fields: Fields, typed: Typed | None) -> Fields:
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


def _below(typed: Typed | None, element: str) -> Typed | None:
    if typed is None:
        return None
    if element[:2] == "f:":
        return member(typed, element[2:])
    items: Typed | None = typed.items if element[:2] == "k:" else None
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
