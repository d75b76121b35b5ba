"""Amounts of bytes that are no whole number of them (FK-236)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity

BYTES = ("memory", "ephemeral-storage")


def of_amounts(amounts: Json, path: str, names: Iterable[str] = BYTES) -> Iterator[str]:
    """Yield a warning for each of the amounts that is a fraction of a byte."""
    for name in names:
        amount = (amounts or {}).get(name)
        if amount and not Quantity.of(amount).is_whole:
            yield f'{path}[{name}]: fractional byte value "{Quantity.of(amount)}" is invalid, must be an integer'
