"""The members of a granular node with their path elements:
one way to walk objects, sets and keyed lists (FK-202).
"""

from __future__ import annotations

from collections.abc import Callable

from ...base.json_types import Json
from .paths import NoElement, field, of_item, of_value
from .typed import ANYTHING, Form, Typed, member

Member = tuple[str, Json, Typed]


def fields(node: Json, typed: Typed) -> list[Member]:
    """Return (element, value, type) of each member of an object;
    none of a value that is no object, which is refused later.
    """
    if not isinstance(node, dict):
        return []
    return [(field(name), value, child_type(typed, name)) for name, value in node.items()]


def child_type(typed: Typed, name: str) -> Typed:
    """Return the type of an object's member; anything where the schema does not know it."""
    declared: Typed | None = None if typed.is_embedded else typed.properties.get(name)
    return declared or member(typed, name) or ANYTHING


def element_of(typed: Typed, kind: Form) -> Callable[[Json], str]:
    """Return what names the items of a list of this form."""
    return of_value if kind is Form.SET else lambda item: of_item(item, typed)


def items(node: list[Json], typed: Typed, kind: Form) -> dict[str, list[Json]]:
    """Return the items of a list by element, in order; an item without identity is left out."""
    name = element_of(typed, kind)
    items_by_element: dict[str, list[Json]] = {}
    for item in node:
        try:
            items_by_element.setdefault(name(item), []).append(item)
        except NoElement:
            continue
    return items_by_element


def item_type(typed: Typed) -> Typed:
    """Return the type of a list's items."""
    return typed.items or ANYTHING


def elements(node: list[Json], typed: Typed, kind: Form) -> list[str]:
    """Return the elements of a list's items in order, repetitions included."""
    name = element_of(typed, kind)
    item_elements = []
    for item in node:
        try:
            item_elements.append(name(item))
        except NoElement:
            continue
    return item_elements
