"""Owners of an object as owners of its Scale, and back (FK-216, FK-278).

The manager that owns the object's field for replicas owns `spec.replicas` of the Scale. What a Scale's owners
have after a write replaces what the object's owners had of that field; the time of such an entry is not
known.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...base.json_types import Json
from .fieldset import Fields, difference, intersection, of_paths
from .managers import Entry, Manager, Undecodable, decode, encode_all
from .paths import field

REPLICAS: Fields = of_paths([(field("spec"), field("replicas"))])


def seen(entries: list[Json], path: str, scale_version: str) -> list[Json]:
    """Return the managedFields of a Scale, given those of the object and the path of its field, such as
    `.spec.replicas`.
    """
    wanted = _fields(path)
    owners = [
        (one, Entry(scale_version, REPLICAS, entry.time))
        for one, entry in _decoded(entries)
        if intersection(entry.fields, wanted)
    ]
    return encode_all(owners)


def written(entries: list[Json], scale_entries: list[Json], path: str, api_version: str) -> list[Json]:
    """Return the managedFields of an object after a write through its Scale."""
    wanted = _fields(path)
    scaling = {one: entry for one, entry in _decoded(scale_entries) if intersection(entry.fields, REPLICAS)}
    kept: list[tuple[Manager, Entry]] = []
    for manager, entry in _decoded(entries):
        if manager in scaling:
            kept.append((manager, entry))
            del scaling[manager]
            continue
        left = difference(entry.fields, wanted)
        if left:
            kept.append((manager, replace(entry, fields=left)))
    return encode_all([*kept, *((manager, Entry(api_version, wanted)) for manager in scaling)])


def _decoded(entries: list[Json]) -> list[tuple[Manager, Entry]]:
    try:
        return list(decode(entries).items())
    except Undecodable:
        return []


def _fields(path: str) -> Fields:
    return of_paths([tuple(map(field, filter(None, path.split("."))))])
