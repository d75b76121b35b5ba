"""The requests of one pod, as Kubernetes sums them (Q-081, Q-090, PR-330)."""

from __future__ import annotations

from collections.abc import Iterable

from ..api.resource import Json
from .amounts import amount

Amounts = dict[str, int]


def pod_requests(spec: Json) -> Amounts:
    """Compute the effective request of one pod as Kubernetes does (Q-081)."""
    total = container_requests(spec) | _of(spec)
    return _sum((total, _amounts(spec.get("overhead"))))


def container_requests(spec: Json) -> Amounts:
    """Compute what the containers of one pod request together, at any moment of its life."""
    running = _sum(_of(container) for container in spec.get("containers") or ())
    starting: Amounts = {}
    sidecars: Amounts = {}
    for container in spec.get("initContainers") or ():
        request = _of(container)
        if container.get("restartPolicy") == "Always":
            running = _sum((running, request))
            sidecars = _sum((sidecars, request))
            request = sidecars
        else:
            request = _sum((request, sidecars))
        starting = _most((starting, request))
    return _most((running, starting))


def _of(holder: Json) -> Amounts:
    """Requests of a container or pod; a limit stands in for a missing request (Q-090)."""
    resources = holder.get("resources") or {}
    return _amounts(resources.get("limits")) | _amounts(resources.get("requests"))


def _amounts(quantities: Json) -> Amounts:
    return {name: amount(name, quantity) for name, quantity in (quantities or {}).items()}


def _sum(amounts_list: Iterable[Amounts]) -> Amounts:
    total: Amounts = {}
    for amounts in amounts_list:
        for name, value in amounts.items():
            total[name] = total.get(name, 0) + value
    return total


def _most(amounts_list: Iterable[Amounts]) -> Amounts:
    most: Amounts = {}
    for amounts in amounts_list:
        for name, value in amounts.items():
            most[name] = max(most.get(name, 0), value)
    return most
