"""Which values of two answers may differ, and what the values of one run are called in the other (F-08)."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.json_types import Json

NAMES = frozenset({"uid", "resourceVersion", "continue"})
"""Values that a server makes up and clients send back:
learned from each answer, and put into the requests that follow.
"""
ADDRESS = "serverRelativeURL"
"""Where a document of OpenAPI is; its hash is made up as well."""
PROSE_FIELDS = frozenset({"description", ADDRESS})
"""Texts that are each server's own."""
BUILD_FIELDS = frozenset({"buildDate", "gitCommit", "gitTreeState", "goVersion", "platform"})
"""What a server was built of."""
TIMES = frozenset(
    {
        "creationTimestamp",
        "deletionTimestamp",
        "time",
        "lastTransitionTime",
        "renewTime",
        "acquireTime",
        "eventTime",
    }
)
MAY_DIFFER = NAMES | TIMES | PROSE_FIELDS | BUILD_FIELDS


def pair_made_up_values(old: Json, new: Json) -> Iterator[tuple[str, str]]:
    """Yield (value of the transcript, value now) of everything that a server makes up."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() & new.keys():
            if key in NAMES and isinstance(old[key], str) and isinstance(new[key], str):
                yield old[key], new[key]
            elif key == ADDRESS and isinstance(old[key], str) and isinstance(new[key], str):
                # The hash of an OpenAPI document is in its address, and clients send it back.
                yield old[key].rpartition("hash=")[2], new[key].rpartition("hash=")[2]
            else:
                yield from pair_made_up_values(old[key], new[key])
    elif isinstance(old, list) and isinstance(new, list):
        for old_item, new_item in zip(old, new, strict=False):
            yield from pair_made_up_values(old_item, new_item)


def difference(old: Json, new: Json, path: str = "") -> str:
    """Return the first place at which two answers differ, empty when they are alike."""
    if isinstance(old, dict) and isinstance(new, dict):
        return _of_objects(old, new, path)
    if isinstance(old, list) and isinstance(new, list):
        old, new = _sort_managers(old, path), _sort_managers(new, path)
        if len(old) != len(new):
            return f"{path or '.'}: {len(old)} items were recorded, {len(new)} came"
        differences = (
            difference(old_item, new_item, f"{path}[{at}]")
            for at, (old_item, new_item) in enumerate(zip(old, new, strict=True))
        )
        return next(filter(None, differences), "")
    return "" if old == new else f"{path or '.'}: {old!r} was recorded, {new!r} came"


def _of_objects(old: Json, new: Json, path: str) -> str:
    for key in sorted(old.keys() | new.keys()):
        if key not in old or key not in new:
            return f"{path}.{key}: {'came and was not recorded' if key in new else 'was recorded and did not come'}"
        # Their presence is compared, only their value is not.
        if key in MAY_DIFFER:
            continue
        if difference_below := difference(old[key], new[key], f"{path}.{key}"):
            return difference_below
    return ""


def _sort_managers(items: list[Json], path: str) -> list[Json]:
    """Return the managers of an object by who they are:
    their order is that of their times, which may differ.
    """
    return sorted(items, key=_manager) if path.endswith(".managedFields") else items


def _manager(entry: Json) -> tuple[str, ...]:
    members = entry if isinstance(entry, dict) else {}
    return tuple(str(members.get(key, "")) for key in ("manager", "operation", "subresource", "apiVersion"))
