"""The requests and limits of a whole pod."""

from __future__ import annotations

from typing import Literal

from ....base.json_types import Json
from ....base.numbers.quantity import Quantity
from ... import resource_lists
from ...resource_lists import Amounts

Side = Literal["requests", "limits"]
POD_LEVEL_RESOURCES = frozenset({"cpu", "memory"})
HUGE_PAGES = "hugepages-"


def containers(spec: Json) -> list[Json]:
    """Return the containers, then the init containers."""
    return [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]


def amounts_of(holder: Json, side: Side) -> Amounts:
    """Return the amounts that a container or a pod declares itself."""
    return resource_lists.of((holder.get("resources") or {}).get(side))


def with_pod_resources(spec: Json) -> Json:
    """Return a spec whose limits and requests as a whole, where it says some, say those of its containers as
    well: limits of huge pages, and with any limit all requests, which else follow the limits.
    """
    resources = spec.get("resources") or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    if not limits and not requests:
        return spec
    pages = resource_lists.to_json(_huge(sum_of_containers(spec, "limits"), without=requests))
    limits = {**pages, **limits}
    if limits:
        derived = _pod_level_amounts(sum_of_containers(spec, "requests"))
        own = {name: amount for name, amount in derived.items() if not name.startswith(HUGE_PAGES)}
        supported = {name: amount for name, amount in limits.items() if _is_supported(name)}
        requests = {**supported, **resource_lists.to_json(own), **requests}
    sides = {"limits": limits, "requests": requests}
    return {
        **spec,
        "resources": {**resources, **{side: amounts for side, amounts in sides.items() if amounts}},
    }


def _huge(amounts: Amounts, without: Json) -> Amounts:
    return {
        name: amount
        for name, amount in amounts.items()
        if name.startswith(HUGE_PAGES) and name not in without
    }


def _is_supported(name: str) -> bool:
    return name in POD_LEVEL_RESOURCES or name.startswith(HUGE_PAGES)


def _pod_level_amounts(amounts: Amounts) -> dict[str, Quantity]:
    """Return what a pod can say as a whole."""
    return {name: amount for name, amount in amounts.items() if _is_supported(name)}


def total_of_pod(spec: Json, side: Side) -> Amounts:
    """Return the requests or the limits of a pod, with what running it costs."""
    amounts = {**sum_of_containers(spec, side), **_pod_level_amounts(amounts_of(spec, side))}
    overhead = resource_lists.of(spec.get("overhead"))
    return resource_lists.add(
        amounts, overhead if side == "requests" else resource_lists.only(overhead, amounts)
    )


def sum_of_containers(spec: Json, side: Side) -> dict[str, Quantity]:
    """Return the requests or the limits of all containers, of which some run before others."""
    amounts = resource_lists.total(amounts_of(container, side) for container in spec.get("containers") or ())
    beside: Amounts = {}
    highest: Amounts = {}
    for container in spec.get("initContainers") or ():
        own = amounts_of(container, side)
        if container.get("restartPolicy") == "Always":
            amounts, beside = resource_lists.add(amounts, own), resource_lists.add(beside, own)
            highest = resource_lists.greater(highest, beside)
        else:
            highest = resource_lists.greater(highest, resource_lists.add(own, beside))
    return resource_lists.greater(amounts, highest)
