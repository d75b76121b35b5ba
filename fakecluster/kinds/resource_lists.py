"""Amounts by the name of a resource, and sums of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ..base.json_types import Json
from ..base.numbers.quantity import Quantity

Amounts: TypeAlias = Mapping[str, Quantity]
NONE, ONE = Quantity.of("0"), Quantity.of("1")


def of(given: Json) -> dict[str, Quantity]:
    """Read a list of resources."""
    return {name: Quantity.of(str(amount)) for name, amount in (given or {}).items()}


def added(one: Amounts, other: Amounts) -> dict[str, Quantity]:
    """Return the sum; it is written as the first amount is that is not zero."""
    found = dict(one)
    for name, amount in other.items():
        found[name] = found[name].plus(amount) if name in found else amount
    return found


def total(several: Iterable[Amounts]) -> dict[str, Quantity]:
    """Return the sum of several."""
    found: dict[str, Quantity] = {}
    for one in several:
        found = added(found, one)
    return found


def grown(new: Amounts, old: Amounts) -> dict[str, Quantity]:
    """Return by how much new amounts are above old ones."""
    return {
        name: max(NONE, amount.minus(old.get(name, NONE)), key=lambda one: one.amount)
        for name, amount in new.items()
    }


def greater(one: Amounts, other: Amounts) -> dict[str, Quantity]:
    """Return the greater amount of each resource."""
    found = dict(one)
    for name, amount in other.items():
        if name not in found or found[name].amount < amount.amount:
            found[name] = amount
    return found


def only(given: Amounts, names: Iterable[str]) -> dict[str, Quantity]:
    """Return the amounts of some resources."""
    return {name: given[name] for name in names if name in given}


def told(given: Amounts) -> str:
    """Return amounts as refusals show them."""
    return ",".join(f"{name}={amount}" for name, amount in sorted(given.items()))


def written(given: Amounts) -> dict[str, str]:
    """Return amounts as objects hold them."""
    return {name: str(amount) for name, amount in given.items()}
