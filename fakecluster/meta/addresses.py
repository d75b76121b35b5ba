"""Addresses that are names: there is one way to write each (FK-495)."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from ..schema.fields import go_quote

ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
NETWORK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
IPV4_MAPPED = "an IPv4-mapped IPv6 address"
LEADING_ZEROS = re.compile(r"(?<![0-9a-fA-F:])0+(?=[0-9])")
"""Zeros that begin a decimal number."""


def problems(text: str) -> list[str]:
    """Judge an address that there is one way to write, such as one that is the name of an object."""
    if worse := loose_problems(text):
        return worse
    canonical = str(ip_address(text))
    # Several spellings of one address would be several objects.
    return [] if canonical == text else [f"must be in canonical form ({go_quote(canonical)})"]


def parse(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address whose decimal numbers may begin with zeros, None for what is none."""
    try:
        return ip_address(LEADING_ZEROS.sub("", text))
    except ValueError:
        return None


def loose_problems(text: str) -> list[str]:
    """Judge an address that may be written in other ways than the canonical one."""
    address = parse(text)
    if address is None:
        return [ADDRESS]
    # Programs disagree on whether ::ffff:10.0.0.1 is 10.0.0.1, so the server takes neither side.
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return [f"must not be {IPV4_MAPPED}"]
    return ["must not have leading 0s"] if LEADING_ZEROS.search(text) else []


def network_problems(text: str) -> list[str]:
    """Judge a network: an address, a slash and a length, beyond which no bits are set."""
    address, slash, length = text.partition("/")
    try:
        network = ip_network(
            f"{LEADING_ZEROS.sub('', address)}/{LEADING_ZEROS.sub('', length)}", strict=False
        )
    except ValueError:
        return [NETWORK]
    if not slash or not (length.isascii() and length.isdigit()):
        return [NETWORK]
    if LEADING_ZEROS.search(text):
        return ["must not have leading 0s in IP or prefix length"]
    if isinstance(network, IPv6Network) and network.network_address.ipv4_mapped:
        return [f"must not have {IPV4_MAPPED}"]
    is_masked = ip_address(address) == network.network_address
    return [] if is_masked else ["must not have bits set beyond the prefix length"]


def is_network(text: str) -> bool:
    """Tell whether a text is a network: an address, a slash and a length."""
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return "/" in text
