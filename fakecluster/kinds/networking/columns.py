"""The columns of ingresses, network policies and addresses (FK-425)."""

from __future__ import annotations

from ...base.json_types import Json
from ...codec.cells import AGE, NONE, column, few, join_values, member, selector, without_name

NARROW = 16
"""Characters of an ingress' addresses that fit beside the other columns."""


def _hosts(ingress: Json) -> str:
    found = [one["host"] for one in member("spec", "rules", default=())(ingress) if one.get("host")]
    return few(found, "*")


def _ingress_address(ingress: Json) -> str:
    found = member("status", "loadBalancer", "ingress", default=())(ingress)
    text = ",".join(sorted({one.get("ip") or one.get("hostname") or "" for one in found}))
    return f"{text[: NARROW - 3]}..." if len(text) > NARROW else text


def _parameters(obj: Json) -> str:
    found = member("spec", "parameters", default=None)(obj)
    if not found:
        return NONE
    group = f".{found['apiGroup']}" if found.get("apiGroup") else ""
    return f"{found['kind']}{group}/{found['name']}"


def _parent(address: Json) -> str:
    found = member("spec", "parentRef", default=None)(address)
    if not found:
        return NONE
    resource = ".".join(filter(None, (found["resource"], found.get("group", "")))).lower()
    return "/".join(filter(None, (resource, found.get("namespace", ""), found["name"])))


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
