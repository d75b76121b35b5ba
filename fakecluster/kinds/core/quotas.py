"""LimitRanges and ResourceQuotas: rules and columns (FK-498, FK-504)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...codec.cells import AGE, column, member
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from . import quota_scopes
from .pod.validation import resources

TYPES = ("Pod", "Container", "PersistentVolumeClaim")
LIMIT_FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
NOT_FOR_PODS = "may not be specified when `type` is 'Pod'"
COMPARISONS = (
    ("min", "max", "min", "min", "min value {} is greater than max value {}"),
    (
        "min",
        "defaultRequest",
        "defaultRequest",
        "defaultRequest",
        "min value {} is greater than default request value {}",
    ),
    (
        "defaultRequest",
        "max",
        "defaultRequest",
        "defaultRequest",
        "default request value {} is greater than max value {}",
    ),
    (
        "defaultRequest",
        "default",
        "defaultRequest",
        "defaultRequest",
        "default request value {} is greater than default limit value {}",
    ),
    ("min", "default", "default", "min", "min value {} is greater than default value {}"),
    ("default", "max", "default", "max", "default value {} is greater than max value {}"),
)
"""The side that must not be greater, the side it is compared with,
the field blamed, the side whose value is shown.
"""
IN_QUOTAS = resources.KNOWN_RESOURCES | {"requests.cpu", "requests.memory"}


def limit_range(obj: Json) -> list[fields.FieldError]:
    """Judge a LimitRange."""
    types: set[str] = set()
    errors: list[fields.FieldError] = []
    for number, limit in enumerate(obj["spec"].get("limits") or ()):
        path, kind = f"spec.limits[{number}]", limit.get("type", "")
        errors += _type(kind, f"{path}.type")
        if kind in types:
            errors.append(fields.duplicate(f"{path}.type", kind))
        types.add(kind)
        errors += _limit(limit, kind, path)
    return errors


def _type(kind: str, path: str) -> Errors:
    problems = list(basics.label_key(kind, path))
    yield from problems
    if not problems and "/" not in kind and kind not in TYPES:
        yield fields.invalid(path, kind, "must be a standard limit type or fully qualified")


def _limit(limit: Json, kind: str, path: str) -> Errors:
    for side in LIMIT_FIELDS:
        if kind == "Pod" and side in {"default", "defaultRequest"}:
            if limit.get(side):
                yield fields.forbidden(f"{path}.{side}", NOT_FOR_PODS)
            continue
        for name in sorted(limit.get(side) or ()):
            yield from _resource(name, kind, f"{path}.{side}[{name}]")
    if kind == "PersistentVolumeClaim" and not any(
        "storage" in (limit.get(side) or {}) for side in ("min", "max")
    ):
        why = "either minimum or maximum storage value is required, but neither was provided"
        yield fields.required(f"{path}.limits", why)
    for name in sorted({name for side in LIMIT_FIELDS for name in limit.get(side) or ()}):
        yield from _compare(limit, name, path)


def _resource(name: str, kind: str, path: str) -> Errors:
    if kind in {"Pod", "Container"}:
        yield from resources.container_name(name, path)
    else:
        yield from resources.resource_name(name, path)


def _compare(limit: Json, name: str, path: str) -> Iterator[fields.FieldError]:
    for lower, upper, blamed, value, text in COMPARISONS:
        amounts = [limit[side][name] for side in (lower, upper) if name in (limit.get(side) or {})]
        if len(amounts) == 2 and Quantity.of(amounts[0]).amount > Quantity.of(amounts[1]).amount:
            amount = limit[value][name]
            yield fields.invalid(f"{path}.{blamed}[{name}]", amount, text.format(*amounts))
    ratio = (limit.get("maxLimitRequestRatio") or {}).get(name)
    for problem in _ratio_problems(limit, name, ratio) if ratio is not None else ():
        yield fields.invalid(f"{path}.maxLimitRequestRatio[{name}]", ratio, problem)


def _ratio_problems(limit: Json, name: str, ratio: str) -> Iterator[str]:
    maximum = Quantity.of(ratio).amount
    if maximum < 1:
        yield f"ratio {ratio} is less than 1"
    low, high = ((limit.get(side) or {}).get(name) for side in ("min", "max"))
    if low is None or high is None or not Quantity.of(low).amount:
        return
    widest = Quantity.of(high).over(Quantity.of(low))
    if maximum > widest:
        yield f"ratio {ratio} is greater than max/min = {float(widest):f}"


def quota(obj: Json) -> list[fields.FieldError]:
    """Judge a ResourceQuota."""
    spec = obj.get("spec", {})
    hard = spec.get("hard") or {}
    return [
        *_hard(hard, "spec.hard"),
        *quota_scopes.judge_scopes(spec.get("scopes") or [], hard),
        *quota_scopes.judge_selector(spec, hard),
    ]


def quota_status(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge a ResourceQuota's status."""
    del old
    status = new.get("status", {})
    return [error for name in ("hard", "used") for error in _hard(status.get(name) or {}, f"status.{name}")]


def same_scopes(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge that a ResourceQuota keeps its scopes."""
    scopes, before = (obj.get("spec", {}).get("scopes") for obj in (new, old))
    if set(scopes or ()) == set(before or ()):
        return []
    return [fields.invalid("spec.scopes", scopes, "field is immutable")]


def _hard(hard: Json, where: str) -> Errors:
    for name, amount in sorted(hard.items()):
        path = f"{where}[{name}]"
        yield from resources.resource_name(name, path)
        if "/" not in name and not (
            name in IN_QUOTAS or name.startswith(("hugepages-", "requests.hugepages-"))
        ):
            yield fields.invalid(path, name, "must be a standard resource for quota")
        yield from resources.quantity(name, amount, path)


def _quota(kind: str) -> Any:
    def cell(quota: Json) -> str:
        hard, used = (member("status", name, default={})(quota) for name in ("hard", "used"))
        limits = sorted(name for name in hard if name.startswith("limits") == (kind == "limits"))
        return ", ".join(f"{name}: {used.get(name, 0)}/{hard[name]}" for name in limits)

    return cell


RESOURCE_QUOTA = (column("Request", _quota("requests")), column("Limit", _quota("limits")), AGE)
