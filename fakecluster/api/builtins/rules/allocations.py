"""What a new Service cannot be given, and what its author is warned of (FK-498, FK-236)."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from ....schema import fields
from ....schema.fields import FieldError
from .. import services as given
from . import services as addresses
from .basics import Errors, Json

NONE = "None"
ONE_STACK = "this cluster is not configured for dual-stack services"
OUTSIDE = "failed to allocate IP {}: the provided network does not match the current range"
PORT_OUTSIDE = "provided port is not in the valid range. The range of valid ports is {}-{}"


def allocated(obj: Json) -> list[FieldError]:
    """Judge what a new Service asks to be given; a Service that is wrong by itself asks for nothing."""
    spec = obj["spec"]
    if spec.get("type") == "ExternalName" or addresses.service(obj):
        return []
    headless = spec.get("clusterIP") == NONE
    return [*_families(spec, headless=headless), *_address(spec)]


def ports(obj: Json) -> list[FieldError]:
    """Judge the node ports that a new Service asks for."""
    return [] if addresses.service(obj) or allocated(obj) else list(_ports(obj["spec"]))


def _families(spec: Json, *, headless: bool) -> Errors:
    if headless and not spec.get("selector"):
        return
    for number, family in enumerate(spec.get("ipFamilies") or ()):
        if family == "IPv6":
            yield fields.invalid(f"spec.ipFamilies[{number}]", family, "not configured on this cluster")
    if spec.get("ipFamilyPolicy") == "RequireDualStack":
        yield fields.invalid("spec.ipFamilyPolicy", "RequireDualStack", ONE_STACK)


def _address(spec: Json) -> Errors:
    address = spec.get("clusterIP") or NONE
    if address != NONE and ip_address(address) not in given.NETWORK:
        yield fields.invalid("spec.clusterIPs", spec.get("clusterIPs"), OUTSIDE.format(address))


def _ports(spec: Json) -> Errors:
    least, most = given.NODE_PORTS[0], given.NODE_PORTS[-1]
    for number, one in enumerate(spec.get("ports") or ()):
        port = one.get("nodePort")
        if port and port not in given.NODE_PORTS:
            yield fields.invalid(f"spec.ports[{number}].nodePort", port, PORT_OUTSIDE.format(least, most))


def warnings(new: Json, old: Json) -> list[str]:
    """Warn of what a Service says in vain."""
    del old
    return list(_vain(new["spec"]))


def _vain(spec: Json) -> Iterator[str]:
    if spec.get("externalName") and spec.get("type") != "ExternalName":
        yield 'spec.externalName is ignored when spec.type is not "ExternalName"'
    if spec.get("clusterIP") == NONE:
        for name in ("externalIPs", "loadBalancerIP"):
            if spec.get(name):
                yield f"spec.{name} is ignored for headless services"
        if spec.get("sessionAffinity", NONE) != NONE:
            yield "spec.SessionAffinity is ignored for headless services"
    if spec.get("trafficDistribution") == "PreferClose":
        yield 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'
