"""Owners of an object as owners of its Scale, and back (FK-216, FK-278).

The manager that owns the object's field for replicas owns `spec.replicas`
of the Scale. What a Scale's owners have after a write replaces what the
object's owners had of that field; the time of such an entry is not known.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...base.json_types import Json
from .fieldset import Fields, difference, intersection, of_paths
from .managers import ManagedFieldsEntry, Manager, UndecodableEntry, decode, encode_all
from .paths import field

REPLICAS: Fields = of_paths([(field("spec"), field("replicas"))])


def scale_entries(entries: list[Json], path: str, scale_version: str) -> list[Json]:
    """Return the managedFields of a Scale, given those of the
    object and the path of its field, such as `.spec.replicas`.
    """
    replicas_field = _fields(path)
    owners = [
        (manager, ManagedFieldsEntry(scale_version, REPLICAS, entry.time))
        for manager, entry in _decode_or_none(entries)
        if intersection(entry.fields, replicas_field)
    ]
    return encode_all(owners)


def object_entries(
    entries: list[Json], entries_of_scale: list[Json], path: str, api_version: str
) -> list[Json]:
    """Return the managedFields of an object after a write through its Scale."""
    replicas_field = _fields(path)
    scaling = {
        manager: entry
        for manager, entry in _decode_or_none(entries_of_scale)
        if intersection(entry.fields, REPLICAS)
    }
    owners: list[tuple[Manager, ManagedFieldsEntry]] = []
    for manager, entry in _decode_or_none(entries):
        # The manager that scales keeps its other fields in the same entry.
        if manager in scaling:
            owners.append((manager, entry))
            del scaling[manager]
            continue
        remaining = difference(entry.fields, replicas_field)
        if remaining:
            owners.append((manager, replace(entry, fields=remaining)))
    return encode_all(
        [*owners, *((manager, ManagedFieldsEntry(api_version, replicas_field)) for manager in scaling)]
    )


def _decode_or_none(entries: list[Json]) -> list[tuple[Manager, ManagedFieldsEntry]]:
    try:
        return list(decode(entries).items())
    except UndecodableEntry:
        # A stored entry that makes no sense counts as none, as everywhere (FK-219).
        return []


def _fields(path: str) -> Fields:
    return of_paths([tuple(map(field, filter(None, path.split("."))))])
