"""Conditions on names and versions: `v0.19`, `>=0.15,<0.18`,
or a list of which any may hold (harness §10.4).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

Order = tuple[int, ...]
_STEP = re.compile(r"(>=|<=|==|!=|>|<)\s*v?(\d+(?:\.\d+)*)$")
_COMPARE: dict[str, Callable[[Order, Order], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


def order(version: str) -> Order:
    """Return the numbers of a version such as `v1.2.3-rc1`, () for text that does not begin with one."""
    match = re.match(r"v?(\d+(?:\.\d+)*)", version)
    return tuple(map(int, match[1].split("."))) if match else ()


def is_range(text: str) -> bool:
    """Tell whether a condition compares, such as `>=0.15,<0.18`; otherwise it is a name."""
    return text[:1] in "<>=!"


def is_valid(text: str) -> bool:
    """Tell whether a condition can be read."""
    return bool(text) and (not is_range(text) or all(_STEP.match(step.strip()) for step in text.split(",")))


def holds(conditions: Sequence[str], name: str, numbers: Order) -> bool:
    """Tell whether any of the conditions holds for a name
    with the numbers of its version; none always holds.
    """
    return not conditions or any(_holds(condition, name, numbers) for condition in conditions)


def _holds(condition: str, name: str, numbers: Order) -> bool:
    if not is_range(condition):
        return condition in (name, name.partition(":")[0])
    return bool(numbers) and all(_step(step.strip(), numbers) for step in condition.split(","))


def _step(step: str, numbers: Order) -> bool:
    match = _STEP.match(step)
    if match is None:
        return False
    bound = order(match[2])
    length = max(len(bound), len(numbers))
    return _COMPARE[match[1]](_pad(numbers, length), _pad(bound, length))


def _pad(numbers: Order, length: int) -> Order:
    return (*numbers, *(0,) * (length - len(numbers)))
