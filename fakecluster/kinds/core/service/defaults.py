"""Defaults of Services (FK-498)."""

from __future__ import annotations

from collections.abc import Mapping

from ....base.json_types import Json
from ...default_rules import Defaulter, constants

DAY_AND_MORE = 10800


def service(value: Json) -> Json:
    """Type, affinity, traffic policies and target ports of a Service."""
    spec = constants(sessionAffinity="None", type="ClusterIP")(value["spec"])
    if spec["sessionAffinity"] == "None":
        spec = {name: member for name, member in spec.items() if name != "sessionAffinityConfig"}
    elif (spec.get("sessionAffinityConfig") or {}).get("clientIP", {}).get("timeoutSeconds") is None:
        spec = {**spec, "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": DAY_AND_MORE}}}
    if spec["type"] in {"NodePort", "LoadBalancer"} or (
        spec["type"] == "ClusterIP" and spec.get("externalIPs")
    ):
        spec = constants(externalTrafficPolicy="Cluster")(spec)
    if spec["type"] != "ExternalName":
        spec = constants(internalTrafficPolicy="Cluster")(spec)
    if spec["type"] == "LoadBalancer":
        spec = constants(allocateLoadBalancerNodePorts=True)(spec)
        value = {**value, "status": _with_ip_mode(value.get("status") or {})}
    return {**value, "spec": spec}


def _with_ip_mode(status: Json) -> Json:
    """The ipMode of a load balancer's address is VIP by default."""
    balancer = status.get("loadBalancer") or {}
    if not balancer.get("ingress"):
        return status
    modes = constants(ipMode="VIP")
    ingress = [modes(point) if point.get("ip") else point for point in balancer["ingress"]]
    return {**status, "loadBalancer": {**balancer, "ingress": ingress}}


def service_port(port: Json) -> Json:
    """A port leads to the same port of the pod."""
    port = constants(protocol="TCP")(port)
    return port if port.get("targetPort") else {**port, "targetPort": port.get("port", 0)}


DEFAULTS: Mapping[str, Defaulter] = {
    "core.v1.Service": service,
    "core.v1.ServicePort": service_port,
}
