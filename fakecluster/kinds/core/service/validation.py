"""Services (FK-498, FK-504)."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.json_types import Json
from ....gotypes.golang import to_go_struct
from ....schema import fields
from ....schema.fields import FieldError
from ...validation import basics
from ...validation.addresses import PROTOCOLS, address, is_address, network, not_special
from ...validation.basics import Errors
from . import addresses
from .allocators import TYPES_WITH_NODE_PORTS
from .strategy import checks_health

TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
NONE = "None"
RANGES = "spec.LoadBalancerSourceRanges"
RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges"
HINTS, MODE = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"
ONLY_BALANCER = "may only be used when `type` is 'LoadBalancer'"
LONGEST_AFFINITY = 86400
INGRESS = "status.loadBalancer.ingress"
POLICIES = ("Cluster", "Local")
DISTRIBUTIONS = ("PreferClose", "PreferSameZone", "PreferSameNode")
HEALTH = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"


def judge_new(obj: Json) -> list[FieldError]:
    """Judge a new Service: first that there are the addresses it asks for."""
    return addresses.available(obj["spec"], {}) or _service(obj, {})


def _service(obj: Json, before: Json) -> list[FieldError]:
    spec = obj["spec"]
    kind, ports = spec.get("type", ""), spec.get("ports") or []
    missing = not ports and not addresses.is_headless(spec) and kind != "ExternalName"
    return [
        *_topology(obj["metadata"].get("annotations") or {}),
        *([fields.required("spec.ports")] if missing else []),
        *_by_type(spec, kind),
        *_ports(ports),
        *basics.label_map(spec.get("selector"), "spec.selector"),
        *_affinity(spec),
        *(addresses.judge_relations(spec, before) if kind != "ExternalName" else ()),
        *_external_addresses(spec),
        *basics.choice(kind, "spec.type", TYPES),
        *_unique(kind, ports),
        *_balancer(obj, kind),
        *_external_traffic(spec, kind),
        *basics.optional_choice(spec.get("internalTrafficPolicy"), "spec.internalTrafficPolicy", POLICIES),
        *basics.optional_choice(spec.get("trafficDistribution"), "spec.trafficDistribution", DISTRIBUTIONS),
    ]


def _by_type(spec: Json, kind: str) -> Errors:
    if kind in {"LoadBalancer", "NodePort"} and addresses.is_headless(spec):
        yield fields.invalid("spec.clusterIPs[0]", NONE, f"may not be set to 'None' for {kind} services")
    if kind != "ExternalName":
        return
    for name in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if spec.get(name) not in (None, []):
            yield fields.forbidden(f"spec.{name}", "may not be set for ExternalName services")
    yield from basics.judge_name(
        spec.get("externalName", "").removesuffix("."), "spec.externalName", basics.dns_subdomain
    )


def _ports(ports: list[Json]) -> Errors:
    names: set[str] = set()
    for number, port in enumerate(ports):
        path, name = f"spec.ports[{number}]", port.get("name", "")
        if name:
            yield from basics.optional_name(name, f"{path}.name", basics.dns_label)
            if name in names:
                yield fields.duplicate(f"{path}.name", name)
            names.add(name)
        elif len(ports) > 1:
            yield fields.required(f"{path}.name")
        yield from basics.port(port.get("port", 0), f"{path}.port")
        yield from basics.choice(port.get("protocol"), f"{path}.protocol", PROTOCOLS)
        yield from basics.port_or_name(port.get("targetPort", 0), f"{path}.targetPort")
        if port.get("appProtocol") is not None:
            yield from basics.label_key(port["appProtocol"], f"{path}.appProtocol")


def _affinity(spec: Json) -> Errors:
    kind, config = spec.get("sessionAffinity"), spec.get("sessionAffinityConfig")
    yield from basics.choice(kind, "spec.sessionAffinity", ("ClientIP", "None"))
    seconds = ((config or {}).get("clientIP") or {}).get("timeoutSeconds", 1)
    if kind == "ClientIP" and not 0 < seconds <= LONGEST_AFFINITY:
        why = f"must be greater than 0 and less than {LONGEST_AFFINITY}"
        yield fields.invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, why)


def _external_addresses(spec: Json) -> Errors:
    for number, external_ip in enumerate(spec.get("externalIPs") or ()):
        path = f"spec.externalIPs[{number}]"
        errors = list(address(external_ip, path))
        yield from errors or not_special(external_ip, path)


def _topology(annotations: Json) -> Errors:
    hints, mode = annotations.get(HINTS), annotations.get(MODE)
    if None not in {hints, mode} and hints != mode:
        why = f"must match annotations[{HINTS}] when both are specified"
        yield fields.invalid(f"metadata.annotations[{MODE}]", mode, why)


def _unique(kind: str, ports: list[Json]) -> Errors:
    """Judge node ports where there are none, and ports of a protocol that repeat."""
    for number, port in enumerate(ports):
        if kind == "ClusterIP" and port.get("nodePort"):
            why = "may not be used when `type` is 'ClusterIP'"
            yield fields.forbidden(f"spec.ports[{number}].nodePort", why)
    for number, port in _port_repeats(ports, "port"):
        go_port = {"protocol": port.get("protocol", ""), "port": port.get("port", 0), "targetPort": 0}
        yield fields.duplicate(f"spec.ports[{number}]", to_go_struct("core.v1.ServicePort", go_port))


def _node_ports(ports: list[Json]) -> Errors:
    for number, port in _port_repeats(ports, "nodePort"):
        yield fields.duplicate(f"spec.ports[{number}].nodePort", port["nodePort"])


def _port_repeats(ports: list[Json], member: str) -> Iterator[tuple[int, Json]]:
    keys: set[tuple[str, int]] = set()
    for number, port in enumerate(ports):
        key = port.get("protocol", ""), port.get(member, 0)
        if key in keys:
            yield number, port
        if key[1] or member == "port":
            keys.add(key)


def _balancer(obj: Json, kind: str) -> Errors:
    spec = obj["spec"]
    if spec.get("loadBalancerSourceRanges"):
        yield from _ranges(
            [(f"{RANGES}[{n}]", cidr) for n, cidr in enumerate(spec["loadBalancerSourceRanges"])],
            RANGES,
            kind,
        )
    elif (listed := (obj["metadata"].get("annotations") or {}).get(RANGES_ANNOTATION)) is not None:
        path = f"metadata.annotations[{RANGES_ANNOTATION}]"
        yield from _ranges([(path, cidr) for cidr in listed.split(",") if listed.strip()], path, kind)
    if kind != "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is not None:
        yield fields.forbidden("spec.allocateLoadBalancerNodePorts", ONLY_BALANCER)
    yield from _balancer_class(spec.get("loadBalancerClass"), kind)


def _ranges(networks: list[tuple[str, str]], path: str, kind: str) -> Errors:
    if kind != "LoadBalancer":
        yield fields.forbidden(path, ONLY_BALANCER)
    for where, text in networks:
        yield from network(text.strip(), where)


def _external_traffic(spec: Json, kind: str) -> Errors:
    policy, path = spec.get("externalTrafficPolicy", ""), "spec.externalTrafficPolicy"
    if kind in TYPES_WITH_NODE_PORTS or (kind == "ClusterIP" and spec.get("externalIPs")):
        yield from basics.choice(policy, path, POLICIES)
    elif policy:
        yield fields.invalid(path, policy, "may only be set for externally-accessible services")
    health = spec.get("healthCheckNodePort", 0)
    if checks_health(spec):
        yield from basics.port(health, "spec.healthCheckNodePort")
    elif health:
        yield fields.invalid("spec.healthCheckNodePort", health, HEALTH)


def judge_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a Service: first that there are the addresses it asks for, then what changes, then
    the rules of every one.
    """
    new, old = after["spec"], before["spec"]
    if errors := addresses.available(new, old):
        return errors
    return [
        *addresses.judge_update(new, old),
        *_class_kept(new, old),
        *_health_kept(new, old),
        *_service(after, old),
        *_node_ports(new.get("ports") or []),
    ]


