"""Capacities of devices, and how much of one a request may take (FK-504)."""

from __future__ import annotations

from decimal import ROUND_CEILING
from functools import partial

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...schema import fields
from ..validation.basics import Errors
from .bounded_collections import Judge, judge_set

MOST_VALUES = 10
ONE_POLICY = (
    'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
)


def judge_of(device: Json) -> Judge:
    """Return what judges a capacity of a device, which only a device of many allocations may divide."""
    return _shareable_capacity if device.get("allowMultipleAllocations") else _exclusive_capacity


def _exclusive_capacity(capacity: Json, path: str) -> Errors:
    if capacity.get("requestPolicy") is not None:
        yield fields.forbidden(f"{path}.requestPolicy", "allowMultipleAllocations must be true")


def _shareable_capacity(capacity: Json, path: str) -> Errors:
    policy, inner_path = capacity.get("requestPolicy") or {}, f"{path}.requestPolicy"
    most = Quantity.of(capacity.get("value") or "0")
    values, limits = policy.get("validValues"), policy.get("validRange")
    if values and limits is not None:
        yield fields.forbidden(inner_path, ONE_POLICY)
        return
    member = "validValues" if values else "validRange" if limits is not None else ""
    if not member:
        return
    if policy.get("default") is None:
        yield fields.required(f"{inner_path}.default", f"required when {member} is defined")
        return
    default = Quantity.of(policy["default"])
    judge = _values if values else _range
    yield from judge(policy[member], default, most, f"{inner_path}.{member}")


def _values(texts: list[str], default: Quantity, most: Quantity, path: str) -> Errors:
    values = [Quantity.of(text) for text in texts]
    for number in range(1, len(values)):
        if values[number - 1].amount > values[number].amount:
            why = "values must be sorted in ascending order"
            yield fields.invalid(f"{path}[{number}]", str(values[number]), why)
    yield from judge_set(values, MOST_VALUES, path, partial(_option, most=most), _whole_text)
    if len(values) > MOST_VALUES or all(value.amount != default.amount for value in values):
        yield fields.invalid(path, str(default), "default value is not valid according to the requestPolicy")


def _option(value: Quantity, path: str, most: Quantity) -> Errors:
    if value.amount > most.amount:
        yield fields.invalid(path, str(value), f"option is larger than capacity value: {most}")


def _range(limits: Json, default: Quantity, most: Quantity, path: str) -> Errors:
    if limits.get("min") is None:
        yield fields.required(f"{path}.min", "required when validRange is defined")
        return
    low, high, step = (limits.get(name) and Quantity.of(limits[name]) for name in ("min", "max", "step"))
    if low.amount > most.amount:
        yield fields.invalid(f"{path}.min", str(low), f"min is larger than capacity value: {most}")
    if default.amount < low.amount:
        yield fields.invalid(f"{path}.min", str(default), f"default is less than min: {low}")
    if high:
        yield from _maximum(low, high, default, most, f"{path}.max")
    if step:
        total = low.plus(step)
        if total.amount > most.amount:
            why = f"one step {total} is larger than capacity value: {most}"
            yield fields.invalid(f"{path}.step", str(step), why)
        for value in (default, *([high] if high else [])):
            yield from _multiple(value, low, step, f"{path}.step")


def _maximum(low: Quantity, high: Quantity, default: Quantity, most: Quantity, path: str) -> Errors:
    if low.amount > high.amount:
        yield fields.invalid(path, str(low), f"min is larger than max: {high}")
    if high.amount > most.amount:
        yield fields.invalid(path, str(high), f"max is larger than capacity value: {most}")
    if default.amount > high.amount:
        yield fields.invalid(path, str(default), f"default is more than max: {high}")


def _multiple(value: Quantity, low: Quantity, step: Quantity, path: str) -> Errors:
    """Judge that a value is whole steps above the minimum;
    a step of zero, which makes the real server panic, is none.
    """
    size = _whole(step)
    if not size or (_whole(value) - _whole(low)) % size:
        yield fields.invalid(
            path, str(value), f"value is not a multiple of a given step ({step}) from ({low})"
        )


def _whole(quantity: Quantity) -> int:
    return int(quantity.amount.to_integral_value(ROUND_CEILING))


def _whole_text(quantity: Quantity) -> str:
    return str(_whole(quantity))
