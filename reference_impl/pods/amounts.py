"""Integer amounts of resources: cpu in thousandths, everything else in whole units (Q-080, Q-095).

What is read is at most the largest 64-bit integer, which as a quota means that there is no limit (Q-080).
Python's integers do not overflow, so sums beyond it stay exact.
"""

from __future__ import annotations

from typing import Final

from ..api.quantity import of_milli, of_units, parse, quantity
from ..api.resource import Json

LARGEST: Final = 2**63 - 1
"""The most that is counted of anything."""
_BINARY = frozenset({"memory", "ephemeral-storage"})


def amount(resource: str, value: Json) -> int:
    """Read a quantity of a resource, rounded up to the unit in which it is counted.

    A negative one counts as 0: a negative request or usage makes no room for others. One that is too large
    counts as the largest.
    """
    read = quantity(value)
    return min(LARGEST, max(0, read.milli if resource == "cpu" else read.units))


def render(resource: str, value: int) -> str:
    """Write an amount as messages and statuses show it:
    bytes that fit no binary suffix get a decimal one, `200M`.
    """
    if abs(value) > LARGEST:
        return "<unlimited>"
    if resource == "cpu":
        return of_milli(value)
    binary = resource in _BINARY or resource.startswith("hugepages-")
    return str(parse(of_units(value, "binary"))) if binary else of_units(value)


def render_limit(resource: str, value: int) -> str:
    """Write what a quota allows, or what it lacks: the largest amount is without a
    limit (seen of v0.19.2).
    """
    return "<unlimited>" if value >= LARGEST else render(resource, value)


def render_for_status(resource: str, value: int) -> str:
    """Write an amount as a quantity of a status:
    what is beyond int64 saturates, since `<unlimited>` is none (Q-080).
    """
    return render(resource, min(value, LARGEST))
