"""Addresses that are names: there is one way to write each (FK-495)."""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address, ip_network

from ..schema.fields import go_quote

ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
ZEROS = re.compile(r"(?<![0-9a-fA-F:])0+(?=[0-9])")
"""Zeros that begin a decimal number."""


def problems(text: str) -> list[str]:
    """Judge an address as the name of an object: there is one way to write it."""
    try:
        found = ip_address(ZEROS.sub("", text))
    except ValueError:
        return [ADDRESS]
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return ["must not be an IPv4-mapped IPv6 address"]
    if ZEROS.search(text):
        return ["must not have leading 0s"]
    return [] if str(found) == text else [f"must be in canonical form ({go_quote(str(found))})"]


def is_network(text: str) -> bool:
    """Tell whether a text is a network: an address, a slash and a length."""
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return "/" in text
