"""Which items of a list repeat others, at a cost that grows with their number and not with its square."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ...base.json_types import Json
from ...schema.scalars import json_text


def repeats(keys: Iterable[Hashable]) -> frozenset[int]:
    """Return the positions of the keys that stand further ahead as well."""
    values: set[Hashable] = set()
    positions = set()
    for number, key in enumerate(keys):
        if key in values:
            positions.add(number)
        values.add(key)
    return frozenset(positions)


def positions_of_repeats(objects: Iterable[Json]) -> frozenset[int]:
    """Return the positions of the objects that equal one further ahead."""
    return repeats(json_text(item) for item in objects)
