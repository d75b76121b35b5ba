"""What the status of a ResourceClaim says: which devices it has, and what uses it (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from ipaddress import IPv6Interface, ip_interface
from operator import methodcaller

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...meta.addresses import LEADING_ZEROS
from ...schema import fields
from ...schema.fields import FieldError, go_quote
from ..core.pod.validation.placement import node_selector
from ..validation import basics, conditions
from ..validation.basics import Errors
from . import qualified_names, requests
from .binding_conditions import binding_conditions
from .bounded_collections import duplicates, judge_list, judge_set
from .claims import MOST_CONFIGURATIONS, claim_configuration
from .configurations import raw_object

MOST_CONSUMERS = 256
MOST_RESULTS = 32
MOST_CONDITIONS = 8
SOURCES = ("FromClaim", "FromClass")
NOT_ALLOCATED = "may not be specified when `allocated` is not set"
NO_NEW_CONSUMERS = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
DEVICE_ID = ("driver", "pool", "device", "shareID")
MOST_ADDRESSES = 16
LIMITS_BYTES = {"interfaceName": 256, "hardwareAddress": 128}
NOT_AN_INTERFACE = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"
UUID_URN = "urn:uuid:"
UUID_LENGTH, UUID_LENGTH_WITHOUT_HYPHENS = 36, 32
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
UUID_WITHOUT_HYPHENS = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
UUID_NOT_NORMALIZED = (
    "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase"
    " hexadecimal characters"
)


def claim_status(new: Json, old: Json) -> list[FieldError]:
    """Judge the status of a ResourceClaim."""
    status, before = new.get("status") or {}, old.get("status") or {}
    deleted = "deletionTimestamp" in new["metadata"]
    names = requests.request_names((new["spec"].get("devices") or {}).get("requests") or [])
    consumers, path = status.get("reservedFor"), "status.reservedFor"
    return [
        *judge_set(consumers, MOST_CONSUMERS, path, _consumer, methodcaller("get", "uid", "")),
        *_device_statuses(status),
        *_reservation(status, before, deleted),
        *_allocation(status.get("allocation"), before.get("allocation"), names),
    ]


def without_deallocated(new: Json, old: Json) -> Json:
    """Return a ResourceClaim without the statuses of devices that are no longer allocated."""
    lost = _device_ids(old.get("status") or {}) - _device_ids(new.get("status") or {})
    devices = new.get("status", {}).get("devices") or []
    remaining = [device for device in devices if _device_id(device) not in lost]
    if len(remaining) == len(devices):
        return new
    status = {name: value for name, value in new["status"].items() if name != "devices"}
    return {**new, "status": {**status, "devices": remaining} if remaining else status}


def _device_ids(status: Json) -> set[tuple[str, ...]]:
    devices = (status.get("allocation") or {}).get("devices") or {}
    return {_device_id(result) for result in devices.get("results") or ()}


def _device_id(value: Json) -> tuple[str, ...]:
    return tuple(value.get(name) or "" for name in DEVICE_ID)


def _go_device_id(value: Json) -> Json:
    """Return what identifies a device by the names of the Go fields, as messages show it."""
    return {name[0].upper() + name[1:]: value.get(name) or "" for name in DEVICE_ID}


def _consumer(value: Json, path: str) -> Errors:
    for name in ("resource", "name", "uid"):
        if not value.get(name):
            yield fields.required(f"{path}.{name}")


def _keys(consumers: list[Json]) -> set[tuple[tuple[str, str], ...]]:
    return {tuple(sorted(consumer.items())) for consumer in consumers}


def _reservation(status: Json, before: Json, deleted: bool) -> Errors:
    consumers = status.get("reservedFor") or []
    if consumers and status.get("allocation") is None:
        yield fields.forbidden("status.reservedFor", NOT_ALLOCATED)
    elif deleted and not _keys(consumers) <= _keys(before.get("reservedFor") or []):
        yield fields.forbidden("status.reservedFor", NO_NEW_CONSUMERS)


def _device_statuses(status: Json) -> Errors:
    devices, path = status.get("devices") or [], "status.devices"
    judge = partial(_device_status, allocated=_device_ids(status))
    yield from judge_list(devices, len(devices), path, judge)
    yield from duplicates(devices, path, _device_id, _go_device_id)


def _device_status(value: Json, path: str, allocated: Collection[tuple[str, ...]]) -> Errors:
    yield from _device_name(value, path)
    yield from share_id(value.get("shareID"), f"{path}.shareID")
    if _device_id(value) not in allocated:
        yield fields.invalid(path, _go_device_id(value), "must be an allocated device in the claim")
    values = value.get("conditions") or []
    if len(values) > MOST_CONDITIONS:
        yield fields.too_many(f"{path}.conditions", len(values), MOST_CONDITIONS)
    yield from conditions.full(values, f"{path}.conditions")
    if value.get("data") is not None:
        yield from raw_object(value["data"], f"{path}.data")
    yield from network_data(value.get("networkData") or {}, f"{path}.networkData")


def _device_name(value: Json, path: str) -> Errors:
    yield from qualified_names.driver(value.get("driver", ""), f"{path}.driver")
    yield from qualified_names.pool(value.get("pool", ""), f"{path}.pool")
    yield from qualified_names.label(value.get("device", ""), f"{path}.device")


def _allocation(new: Json, old: Json, names: Collection[str]) -> Errors:
    path = "status.allocation"
    if new is None:
        return
    if old is not None:
        if new != old:
            value = to_go_struct("resource.v1.AllocationResult", new)
            yield fields.invalid(path, value, "field is immutable")
        return
    devices = new.get("devices") or {}
    judge = partial(_result, names=names)
    yield from judge_list(devices.get("results"), MOST_RESULTS, f"{path}.devices.results", judge)
    judge = partial(_configuration, names=names)
    yield from judge_list(devices.get("config"), 2 * MOST_CONFIGURATIONS, f"{path}.devices.config", judge)
    if new.get("nodeSelector") is not None:
        yield from node_selector(new["nodeSelector"], f"{path}.nodeSelector")


def _result(value: Json, path: str, names: Collection[str]) -> Errors:
    yield from requests.reference(value.get("request", ""), f"{path}.request", names)
    yield from _device_name(value, path)
    yield from binding_conditions(value, path)
    yield from share_id(value.get("shareID"), f"{path}.shareID")


def _configuration(value: Json, path: str, names: Collection[str]) -> Errors:
    yield from basics.choice(value.get("source"), f"{path}.source", SOURCES)
    yield from claim_configuration(value, path, names)


def network_data(value: Json, path: str) -> Errors:
    """Judge the network data of a device."""
    for name, limit in LIMITS_BYTES.items():
        if len(value.get(name, "").encode()) > limit:
            yield fields.too_long(f"{path}.{name}", limit)
    yield from judge_set(value.get("ips"), MOST_ADDRESSES, f"{path}.ips", _interface_address)


def _interface_address(text: str, path: str) -> Errors:
    address, slash, prefix = text.partition("/")
    try:
        interface = ip_interface(f"{LEADING_ZEROS.sub('', address)}/{LEADING_ZEROS.sub('', prefix)}")
    except ValueError:
        interface = None
    if interface is None or not (slash and prefix.isdigit()) or "%" in address:
        yield fields.invalid(path, text, NOT_AN_INTERFACE)
        return
    canonical = _canonical(interface)
    if text != canonical:
        yield fields.invalid(path, text, f"must be in canonical form ({go_quote(canonical)})")


def _canonical(interface: object) -> str:
    """Return the only way to write an address with its prefix; IPv4 within IPv6 counts as IPv4."""
    if isinstance(interface, IPv6Interface) and (inner := interface.ip.ipv4_mapped):
        return f"{inner}/{interface.network.prefixlen - 96}"
    return str(interface)


def share_id(uid: str | None, path: str) -> Errors:
    """Judge the UID of a share, if there is any."""
    if uid is None:
        return
    if problem := _problem(uid):
        yield fields.invalid(path, uid, f"error validating uid: {problem}")
    elif len(uid) != UUID_LENGTH or uid != uid.lower():
        yield fields.invalid(path, uid, UUID_NOT_NORMALIZED)


def _problem(uid: str) -> str:
    """Return why a text is a UUID in none of the forms that Go's library reads."""
    size = len(uid.encode())
    if size == UUID_LENGTH + len(UUID_URN):
        if uid[: len(UUID_URN)].lower() != UUID_URN:
            return f"invalid urn prefix: {go_quote(uid[: len(UUID_URN)])}"
        uid = uid[len(UUID_URN) :]
    elif size == UUID_LENGTH + len("{}"):
        if uid[0] != "{" or uid[-1] != "}":
            return "invalid bracketed UUID format"
        uid = uid[1:-1]
    elif size not in {UUID_LENGTH, UUID_LENGTH_WITHOUT_HYPHENS}:
        return f"invalid UUID length: {size}"
    return "" if UUID.fullmatch(uid) or UUID_WITHOUT_HYPHENS.fullmatch(uid) else "invalid UUID format"
