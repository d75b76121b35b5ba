"""Ranges that Services get addresses from, and the addresses that are in use (FK-495)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_interface

from ...base.json_types import Json
from ...meta import names
from ...meta.addresses import LEADING_ZEROS, network_problems
from ...schema import fields
from ...schema.fields import FieldError, go_quote
from ..validation import basics
from ..validation.basics import Errors

RANGES, PARENT_PATH = "spec.cidrs", "spec.parentRef"
ONE_EACH = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"


def ranges(obj: Json) -> list[FieldError]:
    """Judge a ServiceCIDR."""
    cidrs = (obj.get("spec") or {}).get("cidrs") or []
    if not cidrs:
        return [fields.required(RANGES, "at least one CIDR required")]
    if len(cidrs) > 2:
        return [fields.invalid(RANGES, {"CIDRs": cidrs}, "may only hold up to 2 values")]
    errors = [
        fields.invalid(f"{RANGES}[{number}]", cidr, why)
        for number, cidr in enumerate(cidrs)
        if (why := _range_problem(cidr))
    ]
    return [*errors, *([fields.invalid(RANGES, cidrs, ONE_EACH)] if _alike(cidrs) else [])]


def judge_ranges_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update: a range of the other family may be added, nothing else."""
    new, old = (obj["spec"].get("cidrs") for obj in (after, before))
    added = len(old or ()) == 1 and len(new or ()) == 2
    if len(new or ()) != len(old or ()) and not added:
        return [fields.invalid(RANGES, new, "field is immutable")]
    pairs = enumerate(zip(new or (), old or (), strict=False))
    changes = [error for number, pair in pairs for error in basics.immutable(*pair, f"{RANGES}[{number}]")]
    return [*changes, *(ranges(after) if added else [])]


def address(obj: Json) -> list[FieldError]:
    """Judge an IPAddress."""
    return list(_parent((obj.get("spec") or {}).get("parentRef")))


def same_parent(new: Json, old: Json) -> list[FieldError]:
    """Judge an update: an address stays with whom it was given to."""
    before, after = (address["spec"].get("parentRef") for address in (old, new))
    if before == after:
        return []
    members = ("Group", "Resource", "Namespace", "Name")
    go_reference = None if after is None else {name: after.get(name.lower(), "") for name in members}
    return [fields.invalid(PARENT_PATH, go_reference, "field is immutable")]


def _parent(parent: Json) -> Errors:
    if parent is None:
        yield fields.required(PARENT_PATH)
        return
    yield from basics.optional_name(parent.get("group"), f"{PARENT_PATH}.group", names.subdomain_problems)
    yield from basics.judge_name(parent.get("resource", ""), f"{PARENT_PATH}.resource", names.path_problems)
    yield from basics.judge_name(parent.get("name", ""), f"{PARENT_PATH}.name", names.path_problems)
    yield from basics.optional_name(parent.get("namespace"), f"{PARENT_PATH}.namespace", names.path_problems)


def _alike(ranges_: list[str]) -> bool:
    """Whether two ranges are of one family, however they are written."""
    try:
        families = [_family(ip_interface(LEADING_ZEROS.sub("", cidr)).ip) for cidr in ranges_]
    except ValueError:
        return False
    return len(families) == 2 and families[0] == families[1]


def _family(address: IPv4Address | IPv6Address) -> int:
    mapped = isinstance(address, IPv6Address) and address.ipv4_mapped
    return 4 if mapped else address.version


def _range_problem(text: str) -> str:
    if problems := network_problems(text):
        return problems[0]
    canonical = str(ip_interface(text))
    return "" if canonical == text else f"must be in canonical form ({go_quote(canonical)})"
