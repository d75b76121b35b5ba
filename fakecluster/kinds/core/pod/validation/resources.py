"""Requests and limits of containers, and resource lists in general (FK-497)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_UP

from .....base.json_types import Json
from .....base.numbers.quantity import Quantity, QuantityError
from .....meta import labels
from .....schema import fields
from ....validation.basics import Errors

Judge = Callable[[str, str], Errors]
STANDARD_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage"})
KNOWN_RESOURCES = STANDARD_RESOURCES | {
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
}
INTEGER_RESOURCES = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
HUGE_PAGES = "hugepages-"
NATIVE_PREFIX = "kubernetes.io/"


def requirements(value: Json, path: str, judge_name: Judge | None = None) -> Errors:
    """Judge requests and limits: of a container, or of whatever `judge_name` knows the resources of."""
    judge = judge_name or container_name
    limits, requests = value.get("limits") or {}, value.get("requests") or {}
    for name, amount in sorted(limits.items()):
        yield from judge(name, f"{path}.limits[{name}]")
        yield from quantity(name, amount, f"{path}.limits[{name}]")
        yield from _pages(name, amount, f"{path}.limits[{name}]")
    for name, amount in sorted(requests.items()):
        yield from judge(name, f"{path}.requests[{name}]")
        yield from quantity(name, amount, f"{path}.requests[{name}]")
        if name in limits:
            yield from _within(name, amount, limits[name], f"{path}.requests")
        elif not _may_exceed(name):
            yield fields.required(f"{path}.limits", "Limit must be set for non overcommitable resources")
        yield from _pages(name, amount, f"{path}.requests[{name}]")
    resources = {*limits, *requests}
    if any(name.startswith(HUGE_PAGES) for name in resources) and not resources & {"cpu", "memory"}:
        yield fields.forbidden(path, "HugePages require cpu or memory")


def _pages(name: str, amount: str, path: str) -> Errors:
    """Judge that an amount of huge pages is a number of whole pages."""
    if not name.startswith(HUGE_PAGES):
        return
    try:
        page = Quantity.of(name.removeprefix(HUGE_PAGES))
    except QuantityError:
        page = Quantity.of("0")
    rounded = Quantity.of(amount).amount.to_integral_value(ROUND_UP)
    if page.amount <= 0 or not page.is_whole or rounded % page.amount:
        yield fields.invalid(path, amount, f"{amount} is not positive integer multiple of {name}")


def quantity(name: str, amount: str, path: str) -> Errors:
    """Judge an amount: not negative, and whole where parts make no sense."""
    quantity = Quantity.of(amount)
    if quantity.amount < 0:
        yield fields.invalid(path, amount, "must be greater than or equal to 0")
    if is_whole(name) and not quantity.is_whole:
        yield fields.invalid(path, amount, "must be an integer")


def resource_name(name: str, path: str) -> Errors:
    """Judge the name of a resource."""
    problems = labels.key_problems(name)
    for problem in problems:
        yield fields.invalid(path, name, problem)
    if (
        not problems
        and "/" not in name
        and not (name in KNOWN_RESOURCES or name.startswith((HUGE_PAGES, "requests." + HUGE_PAGES)))
    ):
        yield fields.invalid(path, name, "must be a standard resource type or fully qualified")


def is_whole(name: str) -> bool:
    """Tell whether amounts of a resource are integers."""
    return name in INTEGER_RESOURCES or is_extended(name)


def is_extended(name: str) -> bool:
    """Tell whether a resource is an extended one, outside Kubernetes' own names."""
    return not is_native(name) and not name.startswith("requests.")


def is_native(name: str) -> bool:
    """Tell whether a resource is one of Kubernetes' own."""
    return "/" not in name or NATIVE_PREFIX in name


def negative_amount(amount: str, path: str) -> fields.FieldError:
    """Refuse an amount below zero where messages show the number alone, in whole units."""
    return fields.invalid(
        path, int(Quantity.of(amount).amount.to_integral_value(ROUND_UP)), "must be a valid resource quantity"
    )


def overhead(value: Json, path: str) -> Errors:
    """Judge what running a pod costs beside its containers."""
    for name, amount in sorted((value or {}).items()):
        yield from container_name(name, f"{path}.limits[{name}]")
        yield from quantity(name, amount, f"{path}.limits[{name}]")


def container_name(name: str, path: str) -> Errors:
    """Judge a resource that a container may ask for."""
    yield from resource_name(name, path)
    if "/" not in name:
        if name not in STANDARD_RESOURCES and not name.startswith(HUGE_PAGES):
            yield fields.invalid(path, name, "must be a standard resource for containers")
    elif NATIVE_PREFIX not in name and not is_extended(name):
        yield fields.invalid(path, name, "doesn't follow extended resource name standard")


def _within(name: str, request: str, limit: str, path: str) -> Errors:
    if _may_exceed(name):
        if Quantity.of(request).amount > Quantity.of(limit).amount:
            yield fields.invalid(path, request, f"must be less than or equal to {name} limit of {limit}")
    elif Quantity.of(request).amount != Quantity.of(limit).amount:
        yield fields.invalid(path, request, f"must be equal to {name} limit of {limit}")


def _may_exceed(name: str) -> bool:
    return not is_extended(name) and not name.startswith(HUGE_PAGES)
