"""Why a node does not take a pod: the filters of the scheduler in their order, of which the first that
rejects counts (FK-461).

Affinity between pods, spreading over topologies and devices are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ...base.json_types import Json
from ...kinds import resource_lists
from ...kinds.core.pod.requests import total_of_pod
from ..taints import NO_EXECUTE, NO_SCHEDULE, UNSCHEDULABLE, taints_of, tolerates
from . import affinity
from .node_info import NodeInfo

CORDON_TAINT = {"key": UNSCHEDULABLE, "effect": NO_SCHEDULE}
ANY_ADDRESS = "0.0.0.0"  # noqa: S104 - a pod's port on all addresses of its node
NATIVE_RESOURCES = ("cpu", "memory", "ephemeral-storage")


class Rejection(Struct, frozen=True):
    """Why a node does not take a pod, and whether fewer pods on it could change that."""

    reasons: tuple[str, ...]
    resolvable: bool = False


Filter = Callable[[Json, NodeInfo], Rejection | None]


def rejection(pod: Json, info: NodeInfo) -> Rejection | None:
    """Return why a node does not take a pod, None when it does."""
    # The first filter that rejects gives the reason; later ones are not asked.
    return next(filter(None, (check(pod, info) for check in FILTERS)), None)


def _is_unschedulable(pod: Json, info: NodeInfo) -> Rejection | None:
    # A cordon counts as a taint, which a pod may tolerate.
    if not info.node.get("spec", {}).get("unschedulable") or tolerates(pod, [CORDON_TAINT]):
        return None
    return Rejection(("node(s) were unschedulable",))


def _has_untolerated_taints(pod: Json, info: NodeInfo) -> Rejection | None:
    if tolerates(pod, taints_of(info.node, NO_SCHEDULE, NO_EXECUTE)):
        return None
    # The taint itself is not named, so that nodes with different taints count as one reason.
    return Rejection(("node(s) had untolerated taint(s)",))


def _is_not_selected(pod: Json, info: NodeInfo) -> Rejection | None:
    if affinity.selects(pod, info.node):
        return None
    return Rejection(("node(s) didn't match Pod's node affinity/selector",))


def _has_no_port(pod: Json, info: NodeInfo) -> Rejection | None:
    ports = host_ports(pod)
    if not ports or not _collide(ports, info):
        return None
    return Rejection(("node(s) didn't have free ports for the requested pod ports",), resolvable=True)


def _does_not_fit(pod: Json, info: NodeInfo) -> Rejection | None:
    allocatable, requests = info.allocatable, total_of_pod(pod["spec"], "requests")
    reasons, resolvable = [], True
    # A node that does not say how many pods it takes has no limit here.
    if "pods" in allocatable and len(info.pods) + 1 > allocatable["pods"].amount:
        reasons.append("Too many pods")
    # Native resources first, then the others by name: so the reasons are ordered.
    for name in sorted(requests, key=_native_first):
        amount = requests[name].amount
        most, used = allocatable.get(name, resource_lists.ZERO), info.requested.get(name, resource_lists.ZERO)
        if amount and amount > most.amount - used.amount:
            reasons.append(f"Insufficient {name}")
            # Fewer pods help only where the node as a whole is large enough.
            resolvable = resolvable and amount <= most.amount
    return Rejection(tuple(reasons), resolvable) if reasons else None


FILTERS: tuple[Filter, ...] = (
    _is_unschedulable,
    _has_untolerated_taints,
    _is_not_selected,
    _has_no_port,
    _does_not_fit,
)


def host_ports(pod: Json) -> list[tuple[str, str, int]]:
    """Return the ports of its node that a pod takes: address, protocol, number."""
    return [
        (port.get("hostIP") or ANY_ADDRESS, port.get("protocol", "TCP"), port["hostPort"])
        for container in pod["spec"].get("containers") or ()
        for port in container.get("ports") or ()
        if port.get("hostPort")
    ]


def _collide(ports: list[tuple[str, str, int]], info: NodeInfo) -> bool:
    """Tell whether one of these ports is taken on a node:
    at its address, or where either has every address.
    """
    taken = {port for other in info.pods.values() for port in host_ports(other)}
    anywhere = {port[1:] for port in taken}
    return any(
        port in taken
        or (ANY_ADDRESS, *port[1:]) in taken
        or (port[0] == ANY_ADDRESS and port[1:] in anywhere)
        for port in ports
    )


def _native_first(name: str) -> tuple[int, str]:
    return (NATIVE_RESOURCES.index(name) if name in NATIVE_RESOURCES else len(NATIVE_RESOURCES), name)
