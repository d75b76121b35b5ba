"""Label selectors and node selector terms over plain label maps (Q-065, Q-159)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..api import numbers
from ..api.resource import Json

Labels = Mapping[str, str]


def matches(selector: Json | None, labels: Labels) -> bool:
    """Tell whether a LabelSelector selects labels; an absent selector selects nothing, an empty one everything."""
    if selector is None:
        return False
    wanted = selector.get("matchLabels") or {}
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        satisfies(expression, labels) for expression in selector.get("matchExpressions") or ()
    )


def satisfies(expression: Json, labels: Labels) -> bool:
    """Tell whether labels satisfy one requirement; raise ValueError for an operator that does not exist."""
    operator = expression.get("operator", "")
    if operator not in _OPERATORS:
        raise ValueError(f'"{operator}" is not a valid label selector operator')
    return _OPERATORS[operator](labels.get(expression["key"]), tuple(expression.get("values") or ()))


def _compares(value: str | None, bound: str, *, greater: bool) -> bool:
    left, right = numbers.found(value or ""), numbers.found(bound)
    if left is None or right is None:
        return False
    return left > right if greater else left < right


_OPERATORS: Mapping[str, Callable[[str | None, tuple[str, ...]], bool]] = {
    "In": lambda value, values: value in values,
    "NotIn": lambda value, values: value not in values,
    "Exists": lambda value, _: value is not None,
    "DoesNotExist": lambda value, _: value is None,
    "Gt": lambda value, values: _compares(value, values[0], greater=True),
    "Lt": lambda value, values: _compares(value, values[0], greater=False),
}
