"""How endpoints are spread over slices: as few writes as possible, at most a hundred in each (FK-462)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json

MAX_ENDPOINTS = 100
"""Endpoints of a slice."""
Key = tuple[Any, ...]


class EndpointSlice(Struct, frozen=True):
    """The endpoints of one type of addresses that listen at the same ports; a new slice has no name yet."""

    name: str
    address_type: str
    ports: list[Json]
    endpoints: list[Json]


def key_of(endpoint: Json) -> Key:
    """Return what makes two endpoints the same one."""
    return (*endpoint["addresses"], (endpoint.get("targetRef") or {}).get("uid"), endpoint.get("hostname"))


def port_key(ports: Iterable[Json]) -> Key:
    """Return what makes two lists of ports the same."""
    return tuple(
        sorted(tuple(sorted((name, str(value)) for name, value in port.items())) for port in ports or ())
    )


def repack(
    slices: Sequence[EndpointSlice],
    endpoints: Mapping[Key, Json],
    address_type: str,
    ports: list[Json],
    limit: int = MAX_ENDPOINTS,
) -> list[EndpointSlice]:
    """Return the slices of these endpoints: those there are,
    without what is over, then filled up, then new ones.
    """
    remaining = dict(endpoints)
    changed, unchanged = _split_changes(slices, remaining)
    for index in sorted(range(len(changed)), key=lambda number: -len(changed[number].endpoints)):
        changed[index] = _fill(changed[index], remaining, limit)
    while remaining:
        fullest = _to_fill(unchanged, len(remaining), limit) if len(remaining) < limit else None
        if fullest is not None:
            unchanged.remove(fullest)
        changed.append(_fill(fullest or EndpointSlice("", address_type, ports, []), remaining, limit))
    return [*unchanged, *changed]


def _split_changes(
    slices: Iterable[EndpointSlice], remaining: dict[Key, Json]
) -> tuple[list[EndpointSlice], list[EndpointSlice]]:
    """Take the endpoints that slices have out of the remaining ones;
    return the slices that changed and the others.
    """
    changed, unchanged = [], []
    for old in slices:
        keys = [key_of(endpoint) for endpoint in old.endpoints]
        endpoints = [remaining.pop(key) for key in keys if key in remaining]
        if endpoints == old.endpoints:
            unchanged.append(old)
        elif endpoints:
            changed.append(replace(old, endpoints=endpoints))
    return changed, unchanged


def _fill(old: EndpointSlice, remaining: dict[Key, Json], limit: int) -> EndpointSlice:
    keys = list(remaining)[: limit - len(old.endpoints)]
    return replace(old, endpoints=[*old.endpoints, *(remaining.pop(key) for key in keys)])


def _to_fill(slices: Iterable[EndpointSlice], number: int, limit: int) -> EndpointSlice | None:
    """Return the slice that so many more endpoints fill best."""
    fitting = [old for old in slices if 0 <= limit - number - len(old.endpoints) < limit]
    return min(fitting, key=lambda old: limit - number - len(old.endpoints), default=None)
