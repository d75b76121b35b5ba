"""The author of a change, guessed from managedFields: an approximation, since a watch event names no user.

A write that changes something stamps its manager's entry with the time, in whole seconds. Two managers within
one second cannot always be told apart: then the author is unknown, and the change is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

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
    # Without a new time, the manager whose set of fields changed; without that, the newest of
    # all.
    candidates = fresh or [key for key in new if new[key] != old.get(key)] or list(new)
    newest = max((str(new[key].get("time", "")) for key in candidates), default="")
    newest_keys = [key for key in candidates if new[key].get("time", "") == newest]
    # A wrong author would be a wrong verdict; none is only a change that is not judged.
    if len(newest_keys) != 1:
        return UNKNOWN_AUTHOR
    (key,) = newest_keys
    return Author(key[0], key[2], _seconds(newest))


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
