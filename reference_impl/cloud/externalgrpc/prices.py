"""What nodes and pods cost, for an autoscaler that goes by prices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from reference_impl.externalgrpc.messages import message
from reference_impl.pods.amounts import amount

from ..groups import NodeGroupSpec

HOUR_SECONDS: Final = 3600.0


def node_price(spec: NodeGroupSpec, request: Any) -> float:
    """Return the price of a node of a group for the time that was asked about."""
    return spec.price_per_hour * _hours(request)


def pod_price(specs: Iterable[NodeGroupSpec], request: Any) -> float:
    """Return the least price of a pod: its largest part of a node of some group."""
    pod = message("Pod").FromString(request.pod_bytes)
    used = {
        name: sum(
            amount(name, container.resources.requests[name].string)
            for container in pod.spec.containers
            if name in container.resources.requests
        )
        for name in ("cpu", "memory")
    }
    terms = (
        spec.price_per_hour * max(used[name] / amount(name, spec.capacity[name]) for name in used)
        for spec in specs
    )
    return min(terms, default=0.0) * _hours(request)


def _hours(request: Any) -> float:
    return float(request.endTimestamp.seconds - request.startTimestamp.seconds) / HOUR_SECONDS
