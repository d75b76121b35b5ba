"""Warnings of addresses in odd notation (FK-236)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address

from ...base.json_types import Json
from ...meta.addresses import parse
from ...schema.fields import go_quote

NON_STANDARD = "non-standard IP address {} is invalid: use {}"
NOT_CANONICAL = "IPv6 address {} should be in RFC 5952 canonical format ({})"


def of_addresses(addresses: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the warnings of addresses with their paths; texts that are no address are skipped."""
    for path, text in addresses:
        if doubt := _warning(text):
            yield f"{path}: {doubt}"


@lru_cache(maxsize=1024)
def _warning(text: str) -> str:
    """Return the warning of an address, empty for none; cached, for statuses are written often."""
    address = parse(text)
    if address is None:
        return ""
    plain = (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address
    if plain is not address or (isinstance(address, IPv4Address) and str(address) != text):
        return NON_STANDARD.format(go_quote(text), go_quote(str(plain)))
    return NOT_CANONICAL.format(go_quote(text), go_quote(str(address))) if str(address) != text else ""


def of_balancer(new: Json, old: Json) -> list[str]:
    """Return the warnings of the addresses that a balancer has, in the status of a Service or an Ingress."""
    del old
    points = ((new.get("status") or {}).get("loadBalancer") or {}).get("ingress") or ()
    path = "status.loadBalancer.ingress"
    return list(
        of_addresses((f"{path}[{number}]", point.get("ip", "")) for number, point in enumerate(points))
    )