def _class_kept(new: Json, old: Json) -> Errors:
    name, path = new.get("loadBalancerClass"), "spec.loadBalancerClass"
    if {new.get("type"), old.get("type")} == {"LoadBalancer"} and name != old.get("loadBalancerClass"):
        yield fields.invalid(path, name, addresses.IMMUTABLE_ONCE_SET)
    yield from _balancer_class(name, new.get("type", ""))


def _balancer_class(name: str | None, kind: str) -> Errors:
    if name is None:
        return
    if kind != "LoadBalancer":
        yield fields.forbidden("spec.loadBalancerClass", ONLY_BALANCER)
    else:
        yield from basics.label_key(name, "spec.loadBalancerClass")


def _health_kept(new: Json, old: Json) -> Errors:
    ports = [spec.get("healthCheckNodePort") for spec in (new, old)]
    if checks_health(new) and checks_health(old) and ports[0] != ports[1]:
        yield fields.forbidden("spec.healthCheckNodePort", "field is immutable")


def status(new: Json, old: Json) -> list[FieldError]:
    """Judge a Service's status; an address that was there may stay."""
    ingress = _ingress(new)
    if ingress and new["spec"].get("type") != "LoadBalancer":
        why = "may only be used when `spec.type` is 'LoadBalancer'"
        return [fields.forbidden("status.loadBalancer.ingress", why)]
    ips = {point.get("ip") for point in _ingress(old)}
    return [
        error
        for number, point in enumerate(ingress)
        for error in _ingress_ip(point, f"{INGRESS}[{number}]", ips)
    ]


def _ingress(service: Json) -> list[Json]:
    return (service.get("status", {}).get("loadBalancer") or {}).get("ingress") or []


def _ingress_ip(ingress: Json, path: str, ips: set[str]) -> Errors:
    point, mode, host = ingress.get("ip", ""), ingress.get("ipMode"), ingress.get("hostname", "")
    if point and point not in ips:
        yield from address(point, f"{path}.ip")
    if point and mode is None:
        yield fields.required(f"{path}.ipMode", "must be specified when `ip` is set")
    elif mode is not None and not point:
        yield fields.forbidden(f"{path}.ipMode", "may not be specified when `ip` is not set")
    else:
        yield from basics.optional_choice(mode, f"{path}.ipMode", ("Proxy", "VIP"))
    yield from basics.optional_name(host, f"{path}.hostname", basics.dns_subdomain)
    if is_address(host):
        yield fields.invalid(f"{path}.hostname", host, "must be a DNS name, not an IP address")
