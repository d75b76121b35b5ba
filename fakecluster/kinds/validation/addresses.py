"""Addresses that may be published, and the protocols of their ports (FK-462)."""

from __future__ import annotations

from ipaddress import ip_address

from ...base.json_types import Json
from ...meta.addresses import loose_problems, network_problems, parse, problems
from ...schema import fields
from . import basics
from .basics import Errors

PROTOCOLS = ("SCTP", "TCP", "UDP")


def app_protocol(port: Json, path: str) -> Errors:
    """Judge the application protocol of a port."""
    if port.get("appProtocol") is not None:
        yield from basics.label_key(port["appProtocol"], f"{path}.appProtocol")


def address(text: str, path: str) -> Errors:
    """Judge an IP address that may be written in several ways."""
    for problem in loose_problems(text):
        yield fields.invalid(path, text, problem)


def canonical_address(text: str, path: str) -> Errors:
    """Judge an IP address that there is one way to write."""
    for problem in problems(text):
        yield fields.invalid(path, text, problem)


def network(text: str, path: str) -> Errors:
    """Judge a network."""
    for problem in network_problems(text):
        yield fields.invalid(path, text, problem)


def is_address(text: str) -> bool:
    """Tell whether a text is an IP address."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def not_special(text: str, path: str) -> Errors:
    """Judge that an address is one that others can reach."""
    address = parse(text)
    if address is None:
        yield fields.invalid(path, text, "must be a valid IP address")
        return
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
