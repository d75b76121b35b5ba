"""The requests and limits of a whole pod."""

from __future__ import annotations

from typing import Literal

from ....base.json_types import Json
from ....base.numbers.quantity import Quantity
from ... import resource_lists
from ...resource_lists import Amounts

Side = Literal["requests", "limits"]
WHOLE = frozenset({"cpu", "memory"})
HUGE = "hugepages-"


def containers(spec: Json) -> list[Json]:
    """Return the containers, then those that run before them."""
    return [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]


def given(holder: Json, side: Side) -> Amounts:
    """Return the amounts that a container or a pod declares itself."""
    return resource_lists.of((holder.get("resources") or {}).get(side))


def completed(spec: Json) -> Json:
    """Return a spec whose limits and requests as a whole, where it says some, say those of its containers as
    well: limits of huge pages, and with any limit all requests, which else follow the limits.
    """
    whole = spec.get("resources") or {}
    limits, requests = whole.get("limits") or {}, whole.get("requests") or {}
    if not limits and not requests:
        return spec
    pages = resource_lists.written(_huge(together(spec, "limits"), without=requests))
    limits = {**pages, **limits}
    if limits:
        derived = _supported(together(spec, "requests"))
        own = {name: amount for name, amount in derived.items() if not name.startswith(HUGE)}
        supported = {name: amount for name, amount in limits.items() if _is_supported(name)}
        requests = {**supported, **resource_lists.written(own), **requests}
    sides = {"limits": limits, "requests": requests}
    return {**spec, "resources": {**whole, **{side: amounts for side, amounts in sides.items() if amounts}}}


def _huge(amounts: Amounts, without: Json) -> Amounts:
    return {name: amount for name, amount in amounts.items() if name.startswith(HUGE) and name not in without}


def _is_supported(name: str) -> bool:
    return name in WHOLE or name.startswith(HUGE)


def _supported(given_: Amounts) -> dict[str, Quantity]:
    """Return what a pod can say as a whole."""
    return {name: amount for name, amount in given_.items() if _is_supported(name)}


def asked(spec: Json, side: Side) -> Amounts:
    """Return the requests or the limits of a pod, with what running it costs."""
    found = {**together(spec, side), **_supported(given(spec, side))}
    overhead = resource_lists.of(spec.get("overhead"))
    return resource_lists.added(
        found, overhead if side == "requests" else resource_lists.only(overhead, found)
    )


def together(spec: Json, side: Side) -> dict[str, Quantity]:
    """Return the requests or the limits of all containers, of which some run before others."""
    found = resource_lists.total(given(one, side) for one in spec.get("containers") or ())
    beside: Amounts = {}
    highest: Amounts = {}
    for one in spec.get("initContainers") or ():
        own = given(one, side)
        if one.get("restartPolicy") == "Always":
            found, beside = resource_lists.added(found, own), resource_lists.added(beside, own)
            highest = resource_lists.greater(highest, beside)
        else:
            highest = resource_lists.greater(highest, resource_lists.added(own, beside))
    return resource_lists.greater(found, highest)
