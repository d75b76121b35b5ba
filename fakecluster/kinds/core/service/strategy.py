"""Services get addresses and ports when they are made, and keep them (FK-498); `allocators` says which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .allocators import Allocator, AllocatorByUid, DryRunAllocator

Json = Any
KEPT = ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")
REACHED = ("LoadBalancer", "NodePort")
REACHING = (
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "allocateLoadBalancerNodePorts",
    "loadBalancerClass",
)
ALLOCATED = frozenset({*KEPT, "internalTrafficPolicy"})


def allocate(service: Json) -> Json:
    """Give a new Service its addresses and node ports."""
    return _given(service, AllocatorByUid(service["metadata"]["uid"]))


def allocate_dry_run(service: Json) -> Json:
    """Show what a new Service would have that is only tried (FK-230)."""
    return _given(service, DryRunAllocator())


def _given(service: Json, allocator: Allocator) -> Json:
    spec = service["spec"]
    if spec.get("type") == "ExternalName":
        return _with_list(service)
    spec = {**spec, **_addresses(spec, allocator)}
    if spec.get("ports") and spec.get("type") in REACHED:
        spec = {**spec, "ports": list(_ports_of_new(spec, allocator))}
    return {**service, "spec": _with_health(spec, allocator)}


def _ports_of_new(spec: Json, allocator: Allocator) -> Iterator[Json]:
    """Yield the ports with their node ports; those of one number share it unless they ask for others."""
    ports, takes = spec["ports"], _takes_ports(spec)
    known = {port.get("port", 0): port["nodePort"] for port in reversed(ports) if port.get("nodePort")}
    for port in ports:
        number, given = port.get("port", 0), port.get("nodePort")
        if given or (takes and number in known):
            given = given or known[number]
            allocator.took(given)
        elif takes:
            given = known[number] = allocator.port(port, shared=True)
        yield {**port, "nodePort": given} if given else port


def checks_health(spec: Json) -> bool:
    """Whether nodes tell at a port of their own which of them have endpoints (FK-498)."""
    return (spec.get("type"), spec.get("externalTrafficPolicy")) == ("LoadBalancer", "Local")


def _with_health(spec: Json, allocator: Allocator) -> Json:
    if not checks_health(spec) or spec.get("healthCheckNodePort"):
        return spec
    return {**spec, "healthCheckNodePort": allocator.health()}


def _takes_ports(spec: Json) -> bool:
    return spec.get("type") in REACHED and spec.get("allocateLoadBalancerNodePorts") is not False


def _with_list(service: Json) -> Json:
    """Repeat a single address in the list, where it is judged."""
    spec = service["spec"]
    if not spec.get("clusterIP") or spec.get("clusterIPs"):
        return service
    return {**service, "spec": {**spec, "clusterIPs": [spec["clusterIP"]]}}


def keep_allocated(new: Json, old: Json) -> Json:
    """Fill in what was handed out when an update leaves it empty."""
    return _kept(new, old, AllocatorByUid(new["metadata"]["uid"]))


def prepare_update_dry_run(new: Json, old: Json) -> Json:
    """Show what a Service would have after an update that is only tried (FK-230)."""
    return _kept(new, old, DryRunAllocator())


def _kept(new: Json, old: Json, allocator: Allocator) -> Json:
    spec, before = new["spec"], old["spec"]
    if spec.get("type") == "ExternalName":
        return {**new, "spec": {name: value for name, value in spec.items() if name not in ALLOCATED}}
    if spec.get("clusterIP") and spec.get("clusterIPs") == before.get("clusterIPs"):
        spec = {**spec, "clusterIPs": [spec["clusterIP"], *before.get("clusterIPs", [])[1:]]}
    kept = {name: before[name] for name in KEPT if name in before and not spec.get(name)}
    spec = {**_without_reach(spec, before), **kept}
    if not spec.get("clusterIP") and not spec.get("clusterIPs"):
        # It had none while it was a name for something outside.
        spec = {**spec, **_addresses(spec, allocator)}
    ports = list(_ports_kept(spec, before, allocator))
    return {**new, "spec": _health_kept({**spec, **({"ports": ports} if ports else {})}, before, allocator)}


def _ports_kept(spec: Json, before: Json, allocator: Allocator) -> Iterator[Json]:
    """Yield the ports with the node ports that they had; those that are new get their own."""
    had = {_key(port): port.get("nodePort") for port in before.get("ports", [])}
    for port in spec.get("ports", []):
        given = port.get("nodePort") or (had.get(_key(port)) if spec.get("type") in REACHED else None)
        if given and given not in had.values():
            allocator.took(given)
        elif not given and _takes_ports(spec):
            given = allocator.port(port, shared=False)
        yield {**port, "nodePort": given} if given else port


def _health_kept(spec: Json, before: Json, allocator: Allocator) -> Json:
    """Keep the port for health while there is use for it."""
    had = before.get("healthCheckNodePort", 0)
    if checks_health(spec):
        return {**spec, "healthCheckNodePort": spec.get("healthCheckNodePort") or had or allocator.health()}
    if spec.get("healthCheckNodePort") == had:
        return {name: value for name, value in spec.items() if name != "healthCheckNodePort"}
    return spec


def _without_reach(spec: Json, before: Json) -> Json:
    """Drop what only Services that are reached from outside have, when it was left over from being one."""
    if spec.get("type") in REACHED or before.get("type") not in REACHED:
        return spec
    left = {name for name in REACHING if spec.get(name) == before.get(name)}
    if spec.get("externalIPs"):
        left.discard("externalTrafficPolicy")
    ports = {_key(port): port.get("nodePort") for port in before.get("ports", [])}
    kept = [
        {name: value for name, value in port.items() if name != "nodePort" or value != ports.get(_key(port))}
        for port in spec.get("ports", [])
    ]
    rest = {name: value for name, value in spec.items() if name not in left}
    return {**rest, **({"ports": kept} if kept else {})}


def _addresses(spec: Json, allocator: Allocator) -> Json:
    address = spec.get("clusterIP") or ("" if spec.get("clusterIPs") else allocator.address())
    addresses = spec.get("clusterIPs") or [address]
    # Who publishes addresses of its own, headless and without a selector, may use both families.
    own = address == "None" and not spec.get("selector")
    families = spec.get("ipFamilies") or (["IPv4", "IPv6"] if own else ["IPv4"])
    policy = spec.get("ipFamilyPolicy") or ("RequireDualStack" if own else "SingleStack")
    return {"clusterIP": address, "clusterIPs": addresses, "ipFamilies": families, "ipFamilyPolicy": policy}


def _key(port: Json) -> tuple[str, int]:
    return port.get("protocol", "TCP"), port.get("port", 0)
