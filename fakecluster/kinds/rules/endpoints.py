"""Endpoints, EndpointSlices, and the addresses that may not be published (FK-462, FK-504)."""

from __future__ import annotations

from ipaddress import ip_address

from ...schema import fields
from ...schema.fields import FieldError
from . import basics
from .basics import Errors, Json

ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
PROTOCOLS = ("SCTP", "TCP", "UDP")
TYPES = ("FQDN", "IPv4", "IPv6")
VERSIONS = {4: "IPv4", 6: "IPv6"}
MOST_ENDPOINTS, MOST_ADDRESSES, MOST_PORTS = 1000, 100, 20_000


def endpoints(obj: Json) -> list[FieldError]:
    """Judge Endpoints."""
    subsets = enumerate(obj.get("subsets") or ())
    return [error for number, one in subsets for error in _subset(one, f"subsets[{number}]")]


def _subset(value: Json, path: str) -> Errors:
    if not value.get("addresses") and not value.get("notReadyAddresses"):
        yield fields.required(path, "must specify `addresses` or `notReadyAddresses`")
    for member in ("addresses", "notReadyAddresses"):
        for number, one in enumerate(value.get(member) or ()):
            yield from _target(one, f"{path}.{member}[{number}]")
    ports = value.get("ports") or []
    for number, one in enumerate(ports):
        here = f"{path}.ports[{number}]"
        if len(ports) > 1 and not one.get("name"):
            yield fields.required(f"{here}.name")
        yield from basics.optional_name(one.get("name"), f"{here}.name", basics.dns_label)
        yield from basics.port(one.get("port", 0), f"{here}.port")
        yield from basics.choice(one.get("protocol"), f"{here}.protocol", PROTOCOLS)
        yield from _app_protocol(one, here)


def _target(one: Json, path: str) -> Errors:
    address = one.get("ip", "")
    if not is_address(address):
        yield fields.invalid(f"{path}.ip", address, ADDRESS)
    yield from basics.optional_name(one.get("hostname"), f"{path}.hostname", basics.dns_label)
    if one.get("nodeName") is not None:
        yield from basics.optional_name(one["nodeName"] or " ", f"{path}.nodeName", basics.dns_subdomain)
    yield from not_special(address, f"{path}.ip")


def _app_protocol(port: Json, path: str) -> Errors:
    if port.get("appProtocol") is not None:
        yield from basics.label_key(port["appProtocol"], f"{path}.appProtocol")


def endpoint_slice(obj: Json) -> list[FieldError]:
    """Judge an EndpointSlice."""
    kind, found, ports = obj.get("addressType", ""), obj.get("endpoints") or [], obj.get("ports") or []
    crowded = (
        [fields.too_many("endpoints", len(found), MOST_ENDPOINTS)] if len(found) > MOST_ENDPOINTS else []
    )
    opened = [fields.too_many("ports", len(ports), MOST_PORTS)] if len(ports) > MOST_PORTS else []
    return [
        *basics.choice(kind, "addressType", TYPES),
        *(
            crowded
            or (error for n, one in enumerate(found) for error in _endpoint(one, kind, f"endpoints[{n}]"))
        ),
        *(opened or _ports(ports)),
    ]


def same_type(new: Json, old: Json) -> list[FieldError]:
    """Judge that an EndpointSlice keeps the type of its addresses."""
    return list(basics.immutable(new.get("addressType"), old.get("addressType"), "addressType"))


def _endpoint(one: Json, kind: str, path: str) -> Errors:
    addresses = one.get("addresses") or []
    if not addresses:
        yield fields.required(f"{path}.addresses", "must contain at least 1 address")
    elif len(addresses) > MOST_ADDRESSES:
        yield fields.too_many(f"{path}.addresses", len(addresses), MOST_ADDRESSES)
    for number, address in enumerate(addresses if kind in TYPES else ()):
        yield from _address(address, kind, f"{path}.addresses", number)
    yield from basics.optional_name(one.get("nodeName"), f"{path}.nodeName", basics.dns_subdomain)
    yield from basics.optional_name(one.get("hostname"), f"{path}.hostname", basics.dns_label)


def _address(address: str, kind: str, path: str, number: int) -> Errors:
    here = f"{path}[{number}]"
    if kind == "FQDN":
        yield from basics.optional_name(address or " ", here, basics.dns_subdomain)
    elif not is_address(address):
        yield fields.invalid(here, address, ADDRESS)
    else:
        if VERSIONS[ip_address(address).version] != kind:
            yield fields.invalid(path, address, f"must be an {kind} address")
        yield from not_special(address, here)


def _ports(ports: list[Json]) -> Errors:
    seen: set[str] = set()
    for number, one in enumerate(ports):
        path, name = f"ports[{number}]", one.get("name") or ""
        yield from basics.optional_name(name, f"{path}.name", basics.dns_label)
        if name in seen:
            yield fields.duplicate(f"{path}.name", name)
        seen.add(name)
        yield from basics.choice(one.get("protocol"), f"{path}.protocol", PROTOCOLS)
        yield from _app_protocol(one, path)


def is_address(text: str) -> bool:
    """Tell whether a text is an IP address."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def not_special(text: str, path: str) -> Errors:
    """Judge that an address is one that others can reach."""
    if not is_address(text):
        yield fields.invalid(path, text, "must be a valid IP address")
        return
    address = ip_address(text)
    if address.is_unspecified:
        yield fields.invalid(path, text, f"may not be unspecified ({text})")
    if address.is_loopback:
        yield fields.invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if address.is_link_local:
        yield fields.invalid(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")
    if address.is_multicast and text.startswith(("224.0.0.", "ff02:")):
        yield fields.invalid(
            path, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"
        )
