"""Integer amounts of resources: cpu in thousandths, everything else in whole units (Q-080, Q-095).

Python's integers do not overflow, so sums beyond int64 stay exact; they are shown as `<unlimited>`.
"""

from __future__ import annotations

from ..api.quantity import of_milli, of_units, parse, quantity
from ..api.resource import Json

_LARGEST = 2**63 - 1
_BINARY = frozenset({"memory", "ephemeral-storage"})


def amount(resource: str, value: Json) -> int:
    """Read a quantity of a resource, rounded up to the unit in which it is counted.

    A negative one counts as 0: a negative request or usage makes no room for others.
    """
    read = quantity(value)
    return max(0, read.milli if resource == "cpu" else read.units)


def shown(resource: str, value: int) -> str:
    """Write an amount as messages and statuses show it: bytes that fit no binary suffix get a decimal one, `200M`."""
    if abs(value) > _LARGEST:
        return "<unlimited>"
    if resource == "cpu":
        return of_milli(value)
    binary = resource in _BINARY or resource.startswith("hugepages-")
    return str(parse(of_units(value, "binary"))) if binary else of_units(value)
