"""The columns of ingresses, network policies and addresses (FK-425)."""

from __future__ import annotations

from ...base.json_types import Json
from ...codec.cells import AGE, NONE, column, few, join_values, member, selector, without_name

NARROW = 16
"""Characters of an ingress' addresses that fit beside the other columns."""


def _hosts(ingress: Json) -> str:
    hosts = [rule["host"] for rule in member("spec", "rules", default=())(ingress) if rule.get("host")]
    return few(hosts, "*")


def _ingress_address(ingress: Json) -> str:
    ingress_points = member("status", "loadBalancer", "ingress", default=())(ingress)
    text = ",".join(sorted({point.get("ip") or point.get("hostname") or "" for point in ingress_points}))
    return f"{text[: NARROW - 3]}..." if len(text) > NARROW else text


def _parameters(obj: Json) -> str:
    parameters = member("spec", "parameters", default=None)(obj)
    if not parameters:
        return NONE
    group = f".{parameters['apiGroup']}" if parameters.get("apiGroup") else ""
    return f"{parameters['kind']}{group}/{parameters['name']}"


def _parent(address: Json) -> str:
    parent_ref = member("spec", "parentRef", default=None)(address)
    if not parent_ref:
        return NONE
    resource = ".".join(filter(None, (parent_ref["resource"], parent_ref.get("group", "")))).lower()
    return "/".join(filter(None, (resource, parent_ref.get("namespace", ""), parent_ref["name"])))


INGRESS_CLASS = (
    column("Controller", member("spec", "controller")),
    column("Parameters", _parameters),
    AGE,
)
INGRESS = (
    column("Class", member("spec", "ingressClassName", default=NONE)),
    column("Hosts", _hosts),
    column("Address", _ingress_address),
    column("Ports", lambda obj: "80, 443" if member("spec", "tls")(obj) else "80"),
    AGE,
)
IP_ADDRESS = (column("ParentRef", _parent), without_name(AGE))
NETWORK_POLICY = (
    column("Pod-Selector", lambda obj: selector(member("spec", "podSelector", default=None)(obj))),
    AGE,
)
SERVICE_CIDR = (column("CIDRs", lambda obj: join_values(member("spec", "cidrs", default=())(obj))), AGE)
