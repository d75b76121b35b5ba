"""Services (FK-498, FK-504)."""

from __future__ import annotations

from ipaddress import ip_interface

from ....gotypes.golang import shown
from ....schema import fields
from ....schema.fields import FieldError
from ...validation import basics
from ...validation.addresses import ADDRESS, PROTOCOLS, is_address, not_special
from ...validation.basics import Errors, Json

TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
NONE = "None"
NETWORK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
BITS = "must not have bits set beyond the prefix length"
NO_FIRST = "must be empty when `clusterIP` is not specified"
RANGES = "spec.LoadBalancerSourceRanges"
ONLY_BALANCER = "may only be used when `type` is 'LoadBalancer'"
LONGEST_AFFINITY = 86400
INGRESS = "status.loadBalancer.ingress"
POLICIES = ("Cluster", "Local")
DISTRIBUTIONS = ("PreferClose", "PreferSameZone", "PreferSameNode")
FAMILY_POLICIES = ("PreferDualStack", "RequireDualStack", "SingleStack")
KUBELET_PORT = 10250
EXPOSED_KUBELET = "may not expose port 10250 externally since it is used by kubelet"
FAMILIES = ("IPv4", "IPv6")
INDICATED = "expected an {} value as indicated by `ipFamilies[{}]`"
HEALTH = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"


def service(obj: Json) -> list[FieldError]:
    """Judge a Service."""
    spec = obj["spec"]
    kind, ports = spec.get("type", ""), spec.get("ports") or []
    missing = not ports and spec.get("clusterIP") != NONE and kind != "ExternalName"
    return [
        *([fields.required("spec.ports")] if missing else []),
        *_by_type(spec, kind, ports),
        *_ports(ports),
        *basics.label_map(spec.get("selector"), "spec.selector"),
        *_affinity(spec),
        *(_families(spec) if kind != "ExternalName" else ()),
        *_external_addresses(spec),
        *basics.choice(kind, "spec.type", TYPES),
        *_unique(kind, ports),
        *_balancer(spec, kind),
        *_external_traffic(spec, kind),
        *basics.optional_choice(spec.get("internalTrafficPolicy"), "spec.internalTrafficPolicy", POLICIES),
        *basics.optional_choice(spec.get("trafficDistribution"), "spec.trafficDistribution", DISTRIBUTIONS),
    ]


def _by_type(spec: Json, kind: str, ports: list[Json]) -> Errors:
    if kind == "LoadBalancer":
        for number, one in enumerate(ports):
            if one.get("port") == KUBELET_PORT:
                yield fields.invalid(f"spec.ports[{number}]", KUBELET_PORT, EXPOSED_KUBELET)
    if kind in {"LoadBalancer", "NodePort"} and spec.get("clusterIP") == NONE:
        yield fields.invalid("spec.clusterIPs[0]", NONE, f"may not be set to 'None' for {kind} services")
    if kind != "ExternalName":
        return
    for name in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if spec.get(name):
            yield fields.forbidden(f"spec.{name}", "may not be set for ExternalName services")
    yield from basics.named(
        spec.get("externalName", "").removesuffix("."), "spec.externalName", basics.dns_subdomain
    )


def _ports(ports: list[Json]) -> Errors:
    seen: set[str] = set()
    for number, one in enumerate(ports):
        path, name = f"spec.ports[{number}]", one.get("name", "")
        if name:
            yield from basics.optional_name(name, f"{path}.name", basics.dns_label)
            if name in seen:
                yield fields.duplicate(f"{path}.name", name)
            seen.add(name)
        elif len(ports) > 1:
            yield fields.required(f"{path}.name")
        yield from basics.port(one.get("port", 0), f"{path}.port")
        yield from basics.choice(one.get("protocol"), f"{path}.protocol", PROTOCOLS)
        yield from basics.port_or_name(one.get("targetPort", 0), f"{path}.targetPort")
        if one.get("appProtocol") is not None:
            yield from basics.label_key(one["appProtocol"], f"{path}.appProtocol")


def _affinity(spec: Json) -> Errors:
    kind, config = spec.get("sessionAffinity"), spec.get("sessionAffinityConfig")
    yield from basics.choice(kind, "spec.sessionAffinity", ("ClientIP", "None"))
    seconds = ((config or {}).get("clientIP") or {}).get("timeoutSeconds", 1)
    if kind == "ClientIP" and not 0 < seconds <= LONGEST_AFFINITY:
        why = f"must be greater than 0 and less than {LONGEST_AFFINITY}"
        yield fields.invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, why)


def _families(spec: Json) -> Errors:
    for number, one in enumerate(spec.get("ipFamilies") or ()):
        yield from basics.optional_choice(one, f"spec.ipFamilies[{number}]", FAMILIES)
    yield from basics.optional_choice(spec.get("ipFamilyPolicy"), "spec.ipFamilyPolicy", FAMILY_POLICIES)
    if spec.get("clusterIP") and not spec.get("clusterIPs"):
        yield fields.required("spec.clusterIPs")
    if spec.get("clusterIPs") and not spec.get("clusterIP"):
        yield fields.invalid("spec.clusterIPs", spec["clusterIPs"], NO_FIRST)
    for number, one in enumerate(spec.get("clusterIPs") or ()):
        if one != NONE and not is_address(one):
            yield fields.invalid(f"spec.clusterIPs[{number}]", one, ADDRESS)


