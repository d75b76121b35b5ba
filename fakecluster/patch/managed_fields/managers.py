"""Who owns what: the entries of metadata.managedFields as values (FK-200, FK-209, FK-219)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json
from .fieldset import Fields, parsed, union

Operation = Literal["Apply", "Update"]
UPDATE_LIMIT = 10
ANCIENT = "ancient-changes"


class Undecodable(ValueError):
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
        kept = api_version if operation == "Update" else ""
        return cls(name=name, operation=operation, api_version=kept, subresource=subresource)

    @property
    def key(self) -> str:
        """What managers are sorted by in messages."""
        parts = (
            ("manager", self.name),
            ("operation", self.operation),
            ("apiVersion", self.api_version),
            ("subresource", self.subresource),
        )
        return ",".join(f'"{name}":"{value}"' for name, value in parts if value)

    def __str__(self) -> str:
        subresource = f' with subresource "{self.subresource}"' if self.subresource else ""
        return f'"{self.name}"{subresource}' + (
            f" using {self.api_version}" if self.operation == "Update" else ""
        )


class Entry(Struct, frozen=True):
    """What one manager owns, in which version, and when that last changed (RFC 3339; None when unknown)."""

    version: str
    fields: Fields
    time: str | None = None


Managers = Mapping[Manager, Entry]


def decode(entries: Iterable[Json], *, trusted: bool = True) -> Managers:
    """Return the managers of an object. Raises Undecodable; entries written here need no parsing."""
    found = {}
    for place, raw in enumerate(entries):
        manager = _manager(raw, place)
        try:
            fields = (raw.get("fieldsV1") or {}) if trusted else parsed(raw.get("fieldsV1") or {})
        except ValueError as error:
            raise Undecodable(f"error decoding set from entry {place}: {error}") from error
        found[manager] = Entry(str(raw.get("apiVersion") or ""), fields, raw.get("time"))
    return found


def _manager(raw: Json, place: int) -> Manager:
    operation: Any = raw.get("operation")
    if operation not in {"Apply", "Update"}:
        raise Undecodable(f"operation must be `Apply` or `Update`: entry {place}")
    if not raw.get("apiVersion"):
        raise Undecodable(f"apiVersion must not be empty: entry {place}")
    if raw.get("fieldsType") != "FieldsV1":
        raise Undecodable(f"missing or unknown fieldsType in managed fields entry {place}")
    return Manager.of(raw.get("manager") or "", operation, raw["apiVersion"], raw.get("subresource") or "")


def encode(managers: Managers) -> list[Json]:
    """Return the entries in stored order: operation, time, manager, version, subresource."""
    return encode_all(managers.items())


def encode_all(owners: Iterable[tuple[Manager, Entry]]) -> list[Json]:
    """Return the entries of owners, some of which may be there twice, in stored order."""
    return [_entry(manager, entry) for manager, entry in sorted(owners, key=_stored_order)]


def _stored_order(item: tuple[Manager, Entry]) -> tuple[str, ...]:
    manager, entry = item
    return manager.operation, entry.time or "", manager.name, entry.version, manager.subresource


def _entry(manager: Manager, entry: Entry) -> Json:
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


def capped(managers: Managers) -> Managers:
    """Return the managers with the oldest updates merged into one owner per version once there are too many
    (FK-209).
    """
    if len(managers) <= UPDATE_LIMIT:
        return managers
    updates = sorted(
        (one for one in managers if one.operation == "Update"),
        key=lambda one: (managers[one].time or "", one.key),
    )
    excess = len(updates) - UPDATE_LIMIT
    if excess <= 0:
        return managers
    left = dict(managers)
    first: dict[str, Manager] = {}
    for manager in updates:
        if excess <= 0:
            break
        entry = left[manager]
        older = first.setdefault(entry.version, manager)
        if older is manager:
            continue
        bucket = Manager(name=ANCIENT, operation="Update", api_version=entry.version)
        if bucket not in left:
            left[bucket] = left.pop(older)
        left[bucket] = replace(entry, fields=union(entry.fields, left[bucket].fields))
        del left[manager]
        excess -= 1
    return left
