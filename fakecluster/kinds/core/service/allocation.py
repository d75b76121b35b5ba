"""What a new Service cannot be given (FK-498)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, ip_address

from ....api import status
from ....api.admission import Review
from ....base.json_types import Json
from ....schema import fields
from ....schema.fields import FieldError
from ....store import Store
from ...validation.basics import Errors
from . import allocators, validation

NONE = "None"
ADDRESS_OUT_OF_RANGE = "failed to allocate IP {}: the provided network does not match the current range"
TRIED_OUTSIDE = f"failed to allocate IP {{0}}: the provided IP ({{0}}) is not in the valid range. The range of valid IPs is {allocators.SERVICE_NETWORK}"
ADDRESS_TAKEN = "failed to allocate IP {}: provided IP is already allocated"
FIRST_AND_LAST = (allocators.SERVICE_NETWORK.network_address, allocators.SERVICE_NETWORK.broadcast_address)
OF_THE_SERVER = str(allocators.SERVICE_NETWORK[1])
SERVICES = ("", "services")


def check(obj: Json) -> list[FieldError]:
    """Judge the address and the node ports that a new Service asks for."""
    if _asks_nothing(obj):
        return []
    return list(_address(obj["spec"], FIRST_AND_LAST, ADDRESS_OUT_OF_RANGE)) or list(
        allocators.in_range(obj["spec"], {})
    )


def check_dry_run(obj: Json) -> list[FieldError]:
    """Judge the address that a Service asks for which is only tried (FK-230)."""
    if _asks_nothing(obj):
        return []
    return list(_address(obj["spec"], (), TRIED_OUTSIDE))


def _asks_nothing(obj: Json) -> bool:
    """Whether a Service has no address, or is wrong by itself."""
    return obj["spec"].get("type") == "ExternalName" or bool(validation.judge_new(obj))


def check_free(store: Store, review: Review) -> None:
    """Check that the cluster IP and the node ports of a Service are free. Raises 422."""
    new = review.new
    if new is None or new["spec"].get("type") == "ExternalName":
        return
    before = (review.old or {}).get("spec") or {}
    errors = []
    if not review.dry_run:
        errors = [*_same_address(store, new, before), *allocators.in_range(new["spec"], before)]
    errors = errors or list(_same_ports(store, new, before))
    if errors:
        raise status.invalid_object(review.kind, review.display_name, errors)


def _others(store: Store, new: Json) -> Iterator[Json]:
    return (stored.object["spec"] for stored in store.list(SERVICES) if stored.uid != new["metadata"]["uid"])


def _same_address(store: Store, new: Json, before: Json) -> Errors:
    address = new["spec"].get("clusterIP") or NONE
    if address in {
        NONE,
        before.get("clusterIP"),
        allocators.AllocatorByUid(new["metadata"]["uid"]).address(),
    }:
        return
    if address == OF_THE_SERVER or any(spec.get("clusterIP") == address for spec in _others(store, new)):
        yield fields.invalid("spec.clusterIPs", new["spec"].get("clusterIPs"), ADDRESS_TAKEN.format(address))


def _same_ports(store: Store, new: Json, before: Json) -> Errors:
    """Yield node ports that others have, or that an earlier port of another number has."""
    allocator, had = (
        allocators.AllocatorByUid(new["metadata"]["uid"]),
        {port_spec.get("nodePort") for port_spec in before.get("ports") or ()},
    )
    own: dict[int, int] = {}
    for number, port_spec in enumerate(new["spec"].get("ports") or ()):
        port = port_spec.get("nodePort")
        if not port or port in had or allocator.has_allocated(port_spec):
            continue
        if own.setdefault(port, port_spec.get("port", 0)) != port_spec.get("port", 0) or _is_open(
            store, new, port
        ):
            yield fields.invalid(f"spec.ports[{number}].nodePort", port, "provided port is already allocated")


def _is_open(store: Store, new: Json, port: int) -> bool:
    return any(
        port == mine.get("nodePort") for spec in _others(store, new) for mine in spec.get("ports") or ()
    )


def _address(spec: Json, reserved: Sequence[IPv4Address], why: str) -> Errors:
    address = spec.get("clusterIP") or NONE
    if address != NONE and (
        ip_address(address) not in allocators.SERVICE_NETWORK or ip_address(address) in reserved
    ):
        yield fields.invalid("spec.clusterIPs", spec.get("clusterIPs"), why.format(address))
