"""Sets of paths, in the very form in which managed fields are stored, so nothing is decoded (FK-200).

A node maps path elements to nodes. The member `.` says that the node's own path is in the set; an empty node below the
root says the same, so that each set has one spelling. Sets are values: no function changes its argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .paths import SELF, Path, canonical, is_known, order
from .typed import Typed, declares, member

Fields = dict[str, Any]
LEAF: Fields = {}


def owns(node: Fields) -> bool:
    """Tell whether a node below the root has its own path in the set."""
    return not node or SELF in node


def of_paths(paths: Iterable[Path]) -> Fields:
    """Return the set of the given paths."""
    found: Fields = {}
    for path in paths:
        found = union(found, _chain(path))
    return found


def _chain(path: Path) -> Fields:
    node: Fields = LEAF
    for element in reversed(path):
        node = {element: node}
    return node


def union(one: Fields, other: Fields) -> Fields:
    """Return the paths in either."""
    if not one or not other:
        return one or other
    merged = dict(one)
    for element, node in other.items():
        mine = one.get(element)
        merged[element] = node if mine is None or mine is node else _union_below(mine, node)
    return merged


def _union_below(one: Fields, other: Fields) -> Fields:
    if one and other:
        return union(one, other)
    more = one or other
    return {SELF: LEAF, **more} if more else LEAF


def difference(one: Fields, other: Fields) -> Fields:
    """Return the paths of `one` that are not in `other`."""
    if not one or not other:
        return one
    return _without(one, other, keep=False)


def _without(one: Fields, other: Fields, *, keep: bool) -> Fields:
    """Subtract below a node; `keep` says that the node's own path stays."""
    left: Fields = {SELF: LEAF} if keep else {}
    for element, node in one.items():
        if element == SELF:
            continue
        theirs = other.get(element)
        if theirs is None:
            left[element] = node
            continue
        stays = owns(node) and not owns(theirs)
        rest = _without(node, theirs, keep=stays) if node else (LEAF if stays else None)
        if rest is not None and (rest or stays):
            left[element] = rest
    return LEAF if keep and len(left) == 1 else left


def without_below(one: Fields, other: Fields) -> Fields:
    """Return the paths of `one` that are neither in `other` nor below one of its paths."""
    if not one or not other:
        return one
    left: Fields = {}
    for element, node in one.items():
        theirs = other.get(element)
        if theirs is None or element == SELF:
            left[element] = node
        elif not owns(theirs):
            rest = without_below(node, theirs)
            if rest or not node:
                left[element] = rest if rest.keys() != {SELF} else LEAF
    return left


def intersection(one: Fields, other: Fields) -> Fields:
    """Return the paths in both."""
    shared: Fields = {}
    for element, node in one.items():
        theirs = other.get(element)
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
    """Yield the paths in the server's order: at each node first its own members, then what lies below them."""
    elements = sorted((element for element in fields if element != SELF), key=order)
    yield from ((*above, element) for element in elements if owns(fields[element]))
    for element in elements:
        yield from paths(fields[element], (*above, element))


def with_named_fields(fields: Fields, typed: Typed | None) -> Fields:
    """Return the set with every declared field that has something below it as a path of its own."""
    found: Fields = {}
    for element, node in fields.items():
        if not node:
            found[element] = node
            continue
        below = with_named_fields(node, _below(typed, element))
        named = typed is not None and element[:2] == "f:" and declares(typed, element[2:])
        found[element] = {SELF: LEAF, **below} if named else below
    return found


def _below(typed: Typed | None, element: str) -> Typed | None:
    if typed is None:
        return None
    if element[:2] == "f:":
        return member(typed, element[2:])
    items: Typed | None = typed.items if element[:2] == "k:" else None
    return items


def parsed(raw: Any) -> Fields:
    """Return a set that a client wrote, in canonical spelling. Raises ValueError for an element that makes no sense.

    Elements of unknown kinds are left out, with all below them.
    """
    if not isinstance(raw, dict):
        raise ValueError(f"fields are no object: {raw!r}")  # noqa: TRY004 - a value of an object that was read
    known = ((one, node) for one, node in raw.items() if one == SELF or is_known(one))
    found = {element if element == SELF else canonical(element): parsed(node) for element, node in known}
    return LEAF if found.keys() == {SELF} else found
