"""EndpointSlice, the kind of `discovery.k8s.io` (FK-462)."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address

from ..api.kind import Kind
from ..base.json_types import Json
from ..codec.cells import AGE, UNSET, column, few, member
from ..meta import labels
from ..schema import fields
from ..schema.fields import FieldError
from .default_rules import Defaulter, constants
from .row import row
from .validation import basics, endpoint_warnings
from .validation.addresses import PROTOCOLS, app_protocol, canonical_address, not_special
from .validation.basics import Errors
from .validation.duplicates import repeats


def without_topology(obj: Json) -> Json:
    """Return a slice whose endpoints say nothing in the deprecated map."""
    endpoints = [
        {name: value for name, value in endpoint.items() if name != "deprecatedTopology"}
        for endpoint in obj.get("endpoints") or ()
    ]
    return {**obj, "endpoints": endpoints} if endpoints else obj


def keep_topology(new: Json, old: Json) -> Json:
    """Return an update that says nothing there either, unless its endpoints are those of before."""
    return new if new.get("endpoints") == old.get("endpoints") else without_topology(new)


TYPES = ("FQDN", "IPv4", "IPv6")
VERSIONS = {4: "IPv4", 6: "IPv6"}
MOST_HINTS = 8
HINTS: tuple[tuple[str, basics.Problems], ...] = (
    ("forZones", labels.value_problems),
    ("forNodes", basics.dns_subdomain),
)
MOST_ENDPOINTS, MOST_ADDRESSES, MOST_PORTS = 1000, 100, 20_000


def endpoint_slice(obj: Json) -> list[FieldError]:
    """Judge an EndpointSlice."""
    kind, endpoints, ports = obj.get("addressType", ""), obj.get("endpoints") or [], obj.get("ports") or []
    crowded = (
        [fields.too_many("endpoints", len(endpoints), MOST_ENDPOINTS)]
        if len(endpoints) > MOST_ENDPOINTS
        else []
    )
    opened = [fields.too_many("ports", len(ports), MOST_PORTS)] if len(ports) > MOST_PORTS else []
    return [
        *basics.choice(kind, "addressType", TYPES),
        *(
            crowded
            or (
                error
                for n, endpoint in enumerate(endpoints)
                for error in _endpoint(endpoint, kind, f"endpoints[{n}]")
            )
        ),
        *(opened or _ports(ports)),
    ]


def same_type(new: Json, old: Json) -> list[FieldError]:
    """Judge that an EndpointSlice keeps the type of its addresses."""
    return list(basics.immutable(new.get("addressType"), old.get("addressType"), "addressType"))


def _endpoint(endpoint: Json, kind: str, path: str) -> Errors:
    addresses = endpoint.get("addresses") or []
    if not addresses:
        yield fields.required(f"{path}.addresses", "must contain at least 1 address")
    elif len(addresses) > MOST_ADDRESSES:
        yield fields.too_many(f"{path}.addresses", len(addresses), MOST_ADDRESSES)
    for number, address in enumerate(addresses if kind in TYPES else ()):
        yield from _address(address, kind, f"{path}.addresses", number)
    yield from basics.nonempty_name(endpoint.get("nodeName"), f"{path}.nodeName", basics.dns_subdomain)
    yield from basics.nonempty_name(endpoint.get("hostname"), f"{path}.hostname", basics.dns_label)
    for name, problems in HINTS:
        yield from _hints((endpoint.get("hints") or {}).get(name) or [], f"{path}.hints.{name}", problems)


def _hints(hints: list[Json], path: str, problems: basics.Problems) -> Errors:
    names = [hint.get("name", "") for hint in hints]
    if len(names) > MOST_HINTS:
        yield fields.too_many(path, len(names), MOST_HINTS)
        return
    repeated = repeats(names)
    for number, name in enumerate(names):
        if number in repeated:
            yield fields.duplicate(f"{path}[{number}].name", name)
        yield from basics.nonempty_name(name, f"{path}[{number}].name", problems)


def _address(address: str, kind: str, path: str, number: int) -> Errors:
    item_path = f"{path}[{number}]"
    if kind == "FQDN":
        yield from basics.optional_name(address or " ", item_path, basics.dns_subdomain)
    elif errors := list(canonical_address(address, item_path)):
        yield from errors
    else:
        if VERSIONS[ip_address(address).version] != kind:
            yield fields.invalid(path, address, f"must be an {kind} address")
        yield from not_special(address, item_path)


def _ports(ports: list[Json]) -> Errors:
    names: set[str] = set()
    for number, port in enumerate(ports):
        path, name = f"ports[{number}]", port.get("name") or ""
        yield from basics.optional_name(name, f"{path}.name", basics.dns_label)
        if name in names:
            yield fields.duplicate(f"{path}.name", name)
        names.add(name)
        yield from basics.optional_choice(port.get("protocol"), f"{path}.protocol", PROTOCOLS)
        yield from app_protocol(port, path)


def _slice_ports(endpoint_slice: Json) -> str:
    ports = [str(port["port"]) if "port" in port else "*" for port in endpoint_slice.get("ports") or ()]
    return few(ports, UNSET)


def _endpoints(endpoint_slice: Json) -> str:
    return few(
        [
            text
            for endpoint in endpoint_slice.get("endpoints") or ()
            for text in endpoint.get("addresses") or ()
        ],
        UNSET,
    )


ENDPOINT_SLICE = (
    column("AddressType", member("addressType")),
    column("Ports", _slice_ports),
    column("Endpoints", _endpoints),
    AGE,
)
DEFAULTS: Mapping[str, Defaulter] = {
    "discovery.v1.EndpointPort": constants(name="", protocol="TCP"),
}
KINDS: tuple[Kind, ...] = (
    row(
        "discovery.v1.EndpointSlice",
        "endpointslices",
        warnings=endpoint_warnings.endpoint_slice,
        generation="all",
        generation_of="labels",
        prepare=without_topology,
        prepare_update=keep_topology,
        validate=endpoint_slice,
        validate_update=same_type,
        columns=ENDPOINT_SLICE,
    ),
)
