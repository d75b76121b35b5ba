"""Network data of devices, in the status of claims (FK-504)."""

from __future__ import annotations

from ipaddress import IPv6Interface, ip_interface

from ...base.json_types import Json
from ...meta.addresses import ZEROS
from ...schema import fields
from ...schema.fields import go_quote
from ..validation.basics import Errors
from .bounded_collections import judge_set

MOST_ADDRESSES = 16
LIMITS_BYTES = {"interfaceName": 256, "hardwareAddress": 128}
NOT_AN_INTERFACE = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"


def network_data(value: Json, path: str) -> Errors:
    """Judge the network data of a device."""
    for name, limit in LIMITS_BYTES.items():
        if len(value.get(name, "").encode()) > limit:
            yield fields.too_long(f"{path}.{name}", limit)
    yield from judge_set(value.get("ips"), MOST_ADDRESSES, f"{path}.ips", _interface_address)


def _interface_address(text: str, path: str) -> Errors:
    address, slash, prefix = text.partition("/")
    try:
        interface = ip_interface(f"{ZEROS.sub('', address)}/{ZEROS.sub('', prefix)}")
    except ValueError:
        interface = None
    if interface is None or not (slash and prefix.isdigit()) or "%" in address:
        yield fields.invalid(path, text, NOT_AN_INTERFACE)
        return
    canonical = _canonical(interface)
    if text != canonical:
        yield fields.invalid(path, text, f"must be in canonical form ({go_quote(canonical)})")


def _canonical(interface: object) -> str:
    """Return the only way to write an address with its prefix; IPv4 within IPv6 counts as IPv4."""
    if isinstance(interface, IPv6Interface) and (inner := interface.ip.ipv4_mapped):
        return f"{inner}/{interface.network.prefixlen - 96}"
    return str(interface)
