"""Whether JSON values are the same: in Python, true equals 1."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ...base.json_types import Json


def same(one: Json, other: Json) -> bool:
    """Tell whether two JSON values are equal; unlike in Python, true is not 1."""
    return one is other or (bool(one == other) and _true_where_true(one, other))


def hashed(value: Json) -> Hashable:
    """Return a hashable value that is equal for the same values and for no others, to compare many with
    many.
    """
    kind = type(value)
    if kind is dict:
        return "map", frozenset((name, hashed(child)) for name, child in value.items())
    if kind is list:
        return "list", tuple(map(hashed, value))
    return (bool, value) if kind is bool else value


def distinct(values: Iterable[Json]) -> list[Json]:
    """Return each value once, where it was first."""
    found: dict[Hashable, Json] = {}
    for value in values:
        found.setdefault(hashed(value), value)
    return [*found.values()]


def _true_where_true(one: Json, other: Json) -> bool:
    """Tell whether of two values that Python calls equal none has a number where the other has a bool."""
    kind = type(one)
    if kind is str or one is other:
        return True
    if kind is dict:
        return all(_true_where_true(value, other[name]) for name, value in one.items())
    if kind is list:
        return all(map(_true_where_true, one, other))
    return (kind is bool) == (type(other) is bool)
