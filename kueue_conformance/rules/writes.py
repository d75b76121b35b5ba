"""Kueue's writes, and the states of other objects that their writer may have read.

A watch is later than a write, so that a writer is judged by what it must have noticed: everything up to the
newest moment at which all was at rest, and whatever was there `Story.notice_seconds` before. Each state of an
object since then is one that it may have seen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ..base.json_types import Json
from ..history.present_objects import ObjectKey
from ..history.story import PLAYERS, SUBJECT, UNKNOWN, Change
from .story import Story

World: TypeAlias = Mapping[ObjectKey, Json]
_OTHERS = (*PLAYERS, SUBJECT, UNKNOWN)
"""Actors that play users and check controllers, and those whom a watch does not tell.

What stands in for a job integration plays Kueue's part, and is judged with it.
"""


def by_kueue(story: Story, kind: str = "Workload") -> Iterator[Change]:
    """Return Kueue's changes of objects that exist before and after;
    one whose author cannot be told is not judged.
    """
    return (
        change
        for change in story.changes
        if change.kind == kind and change.before and change.after and is_kueues(change)
    )


def is_kueues(change: Change) -> bool:
    """Tell whether Kueue wrote a change."""
    # Everybody else is Kueue: its parts write under many names.
    return not change.actor.startswith(_OTHERS)


def workloads(story: Story) -> Iterator[Change]:
    """Return every change of Workloads that still exist after it, by any author."""
    return (change for change in story.changes if change.kind == "Workload" and change.after)


class WriterCache:
    """The states of objects that the writer of a change may have seen."""

    def __init__(self, story: Story, *kinds: str) -> None:
        self._changes = [change for change in story.changes if change.kind in kinds]
        self._settled = sorted(story.settled)
        self._notice_seconds = story.notice_seconds

    def states_of(self, change: Change, kind: str, name: str, namespace: str = "") -> Iterator[Json]:
        """Yield each state that an object may have had for a writer, None where it was not there."""
        key = (kind, namespace, name)
        own = [
            own_change
            for own_change in self._changes
            if (own_change.kind, own_change.namespace, own_change.name) == key
        ]
        yield from (world.get(key) for world in self._worlds(own, change))

    def worlds(self, change: Change) -> Iterator[World]:
        """Yield all objects of the kinds, by kind, namespace and name,
        as they may have been together for a writer.
        """
        for world in self._worlds(self._changes, change):
            yield {key: object_ for key, object_ in world.items() if object_ is not None}

    def _worlds(self, changes: Sequence[Change], change: Change) -> Iterator[dict[ObjectKey, Json]]:
        noticed = self._last_noticed_revision(change)
        first: dict[ObjectKey, Json] = {}
        for earlier in changes:
            # What was there before the story is known by the first change of it.
            first.setdefault((earlier.kind, earlier.namespace, earlier.name), earlier.before)
        world = dict(first)
        fresh: list[Change] = []
        for earlier in changes:
            if earlier.revision > change.revision:
                break
            # The write itself is not what its writer read.
            if earlier.revision == change.revision:
                continue
            # Known for certain; each later change makes one more world that the writer may have
            # seen.
            if earlier.revision <= noticed or earlier.at <= change.at - self._notice_seconds:
                world[earlier.kind, earlier.namespace, earlier.name] = earlier.after
            else:
                fresh.append(earlier)
        # The mapping goes on to change, so it is read before the next one is asked for.
        yield world
        for earlier in fresh:
            world[earlier.kind, earlier.namespace, earlier.name] = earlier.after
            yield world

    def _last_noticed_revision(self, change: Change) -> int:
        """Return the newest revision before a change at which all was at rest."""
        number = bisect_right(self._settled, change.revision - 1)
        return self._settled[number - 1] if number else 0
