"""Semantic equality of specs, as apimachinery's `equality.Semantic` has it (PA-063)."""

from __future__ import annotations

from typing import Final

from .quantity import QuantityError, quantity
from .resource import Json

AMOUNTS: Final = frozenset({"requests", "limits", "overhead"})
"""Fields of pods that hold quantities by the names of resources."""


def are_equal(first: Json, second: Json) -> bool:
    """Tell whether two values mean the same: quantities are compared by their amounts, and what is empty is
    equal to what is absent.
    """
    return bool(first == second) or bool(normalize(first) == normalize(second))


def normalize(value: Json, *, amounts: bool = False) -> Json:
    """Return a value so that what means the same is equal: quantities by their amount, what is empty like
    what is absent.
    """
    if isinstance(value, dict):
        inner = {name: normalize(item, amounts=name in AMOUNTS) for name, item in value.items()}
        if amounts:
            inner = {name: _amount(item) for name, item in value.items()}
        return {name: value for name, value in inner.items() if value not in (None, {}, [], "")}
    if isinstance(value, list):
        return [normalize(item) for item in value]
    return value


def _amount(value: Json) -> Json:
    try:
        return quantity(value).nano
    except QuantityError:
        return value
