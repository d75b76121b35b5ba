"""Divides the cases of a run into shards of about equal cost.

The cases of a scenario in one dialect stay together: whether a known failure passes now is judged over all of
them. The division depends on the selected cases and the costs alone, not on order, seed or workers.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

import pytest

from ..options.shard import Shard
from .parametrization import dialect_of

Item = TypeVar("Item", bound=pytest.Item)
Unit = tuple[str, str]
"""What stays together: a scenario and a dialect; a test that is no scenario is a unit of its own."""


def cases_of_shard(items: Sequence[Item], shard: Shard) -> tuple[list[Item], list[Item]]:
    """Split tests into those of a shard and those of the others."""
    units = [_unit(item) for item in items]
    amounts = Counter(units)
    costs = {unit: amount * shard.costs.of(unit[0]) for unit, amount in amounts.items()}
    numbers = divide(costs, shard.count)
    own: list[Item] = []
    others: list[Item] = []
    for item, unit in zip(items, units, strict=True):
        (own if numbers[unit] == shard.number else others).append(item)
    return own, others


def divide(costs: Mapping[Unit, float], count: int) -> Mapping[Unit, int]:
    """Return the number of the shard of each unit: the dearest first, each into the shard with the least."""
    loads = [(0.0, number) for number in range(1, count + 1)]
    numbers: dict[Unit, int] = {}
    for unit in sorted(costs, key=lambda unit: (-costs[unit], unit)):
        load, number = loads[0]
        numbers[unit] = number
        heapq.heapreplace(loads, (load + costs[unit], number))
    return numbers


def _unit(item: pytest.Item) -> Unit:
    marker = item.get_closest_marker("scenario")
    return (marker.args[0].id, dialect_of(item)) if marker else (item.nodeid, "")
