"""The author of a change, guessed from managedFields: an approximation, since a watch event names no user.

A write that changes something stamps its manager's entry with the time, in whole seconds. Of two managers
within one second the author is the one whose fields have new values; where that tells nothing either, the
author is unknown, and the change is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from ..base.json_types import Json
from ..base.numbers import moment

_Key: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Author:
    """A field manager, the subresource that it wrote,
    and the server's time of the write; an empty name is an unknown author.
    """

    manager: str
    subresource: str = ""
    at: float = 0.0


UNKNOWN_AUTHOR = Author("")


def author(before: Json | None, after: Json) -> Author:
    """Return the author of an object's newest change."""
    old, new = _entries(before or {}), _entries(after)
    # managedFields have whole seconds: a second write of one manager within a second shows no new
    # time.
    fresh = [key for key, entry in new.items() if entry.get("time") != old.get(key, {}).get("time")]
    # Without a new time, the managers whose sets of fields changed; without those, all.
    candidates = fresh or [key for key in new if new[key] != old.get(key)] or list(new)
    newest = max((str(new[key].get("time", "")) for key in candidates), default="")
    newest_keys = [key for key in candidates if new[key].get("time", "") == newest]
    if len(newest_keys) > 1:
        # A write by force takes fields out of another manager's set: that changes without a write
        # of its own.
        newest_keys = [key for key in newest_keys if _has_new_values(new[key], before or {}, after)]
    # A wrong author would be a wrong verdict; none is only a change that is not judged.
    if len(newest_keys) != 1:
        return UNKNOWN_AUTHOR
    (key,) = newest_keys
    return Author(key[0], key[2], _seconds(newest))


def _has_new_values(entry: Json, before: Json, after: Json) -> bool:
    """Tell whether a field of a manager's set has another value than before."""
    fields = entry.get("fieldsV1") or {}
    return any(old != new for old, new in zip(_values(fields, before), _values(fields, after), strict=True))


def _values(fields: Mapping[str, Any], value: Any) -> Iterator[Any]:
    """Yield the value at each leaf of a set of fields; None where it is absent."""
    for step, below in fields.items():
        if step == ".":
            yield value is not None
        elif below:
            yield from _values(below, _member(value, step))
        else:
            yield _member(value, step)


def _member(value: Any, step: str) -> Any:
    """Return the member that a step of fieldsV1 names, such as `f:status` or `k:{"type":"Active"}`."""
    sort, _, name = step.partition(":")
    if sort == "f" and isinstance(value, dict):
        return value.get(name)
    if sort == "k" and isinstance(value, list):
        keys = orjson.loads(name).items()
        return next(
            (item for item in value if isinstance(item, dict) and keys <= item.items()),
            None,
        )
    if sort == "v" and isinstance(value, list):
        return orjson.loads(name) in value
    return None


def managers_of(document: Json, *path: str) -> Iterator[str]:
    """Yield the managers that own a field, such as `f:status`, `f:conditions`, `k:{"type":"Active"}`."""
    for entry in (document.get("metadata") or {}).get("managedFields") or ():
        if _has(entry.get("fieldsV1") or {}, path):
            yield str(entry.get("manager", ""))


def condition(name: str) -> tuple[str, str, str]:
    """Return the path of a condition in managedFields."""
    return "f:status", "f:conditions", f'k:{{"type":"{name}"}}'


def _entries(document: Json) -> Mapping[_Key, Json]:
    fields: Iterable[Json] = (document.get("metadata") or {}).get("managedFields") or ()
    return {
        # One manager has an entry for each way to write: Apply and Update, object and status.
        (entry.get("manager", ""), entry.get("operation", ""), entry.get("subresource", "")): entry
        for entry in fields
    }


def _has(fields: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    for step in path:
        if step not in fields:
            return False
        fields = fields[step]
    return True


def _seconds(time: str) -> float:
    return moment(time) if time else 0.0