def _external_addresses(spec: Json) -> Errors:
    for number, one in enumerate(spec.get("externalIPs") or ()):
        path = f"spec.externalIPs[{number}]"
        if is_address(one):
            yield from not_special(one, path)
        else:
            yield fields.invalid(path, one, ADDRESS)


def _unique(kind: str, ports: list[Json]) -> Errors:
    """Judge node ports where there are none, and pairs of protocol and port that repeat."""
    seen: set[tuple[str, int]] = set()
    for number, one in enumerate(ports):
        if kind == "ClusterIP" and one.get("nodePort"):
            why = "may not be used when `type` is 'ClusterIP'"
            yield fields.forbidden(f"spec.ports[{number}].nodePort", why)
    for number, one in enumerate(ports):
        pair = one.get("protocol", ""), one.get("port", 0)
        if pair in seen:
            told = shown("core.v1.ServicePort", {"protocol": pair[0], "port": pair[1], "targetPort": 0})
            yield fields.duplicate(f"spec.ports[{number}]", told)
        seen.add(pair)


def _balancer(spec: Json, kind: str) -> Errors:
    ranges = spec.get("loadBalancerSourceRanges") or []
    if ranges and kind != "LoadBalancer":
        yield fields.forbidden(RANGES, ONLY_BALANCER)
    for number, one in enumerate(ranges):
        if why := _network_problem(one):
            yield fields.invalid(f"{RANGES}[{number}]", one, why)
    if kind != "LoadBalancer":
        for name in ("allocateLoadBalancerNodePorts", "loadBalancerClass"):
            if spec.get(name) is not None:
                yield fields.forbidden(f"spec.{name}", ONLY_BALANCER)
    elif spec.get("loadBalancerClass") is not None:
        yield from basics.label_key(spec["loadBalancerClass"], "spec.loadBalancerClass")


def _network_problem(text: str) -> str:
    try:
        found = ip_interface(text)
    except ValueError:
        return NETWORK
    if "/" not in text:
        return NETWORK
    return "" if found.ip == found.network.network_address else BITS


def _external_traffic(spec: Json, kind: str) -> Errors:
    policy, path = spec.get("externalTrafficPolicy", ""), "spec.externalTrafficPolicy"
    reachable = kind in {"LoadBalancer", "NodePort"} or (kind == "ClusterIP" and spec.get("externalIPs"))
    if policy and not reachable:
        yield fields.invalid(path, policy, "may only be set for externally-accessible services")
    if policy:
        yield from basics.optional_choice(policy, path, POLICIES)
    elif reachable:
        yield fields.required(path)
    health = spec.get("healthCheckNodePort")
    if health:
        yield from basics.port(health, "spec.healthCheckNodePort")
    if health and not (kind == "LoadBalancer" and policy == "Local"):
        yield fields.invalid("spec.healthCheckNodePort", health, HEALTH)


def same_address(new: Json, old: Json) -> list[FieldError]:
    """Judge that a Service keeps its address while it has one."""
    health = [one["spec"].get("healthCheckNodePort") for one in (old, new)]
    if all(health) and health[0] != health[1]:
        return [fields.forbidden("spec.healthCheckNodePort", "field is immutable")]
    if other := list(_of_another_family(new["spec"])):
        return other
    before, after = old["spec"].get("clusterIP"), new["spec"].get("clusterIP")
    if "ExternalName" in {old["spec"].get("type"), new["spec"].get("type")} or not before or before == after:
        return []
    return [fields.invalid("spec.clusterIPs[0]", new["spec"].get("clusterIPs"), "may not change once set")]


def _of_another_family(spec: Json) -> Errors:
    pairs = zip(spec.get("clusterIPs") or (), spec.get("ipFamilies") or (), strict=False)
    for number, (one, family) in enumerate(pairs):
        if is_address(one) and ("IPv6" if ":" in one else "IPv4") != family:
            yield fields.invalid(f"spec.clusterIPs[{number}]", one, INDICATED.format(family, number))


def status(new: Json, old: Json) -> list[FieldError]:
    """Judge a Service's status."""
    del old
    ingress = (new.get("status", {}).get("loadBalancer") or {}).get("ingress") or []
    if ingress and new["spec"].get("type") != "LoadBalancer":
        why = "may only be used when `spec.type` is 'LoadBalancer'"
        return [fields.forbidden("status.loadBalancer.ingress", why)]
    return [error for number, one in enumerate(ingress) for error in _reached(one, f"{INGRESS}[{number}]")]


def _reached(one: Json, path: str) -> Errors:
    address, mode, host = one.get("ip", ""), one.get("ipMode"), one.get("hostname", "")
    if address and not is_address(address):
        yield fields.invalid(f"{path}.ip", address, ADDRESS)
    yield from basics.optional_choice(mode, f"{path}.ipMode", ("Proxy", "VIP"))
    if mode is not None and not address:
        yield fields.forbidden(f"{path}.ipMode", "may not be specified when `ip` is not set")
    yield from basics.optional_name(host, f"{path}.hostname", basics.dns_subdomain)
    if is_address(host):
        yield fields.invalid(f"{path}.hostname", host, "must be a DNS name, not an IP address")
