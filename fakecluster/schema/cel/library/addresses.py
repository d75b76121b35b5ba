"""IP addresses and CIDR ranges in rules (FK-275): strict notation, no zones, no IPv4 inside IPv6."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import netip

NO_NETWORK = "network address parse error during conversion from string: "
IP = "__ip"
CIDR = "__cidr"
Value = Mapping[str, Any]
T = TypeVar("T")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Interface | ipaddress.IPv6Interface


def _address(text: str) -> Address:
    # Go's words are asked for first, as Python's parser accepts and refuses other texts than Go's.
    if why := netip.address_problem(text):
        raise ValueError(f'IP Address "{text}" parse error during conversion from string: {why}')
    if "%" in text:
        raise ValueError(f'IP address "{text}" with zone value is not allowed')
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        # Kubernetes refuses these in rules, since readers disagree on what they mean.
        raise ValueError(f'IPv4-mapped IPv6 address "{text}" is not allowed')
    return address


def _network(text: str) -> Network:
    if why := netip.network_problem(text):
        # Twice, as one error wraps another.
        raise ValueError(f"{NO_NETWORK}{NO_NETWORK}{why}")
    # An interface keeps the host bits, which `masked` takes off.
    return ipaddress.ip_interface(text)


def _is(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def is_ip(text: str) -> bool:
    """Whether a text is an IP address."""
    return _is(_address, text)


def ip(text: str) -> dict[str, str]:
    """Parse an IP address. Raises ValueError."""
    return {IP: str(_address(text))}


def is_canonical(text: str) -> bool:
    """Whether an address is written in its shortest form. Raises ValueError when it is none."""
    return str(_address(text)) == text


def _ip(value: Value | str) -> Address:
    return _address(value if isinstance(value, str) else value[IP])


def family(value: Value) -> int:
    """Return 4 or 6."""
    return _ip(value).version


def predicate(name: str) -> Callable[[Value], bool]:
    """Return a property of addresses as a function."""
    return lambda value: bool(getattr(_ip(value), name))


def is_link_local_multicast(value: Value) -> bool:
    """224.0.0.0/24 or ff02::/16."""
    address = _ip(value)
    return address in ipaddress.ip_network("224.0.0.0/24" if address.version == 4 else "ff02::/16")


def is_link_local_unicast(value: Value) -> bool:
    """169.254.0.0/16 or fe80::/10."""
    address = _ip(value)
    return address in ipaddress.ip_network("169.254.0.0/16" if address.version == 4 else "fe80::/10")


def is_global_unicast(value: Value) -> bool:
    """Neither unspecified, loopback, multicast, link-local nor broadcast."""
    address = _ip(value)
    special = (
        address.is_unspecified or address.is_loopback or address.is_multicast or is_link_local_unicast(value)
    )
    return not special and str(address) != "255.255.255.255"


def is_cidr(text: str) -> bool:
    """Whether a text is a CIDR range."""
    return _is(_network, text)


def cidr(text: str) -> dict[str, str]:
    """Parse a CIDR range. Raises ValueError."""
    return {CIDR: str(_network(text))}


def _range(value: Value | str) -> Network:
    return _network(value if isinstance(value, str) else value[CIDR])


def _read(read: Callable[[Value | str], T], value: Value | str) -> T:
    """Read an argument; a text that is none is told as an argument of the wrong type."""
    try:
        return read(value)
    except ValueError as error:
        raise ValueError("no such overload") from error


def contains_ip(value: Value, other: Value | str) -> bool:
    """Whether an address lies in a range."""
    return _read(_ip, other) in _range(value).network


def contains_cidr(value: Value, other: Value | str) -> bool:
    """Whether a range lies in a range."""
    outer, inner = _range(value).network, _read(_range, other).network
    # Ranges of different families do not contain each other, and Python's subnet_of raises for them.
    return outer.version == inner.version and inner.subnet_of(outer)  # type: ignore[arg-type]


def address_of(value: Value) -> dict[str, str]:
    """Return the address of a range."""
    return {IP: str(_range(value).ip)}


def mask(value: Value) -> dict[str, str]:
    """Return a range whose host bits are zero."""
    return {CIDR: str(_range(value).network)}


def prefix_length(value: Value) -> int:
    """Return the number of network bits."""
    return _range(value).network.prefixlen
