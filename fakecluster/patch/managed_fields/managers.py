"""Who owns what: the entries of metadata.managedFields as values (FK-200, FK-209, FK-219)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json
from .fieldset import Fields, parse, union

Operation = Literal["Apply", "Update"]
# The real server's default; applies are never merged.
UPDATE_LIMIT = 10
ANCIENT_CHANGES = "ancient-changes"


class UndecodableEntry(ValueError):
    """An entry of managedFields that makes no sense; the text says why."""


class Manager(Struct, frozen=True, kw_only=True):
    """The identity of an owner: the API version counts for updates only."""

    name: str
    operation: Operation
    api_version: str = ""
    subresource: str = ""

    @classmethod
    def of(cls, name: str, operation: Operation, api_version: str, subresource: str) -> Manager:
        """Return the identity under which a request with these properties owns fields."""
        counted_version = api_version if operation == "Update" else ""
        return cls(name=name, operation=operation, api_version=counted_version, subresource=subresource)

    @property
    def key(self) -> str:
        """What managers are sorted by in messages."""
        properties = (
            ("manager", self.name),
            ("operation", self.operation),
            ("apiVersion", self.api_version),
            ("subresource", self.subresource),
        )
        return ",".join(f'"{name}":"{value}"' for name, value in properties if value)

    def __str__(self) -> str:
        subresource = f' with subresource "{self.subresource}"' if self.subresource else ""
        return f'"{self.name}"{subresource}' + (
            f" using {self.api_version}" if self.operation == "Update" else ""
        )


class ManagedFieldsEntry(Struct, frozen=True):
    """What one manager owns, in which version, and when that last changed (RFC 3339; None when unknown)."""

    version: str
    fields: Fields
    time: str | None = None


Managers = Mapping[Manager, ManagedFieldsEntry]


def decode(entries: Iterable[Json], *, trusted: bool = True) -> Managers:
    """Return the managers of an object. Raises UndecodableEntry; entries written here need no parsing."""
    managers = {}
    for index, raw in enumerate(entries):
        manager = _manager(raw, index)
        try:
            fields = (raw.get("fieldsV1") or {}) if trusted else parse(raw.get("fieldsV1") or {})
        except ValueError as error:
            raise UndecodableEntry(f"error decoding set from entry {index}: {error}") from error
        managers[manager] = ManagedFieldsEntry(str(raw.get("apiVersion") or ""), fields, raw.get("time"))
    return managers


def _manager(raw: Json, index: int) -> Manager:
    operation: Any = raw.get("operation")
    if operation not in {"Apply", "Update"}:
        raise UndecodableEntry(f"operation must be `Apply` or `Update`: entry {index}")
    if not raw.get("apiVersion"):
        raise UndecodableEntry(f"apiVersion must not be empty: entry {index}")
    if raw.get("fieldsType") != "FieldsV1":
        raise UndecodableEntry(f"missing or unknown fieldsType in managed fields entry {index}")
    return Manager.of(raw.get("manager") or "", operation, raw["apiVersion"], raw.get("subresource") or "")


def encode(managers: Managers) -> list[Json]:
    """Return the entries in stored order: operation, time, manager, version, subresource."""
    return encode_all(managers.items())


def encode_all(owners: Iterable[tuple[Manager, ManagedFieldsEntry]]) -> list[Json]:
    """Return the entries of owners, some of which may be there twice, in stored order."""
    return [_entry(manager, entry) for manager, entry in sorted(owners, key=_stored_order)]


def _stored_order(item: tuple[Manager, ManagedFieldsEntry]) -> tuple[str, ...]:
    manager, entry = item
    # The order of the real server's entries, which clients show; managers without a time come first.
    return manager.operation, entry.time or "", manager.name, entry.version, manager.subresource


def _entry(manager: Manager, entry: ManagedFieldsEntry) -> Json:
    raw = {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": entry.version,
        "time": entry.time,
        "fieldsType": "FieldsV1",
        "fieldsV1": entry.fields,
        "subresource": manager.subresource,
    }
    return {name: value for name, value in raw.items() if name == "fieldsV1" or value}


def cap_updates(managers: Managers) -> Managers:
    """Return the managers with the oldest updates merged into
    one owner per version once there are too many (FK-209).
    """
    if len(managers) <= UPDATE_LIMIT:
        return managers
    updates = sorted(
        (manager for manager in managers if manager.operation == "Update"),
        key=lambda manager: (managers[manager].time or "", manager.key),
    )
    excess = len(updates) - UPDATE_LIMIT
    if excess <= 0:
        return managers
    remaining = dict(managers)
    first: dict[str, Manager] = {}
    for manager in updates:
        if excess <= 0:
            break
        entry = remaining[manager]
        older = first.setdefault(entry.version, manager)
        if older is manager:
            continue
        bucket = Manager(name=ANCIENT_CHANGES, operation="Update", api_version=entry.version)
        # The oldest entry of a version becomes the bucket itself, once there is a second one to go into it.
        if bucket not in remaining:
            remaining[bucket] = remaining.pop(older)
        remaining[bucket] = replace(entry, fields=union(entry.fields, remaining[bucket].fields))
        del remaining[manager]
        excess -= 1
    return remaining


def entries_of(obj: Json) -> list[Json]:
    """Return an object's managedFields."""
    entries: list[Json] = obj.get("metadata", {}).get("managedFields") or []
    return entries


def with_managers(obj: Json, managers: Managers) -> Json:
    """Return the object with these managers in its metadata."""
    metadata = {name: value for name, value in obj.get("metadata", {}).items() if name != "managedFields"}
    entries = encode(managers)
    return {**obj, "metadata": {**metadata, "managedFields": entries} if entries else metadata}


def with_old_times(new: Json, old: Json) -> Json:
    """Return the new object, with the old entries' times
    when nothing but those would change (FK-211, FK-212).
    """
    before, after = entries_of(old), entries_of(new)
    if before == after or [_timeless(entry) for entry in before] != [_timeless(entry) for entry in after]:
        return new
    with_old_entries = {**new, "metadata": {**new["metadata"], "managedFields": before}}
    return old if with_old_entries == old else new


def _timeless(entry: Json) -> Json:
    return {name: value for name, value in entry.items() if name != "time"}
