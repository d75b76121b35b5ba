"""The kinds of `networking.k8s.io`: stored and shown, acted on by nothing in this cluster (FK-504)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ..default_rules import Defaulter, constants
from ..row import STATUS, row
from . import columns

if TYPE_CHECKING:
    from ..validation import address_warnings
    from . import ingresses, ip_addresses, network_policies, warnings
else:
    address_warnings = LazyModule("..validation.address_warnings", __package__)
    ingresses = LazyModule(".ingresses", __package__)
    ip_addresses = LazyModule(".ip_addresses", __package__)
    network_policies = LazyModule(".network_policies", __package__)
    warnings = LazyModule(".warnings", __package__)


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
        columns=columns.INGRESS_CLASS,
    ),
    row(
        "networking.v1.Ingress",
        "ingresses",
        warnings=warnings.ingress,
        status_warnings=address_warnings.of_balancer,
        short="ing",
        subresources=STATUS,
        generation="spec",
        validate=ingresses.ingress,
        validate_new=ingresses.new_ingress,
        validate_status=ingresses.ingress_status,
        columns=columns.INGRESS,
    ),
    row(
        "networking.v1.IPAddress",
        "ipaddresses",
        short="ip",
        namespaced=False,
        name_rule="address",
        validate=ip_addresses.address,
        validate_update=ip_addresses.same_parent,
        columns=columns.IP_ADDRESS,
    ),
    row(
        "networking.v1.NetworkPolicy",
        "networkpolicies",
        short="netpol",
        generation="spec",
        validate=network_policies.policy,
        columns=columns.NETWORK_POLICY,
    ),
    row(
        "networking.v1.ServiceCIDR",
        "servicecidrs",
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        validate=ip_addresses.ranges,
        judge_update=ip_addresses.judge_ranges_update,
        columns=columns.SERVICE_CIDR,
    ),
)
