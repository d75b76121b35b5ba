"""Warnings of EndpointSlices (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from . import address_warnings

FQDN = "spec.addressType: FQDN endpoints are deprecated"
MANAGED_BY = "endpointslice.kubernetes.io/managed-by"
CONTROLLERS = frozenset({"endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"})


def endpoint_slice(new: Json, old: Json) -> list[str]:
    """Return the warnings of an EndpointSlice; addresses are looked at unless a controller keeps them."""
    deprecated = [FQDN] if old is None and new.get("addressType") == "FQDN" else []
    if (new["metadata"].get("labels") or {}).get(MANAGED_BY) in CONTROLLERS:
        return deprecated
    addresses = (
        (f"endpoints[{number}].addresses[{index}]", address)
        for number, endpoint in enumerate(new.get("endpoints") or ())
        for index, address in enumerate(endpoint.get("addresses") or ())
    )
    return [*deprecated, *address_warnings.of_addresses(addresses)]
