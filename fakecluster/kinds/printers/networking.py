"""The columns of ingresses, network policies, addresses and endpoint slices (FK-425)."""

from __future__ import annotations

from typing import Any

from ...api.kind import Column
from ...codec.cells import AGE, NONE, UNSET, column, few, joined, member, selector, unnamed

Json = Any
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


def _slice_ports(found: Json) -> str:
    ports = [str(one["port"]) if "port" in one else "*" for one in found.get("ports") or ()]
    return few(ports, UNSET)


def _endpoints(found: Json) -> str:
    return few([text for one in found.get("endpoints") or () for text in one.get("addresses") or ()], UNSET)


GROUP = "networking.k8s.io"
TABLES: dict[tuple[str, str], tuple[Column, ...]] = {
    ("discovery.k8s.io", "endpointslices"): (
        column("AddressType", member("addressType")), column("Ports", _slice_ports), column("Endpoints", _endpoints), AGE,
    ),
    (GROUP, "ingressclasses"): (
        column("Controller", member("spec", "controller")), column("Parameters", _parameters), AGE,
    ),
    (GROUP, "ingresses"): (
        column("Class", member("spec", "ingressClassName", default=NONE)), column("Hosts", _hosts),
        column("Address", _ingress_address),
        column("Ports", lambda obj: "80, 443" if member("spec", "tls")(obj) else "80"), AGE,
    ),
    (GROUP, "ipaddresses"): (column("ParentRef", _parent), unnamed(AGE)),
    (GROUP, "networkpolicies"): (
        column("Pod-Selector", lambda obj: selector(member("spec", "podSelector", default=None)(obj))), AGE,
    ),
    (GROUP, "servicecidrs"): (column("CIDRs", lambda obj: joined(member("spec", "cidrs", default=())(obj))), AGE),
}  # fmt: skip
