"""Services get addresses and ports when they are made, and keep them (FK-498); `allocators` says which."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.json_types import Json
from .allocators import TYPES_WITH_NODE_PORTS, Allocator, AllocatorByUid, DryRunAllocator


def allocate(service: Json) -> Json:
    """Give a new Service its addresses and node ports."""
    return _allocate(service, AllocatorByUid(service["metadata"]["uid"]))


def allocate_dry_run(service: Json) -> Json:
    """Show what a new Service would have that is only tried (FK-230)."""
    return _allocate(service, DryRunAllocator())


def _allocate(service: Json, allocator: Allocator) -> Json:
    spec = service["spec"]
    if spec.get("type") == "ExternalName":
        return _with_list(service)
    spec = {**spec, **first_addresses(spec, allocator)}
    if spec.get("ports") and spec.get("type") in TYPES_WITH_NODE_PORTS:
        spec = {**spec, "ports": list(_ports_of_new(spec, allocator))}
    return {**service, "spec": _with_health(spec, allocator)}


def _ports_of_new(spec: Json, allocator: Allocator) -> Iterator[Json]:
    """Yield the ports with their node ports; those of one number share it unless they ask for others."""
    ports, takes = spec["ports"], takes_ports(spec)
    node_ports = {port.get("port", 0): port["nodePort"] for port in reversed(ports) if port.get("nodePort")}
    for port in ports:
        number, node_port = port.get("port", 0), port.get("nodePort")
        if node_port or (takes and number in node_ports):
            node_port = node_port or node_ports[number]
            allocator.reserve(node_port)
        elif takes:
            node_port = node_ports[number] = allocator.port(port, shared=True)
        yield {**port, "nodePort": node_port} if node_port else port


def checks_health(spec: Json) -> bool:
    """Whether a Service has a healthCheckNodePort (FK-498)."""
    return (spec.get("type"), spec.get("externalTrafficPolicy")) == ("LoadBalancer", "Local")


def _with_health(spec: Json, allocator: Allocator) -> Json:
    if not checks_health(spec) or spec.get("healthCheckNodePort"):
        return spec
    return {**spec, "healthCheckNodePort": allocator.health()}


def takes_ports(spec: Json) -> bool:
    """Whether ports without node ports are given some."""
    return (
        spec.get("type") in TYPES_WITH_NODE_PORTS and spec.get("allocateLoadBalancerNodePorts") is not False
    )


def _with_list(service: Json) -> Json:
    """Repeat a single address in the list, where it is judged."""
    spec = service["spec"]
    if not spec.get("clusterIP") or spec.get("clusterIPs"):
        return service
    return {**service, "spec": {**spec, "clusterIPs": [spec["clusterIP"]]}}


def first_addresses(spec: Json, allocator: Allocator) -> Json:
    """Return the addresses of a Service that has had none, and their families; no address of a family that
    there is none of.
    """
    address, cluster_ips = spec.get("clusterIP") or "", spec.get("clusterIPs")
    # Who publishes addresses of its own, headless and without a selector, may use both families.
    own = address == "None" and not spec.get("selector")
    families = spec.get("ipFamilies") or (["IPv4", "IPv6"] if own else ["IPv4"])
    policy = spec.get("ipFamilyPolicy")
    policy = ("RequireDualStack" if own else "SingleStack") if policy is None else policy
    if not address and not cluster_ips and families[0] == "IPv4":
        address = allocator.address()
    cluster_addresses = {"clusterIP": address, "clusterIPs": cluster_ips or ([address] if address else [])}
    return {
        **{name: value for name, value in cluster_addresses.items() if value},
        "ipFamilies": families,
        "ipFamilyPolicy": policy,
    }
