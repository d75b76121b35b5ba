"""What happened, request by request: who did what to which object, and how it looked before and after.

Objects are references to what the store holds, never copies. The journal knows nothing of HTTP or kinds; whoever handles a
request writes one `Entry` when the answer is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One object that a request changed: its state before (None when created) and after (None when removed)."""

    revision: int
    before: Json
    after: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One request. `resource` is the plural, `code` the HTTP status, `reason` the Status' machine word."""

    seq: int = 0
    time: float
    audit_id: str
    user: str
    user_agent: str = ""
    manager: str = ""
    verb: str
    path: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    code: int
    reason: str = ""
    message: str = ""
    dry_run: bool = False
    patch_type: str = ""
    body: bytes = b""
    changes: tuple[Change, ...] = ()
    notes: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    """What no client sees, such as why a JSON patch did not apply (FK-161)."""

    @property
    def before(self) -> Json:
        """The first changed object's state before the request, None when there was none."""
        return self.changes[0].before if self.changes else None

    @property
    def after(self) -> Json:
        """The first changed object's state after the request, None when it is gone or nothing changed."""
        return self.changes[0].after if self.changes else None

    @property
    def revision_before(self) -> str:
        """The resourceVersion before the request."""
        return _revision(self.before)

    @property
    def revision_after(self) -> str:
        """The resourceVersion after the request; of a removed object that of its removal."""
        return str(self.changes[0].revision) if self.changes else ""

    @property
    def wrote(self) -> bool:
        """Whether anything was stored or removed."""
        return bool(self.changes)


class Journal:
    """Entries in order of their answers, numbered from 1."""

    def __init__(self, *, limit: int = 100_000) -> None:
        self._entries: list[Entry] = []
        self._dropped = 0
        self._limit = limit
        self._listeners: list[Callable[[Entry], None]] = []

    @property
    def last(self) -> int:
        """The number of the newest entry, 0 when there is none."""
        return self._dropped + len(self._entries)

    def record(self, make: Callable[[int], Entry]) -> Entry:
        """Append the entry that `make` builds for its number."""
        entry = make(self.last + 1)
        self._entries.append(entry)
        if len(self._entries) > self._limit:
            half = self._limit // 2
            del self._entries[:half]
            self._dropped += half
        for listener in tuple(self._listeners):
            listener(entry)
        return entry

    def subscribe(self, listener: Callable[[Entry], None]) -> Callable[[], None]:
        """Call `listener` with every entry from now on; returns the way to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))

    def since(self, seq: int) -> tuple[Entry, ...]:
        """Return the entries after number `seq`."""
        return tuple(self._entries[max(0, seq - self._dropped) :])

    def of(self, resource: str, namespace: str, name: str) -> tuple[Entry, ...]:
        """Return the entries about one object, subresources included."""
        wanted = (resource, namespace, name)
        return tuple(one for one in self._entries if (one.resource, one.namespace, one.name) == wanted)

    def where(self, matches: Callable[[Entry], bool] | None = None, **values: Json) -> tuple[Entry, ...]:
        """Return the entries whose attributes equal `values` and that satisfy `matches`."""
        return tuple(
            one
            for one in self._entries
            if all(getattr(one, key) == value for key, value in values.items())
            and (matches is None or matches(one))
        )

    def writes(self) -> tuple[Entry, ...]:
        """Return the entries that changed something."""
        return self.where(wrote=True)


def _revision(object: Json) -> str:  # noqa: A002
    return str((object or {}).get("metadata", {}).get("resourceVersion", ""))
