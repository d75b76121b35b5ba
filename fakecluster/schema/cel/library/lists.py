"""`sum`, `min`, `max`, `isSorted` and `lists.range` in rules (FK-275);
the engine's own `range` knows no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from ....base.json_types import Json
from ..limits import budget


def is_sorted(values: list[Json]) -> bool:
    """Whether no item is greater than the next."""
    return all(value <= other for value, other in pairwise(values))


def _extreme(choose: Callable[[list[Json]], Json], name: str) -> Callable[[list[Json]], Json]:
    def of(values: list[Json]) -> Json:
        if not values:
            raise ValueError(f"{name} called on empty list")
        return choose(values)

    return of


def numbers(count: int) -> list[int]:
    """Return the numbers from zero to one before `count`.

    Raises ValueError for more than an evaluation may make.
    """
    budget.spend_items(max(count, 0))
    return list(range(count))


FUNCTIONS: Mapping[str, tuple[tuple[str, Callable[..., Any]], ...]] = {
    "lists.Range": (("(int) -> list", numbers),),
    "isSorted": (("list.() -> bool", is_sorted),),
    "sum": (("list.() -> dyn", sum),),
    "min": (("list.() -> dyn", _extreme(min, "min")),),
    "max": (("list.() -> dyn", _extreme(max, "max")),),
}
