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
                for n, policy_type in enumerate(types)
                for error in basics.optional_choice(policy_type, f"spec.policyTypes[{n}]", DIRECTIONS)
            ]
        ),
    ]


def _rules(spec: Json, side: str, peers: str) -> Errors:
    for number, rule in enumerate(spec.get(side) or ()):
        path = f"spec.{side}[{number}]"
        for index, port in enumerate(rule.get("ports") or ()):
            yield from _port(port, f"{path}.ports[{index}]")
        for index, peer in enumerate(rule.get(peers) or ()):
            yield from _peer(peer, f"{path}.{peers}[{index}]")


def _port(value: Json, path: str) -> Errors:
    yield from basics.optional_choice(value.get("protocol"), f"{path}.protocol", PROTOCOLS)
    port, end = value.get("port"), value.get("endPort")
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


def _peer(peer: Json, path: str) -> Errors:
    names = [name for name in PEERS if peer.get(name) is not None]
    for name in names:
        yield from basics.label_selector(peer[name], f"{path}.{name}")
    block = peer.get("ipBlock")
    if block is not None:
        yield from _block(block, f"{path}.ipBlock")
    if not names and block is None:
        yield fields.required(path, "must specify a peer")
    elif names and block is not None:
        yield fields.forbidden(path, "may not specify both ipBlock and another peer")


def _block(block: Json, path: str) -> Errors:
    cidr = block.get("cidr", "")
    if not cidr:
        yield fields.required(f"{path}.cidr")
        return
    yield from addresses.network(cidr, f"{path}.cidr")
    if not is_network(cidr):
        return
    for number, excepted in enumerate(block.get("except") or ()):
        item_path = f"{path}.except[{number}]"
        yield from addresses.network(excepted, item_path)
        if is_network(excepted) and not _inside(excepted, cidr):
            yield fields.invalid(item_path, excepted, "must be a strict subset of `cidr`")


def _inside(excepted: str, block: str) -> bool:
    inner, outer = ip_network(excepted, strict=False), ip_network(block, strict=False)
    same_family = inner.version == outer.version and inner.prefixlen > outer.prefixlen
    return same_family and inner.network_address in outer
