"""How a pod finds others: DNS configuration and host aliases (FK-504)."""

from __future__ import annotations

import re

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.addresses import address
from ....validation.basics import Errors

SEARCH_PATTERN = r"_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*"
SEARCH = re.compile(SEARCH_PATTERN)
SEARCH_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end "
    f"with an alphanumeric character (e.g. 'example.com', regex used for validation is '{SEARCH_PATTERN}')"
)
MOST_SERVERS, MOST_SEARCHES, LONGEST_SEARCH = 3, 32, 2048


def resolution(spec: Json, path: str) -> Errors:
    """Judge a pod's DNS configuration."""
    config = spec.get("dnsConfig")
    if spec.get("dnsPolicy") == "None":
        # With the policy None there is nothing else to take name servers from, so nothing further is judged.
        if config is None:
            yield fields.required(path, "must provide `dnsConfig` when `dnsPolicy` is None")
            return
        if not config.get("nameservers"):
            why = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield fields.required(f"{path}.nameservers", why)
            return
    if config is not None:
        yield from _servers(config.get("nameservers") or [], f"{path}.nameservers")
        yield from _searches(config.get("searches") or [], f"{path}.searches")
        for number, option in enumerate(config.get("options") or ()):
            if not option.get("name"):
                yield fields.required(f"{path}.options[{number}]", "must not be empty")


def _servers(servers: list[str], path: str) -> Errors:
    if len(servers) > MOST_SERVERS:
        yield fields.invalid(path, servers, f"must not have more than {MOST_SERVERS} nameservers")
    for number, server in enumerate(servers):
        yield from address(server, f"{path}[{number}]")


def _searches(domains: list[str], path: str) -> Errors:
    if len(domains) > MOST_SEARCHES:
        yield fields.invalid(path, domains, f"must not have more than {MOST_SEARCHES} search paths")
    # The limit counts the spaces between the domains.
    if len(" ".join(domains)) > LONGEST_SEARCH:
        why = f"must not have more than {LONGEST_SEARCH} characters (including spaces) in the search list"
        yield fields.invalid(path, domains, why)
    for number, domain in enumerate(domains):
        # A dot at the end is allowed, and the root alone.
        plain = domain.removesuffix(".")
        if domain != "." and not SEARCH.fullmatch(plain):
            yield fields.invalid(f"{path}[{number}]", plain, SEARCH_TEXT)


def aliases(host_aliases: list[Json], path: str) -> Errors:
    """Judge the entries for a pod's hosts file."""
    for number, alias in enumerate(host_aliases):
        yield from address(alias.get("ip", ""), f"{path}[{number}].ip")
        for index, name in enumerate(alias.get("hostnames") or ()):
            where = f"{path}[{number}].hostnames[{index}]"
            yield from basics.nonempty_name(name, where, basics.dns_subdomain)
