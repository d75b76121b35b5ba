"""The kinds of `networking.k8s.io`: stored and shown,
acted on by nothing in this cluster (FK-504, FK-425).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, NONE, column, few, join_values, member, selector, without_name
from ..default_rules import Defaulter, constants
from ..row import STATUS, row

if TYPE_CHECKING:
    from ..validation import address_warnings
    from . import ingresses, ip_addresses, network_policies
else:
    address_warnings = LazyModule("..validation.address_warnings", __package__)
    ingresses = LazyModule(".ingresses", __package__)
    ip_addresses = LazyModule(".ip_addresses", __package__)
    network_policies = LazyModule(".network_policies", __package__)


ADDRESS_COLUMN_WIDTH = 16
"""Characters of an ingress' addresses that fit beside the other columns."""


def _hosts(ingress: Json) -> str:
    hosts = [rule["host"] for rule in member("spec", "rules", default=())(ingress) if rule.get("host")]
    return few(hosts, "*")


def _ingress_address(ingress: Json) -> str:
    ingress_points = member("status", "loadBalancer", "ingress", default=())(ingress)
    text = ",".join(sorted({point.get("ip") or point.get("hostname") or "" for point in ingress_points}))
    return f"{text[: ADDRESS_COLUMN_WIDTH - 3]}..." if len(text) > ADDRESS_COLUMN_WIDTH else text


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


INGRESS_CLASS_COLUMNS = (
    column("Controller", member("spec", "controller")),
    column("Parameters", _parameters),
    AGE,
)
INGRESS_COLUMNS = (
    column("Class", member("spec", "ingressClassName", default=NONE)),
    column("Hosts", _hosts),
    column("Address", _ingress_address),
    column("Ports", lambda obj: "80, 443" if member("spec", "tls")(obj) else "80"),
    AGE,
)
IP_ADDRESS_COLUMNS = (column("ParentRef", _parent), without_name(AGE))
NETWORK_POLICY_COLUMNS = (
    column("Pod-Selector", lambda obj: selector(member("spec", "podSelector", default=None)(obj))),
    AGE,
)
SERVICE_CIDR_COLUMNS = (
    column("CIDRs", lambda obj: join_values(member("spec", "cidrs", default=())(obj))),
    AGE,
)


def policy_types(spec: Json) -> Json:
    """Default policyTypes: Ingress, and Egress where the policy has egress rules."""
    if spec.get("policyTypes"):
        return spec
    return {**spec, "policyTypes": ["Ingress", *(["Egress"] if spec.get("egress") else [])]}


DEFAULTS: Mapping[str, Defaulter] = {
    "networking.v1.IngressClassParametersReference": constants(scope="Cluster"),
    "networking.v1.NetworkPolicyPort": constants(protocol="TCP"),
    "networking.v1.NetworkPolicySpec": policy_types,
}
KINDS: tuple[Kind, ...] = (
    row(
        "networking.v1.IngressClass",
        "ingressclasses",
        namespaced=False,
        generation="all",
        validate=ingresses.ingress_class,
        judge_update=ingresses.judge_class_update,
        columns=INGRESS_CLASS_COLUMNS,
    ),
    row(
        "networking.v1.Ingress",
        "ingresses",
        warnings=ingresses.ingress_warnings,
        status_warnings=address_warnings.of_balancer,
        short="ing",
        subresources=STATUS,
        generation="spec",
        validate=ingresses.ingress,
        validate_new=ingresses.new_ingress,
        validate_status=ingresses.ingress_status,
        columns=INGRESS_COLUMNS,
    ),
    row(
        "networking.v1.IPAddress",
        "ipaddresses",
        short="ip",
        namespaced=False,
        name_rule="address",
        validate=ip_addresses.address,
        validate_update=ip_addresses.same_parent,
        columns=IP_ADDRESS_COLUMNS,
    ),
    row(
        "networking.v1.NetworkPolicy",
        "networkpolicies",
        short="netpol",
        generation="spec",
        validate=network_policies.policy,
        columns=NETWORK_POLICY_COLUMNS,
    ),
    row(
        "networking.v1.ServiceCIDR",
        "servicecidrs",
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        validate=ip_addresses.ranges,
        judge_update=ip_addresses.judge_ranges_update,
        columns=SERVICE_CIDR_COLUMNS,
    ),
)
