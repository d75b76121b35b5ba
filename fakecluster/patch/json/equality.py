"""Whether JSON values are the same: in Python, true equals 1."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ...base.json_types import Json


def is_same(left_value: Json, right_value: Json) -> bool:
    """Tell whether two JSON values are equal; unlike in Python, true is not 1."""
    # Python's own comparison is fast and nearly always decides; bools are looked at only where it says yes.
    return left_value is right_value or (
        bool(left_value == right_value) and _bools_match(left_value, right_value)
    )


def to_hashable(value: Json) -> Hashable:
    """Return a hashable value that is equal for the same values
    and for no others, to compare many with many.
    """
    kind = type(value)
    if kind is dict:
        # Tagged, or an empty map and an empty list would be one key.
        return "map", frozenset((name, to_hashable(child)) for name, child in value.items())
    if kind is list:
        return "list", tuple(map(to_hashable, value))
    return (bool, value) if kind is bool else value


def distinct(values: Iterable[Json]) -> list[Json]:
    """Return each value once, where it was first."""
    first_by_key: dict[Hashable, Json] = {}
    for value in values:
        first_by_key.setdefault(to_hashable(value), value)
    return [*first_by_key.values()]


def _bools_match(left_value: Json, right_value: Json) -> bool:
    """Tell whether of two values that Python calls equal none has a number where the other has a bool."""
    kind = type(left_value)
    if kind is str or left_value is right_value:
        return True
    if kind is dict:
        return all(_bools_match(value, right_value[name]) for name, value in left_value.items())
    if kind is list:
        return all(map(_bools_match, left_value, right_value))
    return (kind is bool) == (type(right_value) is bool)
