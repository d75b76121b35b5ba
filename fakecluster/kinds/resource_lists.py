"""Amounts by the name of a resource, and sums of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ..base.json_types import Json
from ..base.numbers.quantity import Quantity

Amounts: TypeAlias = Mapping[str, Quantity]
ZERO, ONE = Quantity.of("0"), Quantity.of("1")


def of(amounts: Json) -> dict[str, Quantity]:
    """Read a list of resources."""
    return {name: Quantity.of(str(amount)) for name, amount in (amounts or {}).items()}


def add(amounts: Amounts, other: Amounts) -> dict[str, Quantity]:
    """Return the sum; it is written as the first amount is that is not zero."""
    sums = dict(amounts)
    for name, amount in other.items():
        sums[name] = sums[name].plus(amount) if name in sums else amount
    return sums


def total(several: Iterable[Amounts]) -> dict[str, Quantity]:
    """Return the sum of several."""
    sums: dict[str, Quantity] = {}
    for amounts in several:
        sums = add(sums, amounts)
    return sums


def increase(new: Amounts, old: Amounts) -> dict[str, Quantity]:
    """Return by how much new amounts are above old ones."""
    return {
        name: max(ZERO, amount.minus(old.get(name, ZERO)), key=lambda amount: amount.amount)
        for name, amount in new.items()
    }


def greater(amounts: Amounts, other: Amounts) -> dict[str, Quantity]:
    """Return the greater amount of each resource."""
    largest = dict(amounts)
    for name, amount in other.items():
        if name not in largest or largest[name].amount < amount.amount:
            largest[name] = amount
    return largest


def only(amounts: Amounts, names: Iterable[str]) -> dict[str, Quantity]:
    """Return the amounts of some resources."""
    return {name: amounts[name] for name in names if name in amounts}


def to_text(amounts: Amounts) -> str:
    """Return amounts as refusals show them."""
    return ",".join(f"{name}={amount}" for name, amount in sorted(amounts.items()))


def to_json(amounts: Amounts) -> dict[str, str]:
    """Return amounts as objects hold them."""
    return {name: str(amount) for name, amount in amounts.items()}
