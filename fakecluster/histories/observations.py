"""What clients have seen of the objects of one resource, as data.

Objects are JSON with metadata.namespace, name, labels and resourceVersion. Times are numbers of one counter:
a request begins before it ends, and one that ended before another began has a smaller number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeAlias

from msgspec import Struct, field

from ..base.json_types import Json

Key: TypeAlias = tuple[str, str]
Match = Literal["", "Exact", "NotOlderThan"]


class Span(Struct, frozen=True):
    """When a request began and was answered, and whose it was."""

    client: str
    begin: int
    end: int


class Selector(Struct, frozen=True):
    """Labels that objects must have, and their name; empty for all."""

    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    name: str = ""

    def matches(self, item: Json) -> bool:
        """Whether an object has the labels and the name."""
        metadata = item["metadata"]
        labels = metadata.get("labels") or {}
        return self.name in ("", metadata["name"]) and all(
            labels.get(label) == value for label, value in self.labels.items()
        )


class Write(Struct, frozen=True, kw_only=True):
    """A write that was answered: the object as it was stored, or its last state where it was removed."""

    span: Span | None
    """None where it is known from elsewhere, such as a journal."""
    revision: int
    object: Json
    is_removal: bool = False
    precondition: int = 0
    """The resourceVersion that the object had to have; 0 for any."""


class List(Struct, frozen=True, kw_only=True):
    """A list, of one page or several."""

    span: Span
    revision: int
    items: Sequence[Json]
    selector: Selector = Selector()
    requested: int | None = None
    """The resourceVersion that was asked for; None for the newest state."""
    match: Match = ""
    page_revisions: Sequence[int] = ()
    """The revision that each page says."""


class Get(Struct, frozen=True, kw_only=True):
    """A get; `object` is None where there was none."""

    span: Span
    key: Key
    object: Json | None
    requested: int | None = None


class WatchEvent(Struct, frozen=True):
    """An event of a watch; that of a bookmark has an object with nothing but its resourceVersion."""

    type: Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]
    object: Json

    @property
    def revision(self) -> int:
        """The revision of the event."""
        return revision_of(self.object)


class Watch(Struct, frozen=True, kw_only=True):
    """One stream of a watch, from its revision to its end."""

    client: str
    since: int
    events: Sequence[WatchEvent]
    selector: Selector = Selector()
    complete_until: int = 0
    """The revision up to which everything must have come: the server was at rest, and the stream open."""


class History(Struct, frozen=True, kw_only=True):
    """What was seen of one resource in one run, and what there was at its beginning."""

    start: int
    initial: Sequence[Json] = ()
    writes: Sequence[Write] = ()
    lists: Sequence[List] = ()
    gets: Sequence[Get] = ()
    watches: Sequence[Watch] = ()


def key_of(item: Json) -> Key:
    """Return the namespace and name of an object."""
    return item["metadata"].get("namespace", ""), item["metadata"]["name"]


def revision_of(item: Json) -> int:
    """Return the revision of an object."""
    return int(item["metadata"]["resourceVersion"])
