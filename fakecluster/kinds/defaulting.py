"""Defaults by type, applied wherever the type occurs in an object (FK-465, FK-495…501).

A rule belongs to a message and sees only that message's value, as Go's generated defaulting does: parents
before children. The rules stand beside their kinds and are registered here; what a field's own declaration
says is in the generated types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from ..base.json_types import Json
from ..base.numbers.quantity import round_to_milli
from ..gotypes import types

Defaulter = Callable[[Json], Json]
RESOURCE_LIST = "core.v1.ResourceList"
RULES: dict[str, Defaulter] = {}
"""By message; complete once `kinds` is loaded."""


class DefaultedMember(Struct, frozen=True):
    """A member whose type, or a type below it, has defaults."""

    name: str
    shape: Literal["one", "list", "map"]
    message: str


def register(rules: Mapping[str, Defaulter]) -> None:
    """Add the rules of messages, as `core.v1.PodSpec`; done by `kinds` before anything is defaulted."""
    RULES.update(rules)


def for_message(message: str) -> Defaulter:
    """Return the function that sets all defaults of a message."""
    return lambda value: apply_defaults(message, value)


def apply_defaults(message: str, value: Json) -> Json:
    """Return the value with its defaults and those of everything below it;
    the same value when nothing changes.
    """
    if message == RESOURCE_LIST:
        return round_up(value)
    if rule := RULES.get(message):
        value = rule(value)
    value = with_constants(value, constant_defaults(message))
    for child in children(message):
        if (old := value.get(child.name)) is not None:
            new = _below(child, old)
            value = value if new is old else {**value, child.name: new}
    return value


def _below(child: DefaultedMember, old: Json) -> Json:
    if child.shape == "one":
        return apply_defaults(child.message, old)
    if child.shape == "list":
        items = [apply_defaults(child.message, item) for item in old]
        return old if all(new is item for new, item in zip(items, old, strict=True)) else items
    members = {key: apply_defaults(child.message, member) for key, member in old.items()}
    return old if all(members[key] is member for key, member in old.items()) else members


def with_constants(value: Json, constants: Mapping[str, Json]) -> Json:
    """Return the value with constants for the members it lacks."""
    lacking = {name: constant for name, constant in constants.items() if value.get(name) is None}
    return {**value, **lacking} if lacking else value


def round_up(amounts: Json) -> Json:
    """Return a resource list rounded up to thousandths (FK-497)."""
    new = {name: round_to_milli(amount) for name, amount in amounts.items()}
    return amounts if new == amounts else new


@cache
def constant_defaults(message: str) -> Mapping[str, Json]:
    """Return the constants that fields of a message state themselves; empty ones change nothing."""
    properties = types.schemas()[message].get("properties", {})
    return {
        name: property_schema["default"]
        for name, property_schema in properties.items()
        if property_schema.get("default")
    }


@cache
def children(message: str) -> tuple[DefaultedMember, ...]:
    """Return the members through which defaults can be reached."""
    return tuple(child for child in _members(message) if _matters(child.message, frozenset()))


def _members(message: str) -> Iterator[DefaultedMember]:
    for name, (_, go_type, _) in types.go_fields(message).items():
        child = _child(name, go_type)
        if child:
            yield child


def _child(name: str, go_type: str) -> DefaultedMember | None:
    target = go_type.lstrip("*")
    if target == RESOURCE_LIST:
        return DefaultedMember(name, "one", target)
    if types.is_named(target):
        target = types.underlying_type(target)
    shape: Literal["one", "list", "map"] = "one"
    if target.startswith("[]"):
        shape, target = "list", target[2:]
    elif target.startswith("map["):
        shape, target = "map", target.partition("]")[2]
    target = target.lstrip("*")
    return DefaultedMember(name, shape, target) if types.has_fields(target) else None


@cache
def _matters(message: str, above: frozenset[str]) -> bool:
    if message == RESOURCE_LIST or message in RULES or constant_defaults(message):
        return True
    if message in above:
        return False
    return any(_matters(child.message, above | {message}) for child in _members(message))
