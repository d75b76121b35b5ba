"""Label selectors and node selector terms over plain label maps (Q-065, Q-159)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from ..api import numbers
from ..api.resource import Json

Labels = Mapping[str, str]


def matches(selector: Json | None, labels: Labels) -> bool:
    """Tell whether a LabelSelector selects labels;
    an absent selector selects nothing, an empty one everything.
    """
    if selector is None:
        return False
    match_labels = selector.get("matchLabels") or {}
    return all(labels.get(key) == value for key, value in match_labels.items()) and all(
        satisfies(expression, labels) for expression in selector.get("matchExpressions") or ()
    )


def satisfies(expression: Json, labels: Labels) -> bool:
    """Tell whether labels satisfy one requirement; raise ValueError for one that is not valid (Q-160)."""
    operator = expression.get("operator", "")
    if operator not in _OPERATORS:
        raise ValueError(f'"{operator}" is not a valid label selector operator')
    return _OPERATORS[operator](labels.get(expression["key"]), tuple(expression.get("values") or ()))


def _compares(value: str | None, values: tuple[str, ...], *, greater: bool) -> bool:
    if len(values) != 1:
        raise ValueError(
            f"values: Invalid value: {json.dumps(values)}: {_COMPARING}, exactly one value is required"
        )
    (bound,) = values
    number, right = numbers.parse_int64(value or ""), numbers.parse_int64(bound)
    if right is None:
        raise ValueError(
            f"values[0]: Invalid value: {json.dumps(bound)}: {_COMPARING}, the value must be an integer"
        )
    if number is None:
        return False
    return number > right if greater else number < right


_COMPARING = "for 'Gt', 'Lt' operators"


_OPERATORS: Mapping[str, Callable[[str | None, tuple[str, ...]], bool]] = {
    "In": lambda value, values: value in values,
    "NotIn": lambda value, values: value not in values,
    "Exists": lambda value, _: value is not None,
    "DoesNotExist": lambda value, _: value is None,
    "Gt": lambda value, values: _compares(value, values, greater=True),
    "Lt": lambda value, values: _compares(value, values, greater=False),
}
