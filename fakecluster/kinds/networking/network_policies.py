"""NetworkPolicies (FK-504)."""

from __future__ import annotations

from ipaddress import ip_network

from ...base.json_types import Json
from ...meta.addresses import is_network
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import addresses, basics
from ..validation.basics import Errors

DIRECTIONS = ("Ingress", "Egress")
PROTOCOLS = ("TCP", "UDP", "SCTP")
PEERS = ("podSelector", "namespaceSelector")


def policy(obj: Json) -> list[FieldError]:
    """Judge a NetworkPolicy."""
    spec = obj.get("spec") or {}
    types = spec.get("policyTypes") or []
    crowded = len(types) > len(DIRECTIONS)
    return [
        *basics.label_selector(spec.get("podSelector"), "spec.podSelector"),
        *(
            error
            for side, peers in (("ingress", "from"), ("egress", "to"))
            for error in _rules(spec, side, peers)
        ),
        *(
            [fields.invalid("spec.policyTypes", types, "may not specify more than two policyTypes")]
            if crowded
            else [
                error
                for n, one in enumerate(types)
                for error in basics.optional_choice(one, f"spec.policyTypes[{n}]", DIRECTIONS)
            ]
        ),
    ]


def _rules(spec: Json, side: str, peers: str) -> Errors:
    for number, rule in enumerate(spec.get(side) or ()):
        path = f"spec.{side}[{number}]"
        for index, one in enumerate(rule.get("ports") or ()):
            yield from _port(one, f"{path}.ports[{index}]")
        for index, one in enumerate(rule.get(peers) or ()):
            yield from _peer(one, f"{path}.{peers}[{index}]")


def _port(one: Json, path: str) -> Errors:
    yield from basics.optional_choice(one.get("protocol"), f"{path}.protocol", PROTOCOLS)
    port, end = one.get("port"), one.get("endPort")
    if isinstance(port, str) and end is not None:
        yield fields.invalid(f"{path}.endPort", end, "may not be specified when `port` is non-numeric")
    if port is not None:
        yield from basics.port_or_name(port, f"{path}.port")
    elif end is not None:
        yield fields.invalid(f"{path}.endPort", end, "may not be specified when `port` is not specified")
    if not isinstance(port, int) or end is None:
        return
    if end < port:
        yield fields.invalid(f"{path}.endPort", port, "must be greater than or equal to `port`")
    yield from basics.port(end, f"{path}.endPort")


def _peer(one: Json, path: str) -> Errors:
    given = [name for name in PEERS if one.get(name) is not None]
    for name in given:
        yield from basics.label_selector(one[name], f"{path}.{name}")
    block = one.get("ipBlock")
    if block is not None:
        yield from _block(block, f"{path}.ipBlock")
    if not given and block is None:
        yield fields.required(path, "must specify a peer")
    elif given and block is not None:
        yield fields.forbidden(path, "may not specify both ipBlock and another peer")


def _block(block: Json, path: str) -> Errors:
    whole = block.get("cidr", "")
    if not whole:
        yield fields.required(f"{path}.cidr")
        return
    yield from addresses.network(whole, f"{path}.cidr")
    if not is_network(whole):
        return
    for number, one in enumerate(block.get("except") or ()):
        here = f"{path}.except[{number}]"
        yield from addresses.network(one, here)
        if is_network(one) and not _inside(one, whole):
            yield fields.invalid(here, one, "must be a strict subset of `cidr`")


def _inside(part: str, whole: str) -> bool:
    inner, outer = ip_network(part, strict=False), ip_network(whole, strict=False)
    same_family = inner.version == outer.version and inner.prefixlen > outer.prefixlen
    return same_family and inner.network_address in outer
