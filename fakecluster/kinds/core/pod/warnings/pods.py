"""The warnings of a Pod (FK-236)."""

from __future__ import annotations

from .....base.json_types import Json
from ....validation import address_warnings
from .names import of_name
from .pod_spec import of_pod

HOSTNAME = "the Pod's hostname"


def warnings(new: Json, old: Json) -> list[str]:
    """Return the warnings of a new Pod; updates give none."""
    return [] if old is not None else [*of_name(new, HOSTNAME), *of_pod(new["metadata"], new["spec"], "")]


def status_warnings(new: Json, old: Json) -> list[str]:
    """Return the warnings of the addresses in a status."""
    del old
    addresses = [
        (f"status.{member}[{number}].ip", address.get("ip", ""))
        for member in ("podIPs", "hostIPs")
        for number, address in enumerate((new.get("status") or {}).get(member) or ())
    ]
    return list(address_warnings.of_addresses(addresses))
