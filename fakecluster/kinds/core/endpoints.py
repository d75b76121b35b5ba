"""Endpoints: rules and columns (FK-462, FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...codec.cells import AGE, NONE, column, few
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.addresses import PROTOCOLS, address, app_protocol, not_special
from ..validation.basics import Errors


def endpoints(obj: Json) -> list[FieldError]:
    """Judge Endpoints."""
    subsets = enumerate(obj.get("subsets") or ())
    return [error for number, subset in subsets for error in _subset(subset, f"subsets[{number}]")]


def _subset(value: Json, path: str) -> Errors:
    if not value.get("addresses") and not value.get("notReadyAddresses"):
        yield fields.required(path, "must specify `addresses` or `notReadyAddresses`")
    for member in ("addresses", "notReadyAddresses"):
        for number, endpoint in enumerate(value.get(member) or ()):
            yield from _target(endpoint, f"{path}.{member}[{number}]")
    ports = value.get("ports") or []
    for number, port in enumerate(ports):
        item_path = f"{path}.ports[{number}]"
        # A single port may have no name.
        if len(ports) > 1 and not port.get("name"):
            yield fields.required(f"{item_path}.name")
        yield from basics.optional_name(port.get("name"), f"{item_path}.name", basics.dns_label)
        yield from basics.port(port.get("port", 0), f"{item_path}.port")
        yield from basics.choice(port.get("protocol"), f"{item_path}.protocol", PROTOCOLS)
        yield from app_protocol(port, item_path)


def _target(endpoint: Json, path: str) -> Errors:
    text = endpoint.get("ip", "")
    yield from address(text, f"{path}.ip")
    yield from basics.optional_name(endpoint.get("hostname"), f"{path}.hostname", basics.dns_label)
    yield from basics.nonempty_name(endpoint.get("nodeName"), f"{path}.nodeName", basics.dns_subdomain)
    yield from not_special(text, f"{path}.ip")


def _subsets(endpoints: Json) -> str:
    addresses = [
        f"{address['ip']}:{port['port']}"
        for subset in endpoints.get("subsets") or ()
        for port in subset.get("ports") or ()
        for address in subset.get("addresses") or ()
    ]
    return few(addresses, NONE)


ENDPOINTS = (column("Endpoints", _subsets), AGE)
