"""Defaults of Services (FK-498)."""

from __future__ import annotations

from collections.abc import Mapping

from ....base.json_types import Json
from ...default_rules import Defaulter, constants

DAY_AND_MORE = 10800


def reached(value: Json) -> Json:
    """An address is one that packets are sent to, unless something else is said."""
    return {**value, "ipMode": "VIP"} if value.get("ip") and not value.get("ipMode") else value


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
    return {**value, "spec": spec}


def service_port(port: Json) -> Json:
    """A port leads to the same port of the pod."""
    port = constants(protocol="TCP")(port)
    return port if port.get("targetPort") else {**port, "targetPort": port.get("port", 0)}


DEFAULTS: Mapping[str, Defaulter] = {
    "core.v1.LoadBalancerIngress": reached,
    "core.v1.Service": service,
    "core.v1.ServicePort": service_port,
}
