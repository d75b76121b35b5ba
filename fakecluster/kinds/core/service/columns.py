"""The columns of Service (FK-425)."""

from __future__ import annotations

from ....base.json_types import Json
from ....codec.cells import AGE, NONE, column, join_values, member, pairs


def _ports(service: Json) -> str:
    def port_text(port: Json) -> str:
        node = f":{port['nodePort']}" if port.get("nodePort") else ""
        return f"{port['port']}{node}/{port.get('protocol', 'TCP')}"

    return join_values(port_text(port) for port in member("spec", "ports", default=())(service))


def _external(service: Json) -> str:
    if member("spec", "type")(service) == "ExternalName":
        return str(member("spec", "externalName")(service))
    addresses = list(member("spec", "externalIPs", default=())(service))
    balancer = member("status", "loadBalancer", "ingress", default=())(service)
    addresses += [ingress.get("ip") or ingress.get("hostname") or "" for ingress in balancer]
    pending = member("spec", "type")(service) == "LoadBalancer" and not addresses
    return "<pending>" if pending else join_values(addresses)


SERVICE = (
    column("Type", member("spec", "type")),
    column("Cluster-IP", lambda obj: member("spec", "clusterIP")(obj) or NONE),
    column("External-IP", _external),
    column("Port(s)", _ports),
    AGE,
    column("Selector", lambda obj: pairs(member("spec", "selector")(obj)), wide=True),
)
