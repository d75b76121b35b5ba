"""Addresses and ports that the server hands out to Services (FK-498).

Allocation is a pure function of the Service's uid, so a seeded run hands out the same addresses and two Services share
one only when their uids collide in 20 bits; `network` says where the range lies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import Any

Json = Any
NETWORK = IPv4Network("10.0.0.0/12")
NODE_PORTS = range(30000, 32768)
KEPT = ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")
REACHED = ("LoadBalancer", "NodePort")
REACHING = (
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "allocateLoadBalancerNodePorts",
    "loadBalancerClass",
)
HANDED_OUT = frozenset({*KEPT, "internalTrafficPolicy"})


def allocate(service: Json) -> Json:
    """Give a new Service its addresses and node ports."""
    spec = service["spec"]
    if spec.get("type") == "ExternalName":
        return _with_list(service)
    uid = service["metadata"]["uid"]
    spec = {**spec, **_addresses(spec, address_of(uid))}
    if _takes_ports(spec):
        spec = {**spec, "ports": [_with_node_port(port, uid) for port in spec.get("ports", [])]}
    return {**service, "spec": _with_health(spec, health_port_of(uid))}


def rehearse(service: Json) -> Json:
    """Show a new Service that is only tried the first address, and ports behind the last one (FK-230)."""
    spec = service["spec"]
    if spec.get("type") == "ExternalName":
        return _with_list(service)
    spec = {**spec, **_addresses(spec, str(NETWORK.network_address))}
    if _takes_ports(spec):
        spec = {**spec, "ports": list(_rehearsed(spec.get("ports", [])))}
    ports = [port.get("nodePort", 0) for port in spec.get("ports", [])]
    return {**service, "spec": _with_health(spec, max([NODE_PORTS.stop, *ports]) + 1)}


def _rehearsed(ports: list[Json]) -> Iterator[Json]:
    """Yield ports of which each one's node port follows that of the one before; those of one number share it."""
    last, given = NODE_PORTS.stop, dict[int, int]()
    for port in ports:
        number = port.get("port", 0)
        last = port.get("nodePort") or given.get(number) or last + 1
        given[number] = last
        yield {**port, "nodePort": last}


def checks_health(spec: Json) -> bool:
    """Whether nodes tell at a port of their own which of them have endpoints (FK-498)."""
    return (spec.get("type"), spec.get("externalTrafficPolicy")) == ("LoadBalancer", "Local")


def health_port_of(uid: str) -> int:
    """Return the port at which nodes tell that, for a Service that asks for none."""
    return NODE_PORTS[_number(f"{uid}/health") % len(NODE_PORTS)]


def _with_health(spec: Json, port: int) -> Json:
    if not checks_health(spec) or spec.get("healthCheckNodePort"):
        return spec
    return {**spec, "healthCheckNodePort": port}


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
    spec, before = new["spec"], old["spec"]
    if spec.get("type") == "ExternalName":
        return {**new, "spec": {name: value for name, value in spec.items() if name not in HANDED_OUT}}
    if spec.get("clusterIP") and spec.get("clusterIPs") == before.get("clusterIPs"):
        spec = {**spec, "clusterIPs": [spec["clusterIP"], *before.get("clusterIPs", [])[1:]]}
    kept = {name: before[name] for name in KEPT if name in before and not spec.get(name)}
    ports = {_key(port): port.get("nodePort") for port in before.get("ports", [])}
    spec = {**_without_reach(spec, before), **kept}
    if not spec.get("clusterIP") and not spec.get("clusterIPs"):
        # It had none while it was a name for something outside.
        spec = {**spec, **_addresses(spec, address_of(new["metadata"]["uid"]))}
    given = [_keep_port(port, ports.get(_key(port)), spec) for port in spec.get("ports", [])]
    given = [_with_node_port(port, new["metadata"]["uid"]) for port in given] if _takes_ports(spec) else given
    return {**new, "spec": _health_kept({**spec, **({"ports": given} if given else {})}, before, new)}


def _health_kept(spec: Json, before: Json, new: Json) -> Json:
    """Keep the port for health while there is use for it."""
    had = before.get("healthCheckNodePort", 0)
    if checks_health(spec):
        return _with_health(spec, had or health_port_of(new["metadata"]["uid"]))
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


def _addresses(spec: Json, given: str) -> Json:
    address = spec.get("clusterIP") or ("" if spec.get("clusterIPs") else given)
    addresses = spec.get("clusterIPs") or [address]
    # Who publishes addresses of its own, headless and without a selector, may use both families.
    own = address == "None" and not spec.get("selector")
    families = spec.get("ipFamilies") or (["IPv4", "IPv6"] if own else ["IPv4"])
    policy = spec.get("ipFamilyPolicy") or ("RequireDualStack" if own else "SingleStack")
    return {"clusterIP": address, "clusterIPs": addresses, "ipFamilies": families, "ipFamilyPolicy": policy}


def address_of(uid: str) -> str:
    """Return the address that a Service gets which asks for none."""
    return str(NETWORK[_number(uid) % (NETWORK.num_addresses - 256) + 128])


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


def _key(port: Json) -> tuple[str, int]:
    return port.get("protocol", "TCP"), port.get("port", 0)


def _with_node_port(port: Json, uid: str) -> Json:
    if port.get("nodePort"):
        return port
    return {**port, "nodePort": node_port_of(uid, port)}


def node_port_of(uid: str, port: Json) -> int:
    """Return the port of nodes that a port gets which asks for none."""
    return NODE_PORTS[_number(f"{uid}/{_key(port)}") % len(NODE_PORTS)]


def _keep_port(port: Json, node_port: int | None, spec: Json) -> Json:
    if port.get("nodePort") or not node_port or spec.get("type") not in {"NodePort", "LoadBalancer"}:
        return port
    return {**port, "nodePort": node_port}
