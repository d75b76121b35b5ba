"""What becomes of a Service in an update: it keeps what it was given,
and loses what its type has no use for (FK-498).
"""

from __future__ import annotations

from collections.abc import Iterator

from ....base.json_types import Json
from .addresses import EXTERNAL_NAME, NONE
from .allocators import TYPES_WITH_NODE_PORTS, Allocator, AllocatorByUid, DryRunAllocator
from .strategy import checks_health, first_addresses, takes_ports

INTERNAL_TRAFFIC_POLICIES = ("Cluster", "Local")


def prepare_update(new: Json, old: Json) -> Json:
    """Return an update with what the Service was given, where the client left it out."""
    return _reallocate(new, old, AllocatorByUid(new["metadata"]["uid"]))


def prepare_update_dry_run(new: Json, old: Json) -> Json:
    """Show what a Service would have after an update that is only tried (FK-230)."""
    return _reallocate(new, old, DryRunAllocator())


def _reallocate(new: Json, old: Json, allocator: Allocator) -> Json:
    spec, before = new["spec"], old["spec"]
    spec = _with_addresses(spec, before, allocator)
    if spec.get("ports"):
        spec = {**spec, "ports": list(_ports(spec, before, allocator))}
    spec = _without_ports(_with_health(spec, before, allocator), before)
    unused = set(_obsolete_members(spec, before))
    spec = {name: value for name, value in spec.items() if name not in unused}
    status = new.get("status", {})
    if spec.get("type") != "LoadBalancer" and "status" in new:
        status = {**status, "loadBalancer": {}}
    return {**new, "spec": spec, "status": status}


def _with_addresses(spec: Json, before: Json, allocator: Allocator) -> Json:
    if spec.get("type") == EXTERNAL_NAME:
        added = spec.get("clusterIP") and not spec.get("clusterIPs") and not before.get("clusterIPs")
        return {**spec, "clusterIPs": [spec["clusterIP"]]} if added else spec
    if before.get("type") == EXTERNAL_NAME:
        return {**spec, **first_addresses(spec, allocator)}
    old, address = before.get("clusterIPs"), spec.get("clusterIP") or before.get("clusterIP")
    addresses = spec.get("clusterIPs") or old
    if address != before.get("clusterIP") and addresses == old:
        addresses = [address]
    cluster_addresses = {"clusterIP": address, "clusterIPs": addresses}
    spec = {**spec, **{name: value for name, value in cluster_addresses.items() if value}}
    return _with_families(spec, before)


def _with_families(spec: Json, before: Json) -> Json:
    policy = spec.get("ipFamilyPolicy")
    policy = before.get("ipFamilyPolicy", "SingleStack") if policy is None else policy
    families = spec.get("ipFamilies") or before.get("ipFamilies") or []
    own = spec.get("clusterIP") == NONE and not spec.get("selector")
    if policy == "SingleStack" and families == before.get("ipFamilies"):
        families = families[:1]
    elif own and len(families) == 1 and len(before.get("ipFamilies") or ()) < 2:
        families = [*families, "IPv4" if families[0] == "IPv6" else "IPv6"]
    return {**spec, "ipFamilyPolicy": policy, "ipFamilies": families}


def _ports(spec: Json, before: Json, allocator: Allocator) -> Iterator[Json]:
    """Yield the ports with the node ports that those of their names had; others get their own."""
    old = (
        before.get("ports") or []
        if {spec.get("type"), before.get("type")} <= set(TYPES_WITH_NODE_PORTS)
        else []
    )
    had = {port.get("name", ""): port.get("nodePort", 0) for port in old}
    used = {port.get("nodePort", 0) for port in spec["ports"]} & set(had.values())
    for port in spec["ports"]:
        number = port.get("nodePort") or (
            had.get(port.get("name", ""), 0) if spec.get("type") in TYPES_WITH_NODE_PORTS else 0
        )
        number = 0 if not port.get("nodePort") and number in used else number
        if number and number not in had.values():
            allocator.reserve(number)
        elif not number and takes_ports(spec):
            number = allocator.port(port, shared=False)
        yield {**port, "nodePort": number} if number else port


def _with_health(spec: Json, before: Json, allocator: Allocator) -> Json:
    """Return a spec with a port for health, where there is use for one."""
    if not checks_health(spec) or spec.get("healthCheckNodePort"):
        return spec
    had = before.get("healthCheckNodePort") if checks_health(before) else 0
    return {**spec, "healthCheckNodePort": had or allocator.health()}


def _without_ports(spec: Json, before: Json) -> Json:
    """Return a spec without node ports that are left over from when the Service had them."""
    if (
        spec.get("type") in TYPES_WITH_NODE_PORTS
        or before.get("type") not in TYPES_WITH_NODE_PORTS
        or not spec.get("ports")
    ):
        return spec
    numbers, had = (
        {port.get("nodePort", 0) for port in service_spec.get("ports") or ()}
        for service_spec in (spec, before)
    )
    if not numbers <= had | {0}:
        return spec
    ports = [{name: value for name, value in port.items() if name != "nodePort"} for port in spec["ports"]]
    return {**spec, "ports": ports}


def _obsolete_members(spec: Json, before: Json) -> Iterator[str]:
    """Yield the members that the Service has had use for,
    has none any more, and that the client left as they were.
    """
    same = {name for name in {*spec, *before} if spec.get(name) == before.get(name)}
    if spec.get("type") == EXTERNAL_NAME:
        yield from _outside(spec, before, same)
    if checks_health(before) and not checks_health(spec):
        yield from same & {"healthCheckNodePort"}
    if before.get("type") == "LoadBalancer" and spec.get("type") != "LoadBalancer":
        yield from same & {"allocateLoadBalancerNodePorts", "loadBalancerClass"}
    if _is_reachable(before) and not _is_reachable(spec):
        yield from same & {"externalTrafficPolicy"}


def _outside(spec: Json, before: Json, same: set[str]) -> Iterator[str]:
    """Yield what a name for something outside has no use for."""
    if before.get("type") != EXTERNAL_NAME:
        yield from same & {"ipFamilies", "ipFamilyPolicy"}
        yield from {"clusterIP", "clusterIPs"} if {"clusterIP", "clusterIPs"} <= same else ()
    if spec.get("internalTrafficPolicy") in INTERNAL_TRAFFIC_POLICIES:
        yield "internalTrafficPolicy"


def _is_reachable(spec: Json) -> bool:
    return spec.get("type") in TYPES_WITH_NODE_PORTS or (
        spec.get("type") == "ClusterIP" and bool(spec.get("externalIPs"))
    )
