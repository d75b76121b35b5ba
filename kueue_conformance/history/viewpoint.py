"""Retrospect: evaluates a condition for every past state of the story.

`always` and `never` look back to the last act of the scenario, so that a state which lasts for one write is
seen in every run (N-02).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..base.json_types import Json
from .fact import Condition, Fact, as_fact, forbid_act
from .present_objects import ObjectKey, apply_change
from .story import Change


@dataclass(frozen=True, slots=True)
class StoryMoment:
    """The objects of the story right after one change."""

    change: Change
    _objects: dict[ObjectKey, Json]
    _kinds: frozenset[str]

    def knows(self, kind: str) -> bool:
        """Tell whether objects of a kind are in the story."""
        return kind in self._kinds

    def find(self, kind: str, namespace: str, name: str) -> Json | None:
        """Return an object as it was, None when it was not there."""
        return self._objects.get((kind, namespace, name))

    def list(self, kind: str, namespace: str) -> Sequence[Json]:
        """Return the objects of a kind as they were, by name; an empty namespace means all."""
        objects = {
            key: object_
            for key, object_ in self._objects.items()
            if key[0] == kind and namespace in ("", key[1])
        }
        return [objects[key] for key in sorted(objects)]


def moments(changes: Iterable[Change], since: int, kinds: frozenset[str]) -> Iterator[StoryMoment]:
    """Yield the state after each change from a revision on; `kinds` are those that the story is about."""
    objects: dict[ObjectKey, Json] = {}
    # Watches of several kinds arrive out of step; revisions put them in order.
    for change in sorted(changes, key=lambda change: change.revision):
        apply_change(objects, change)
        # Earlier changes are replayed and not shown: they make the state that the act found.
        if change.revision >= since:
            # The mapping is shared and goes on to change: a moment is good until the next one is
            # asked for.
            yield StoryMoment(change, objects, kinds)


class Viewpoint:
    """The moment that is evaluated (None: the present), and the revision of the scenario's last act."""

    def __init__(self) -> None:
        self.moment: StoryMoment | None = None
        self.acted = 0

    def acts(self, revision: int) -> None:
        """Record an act by the revision of its write; 0 where the answer did not tell it, as that to a
        deletion. Raises UsageError in a condition.
        """
        forbid_act()
        # The answer to a deletion may have no revision; the next one is its earliest possible.
        self.acted = max(self.acted, revision) if revision else self.acted + 1

    @contextmanager
    def at(self, moment: StoryMoment) -> Iterator[None]:
        """Evaluate at a moment of the past."""
        self.moment = moment
        try:
            yield
        finally:
            # In a `finally`: a condition that raises must not leave the client in the past.
            self.moment = None


def breach(condition: Condition, viewpoint: Viewpoint, past: Iterable[StoryMoment]) -> Fact | None:
    """Return how a condition was seen to be broken after
    it had begun to hold; None when it held ever since.
    """
    began = False
    for moment in past:
        with viewpoint.at(moment):
            fact = as_fact(condition)
        # Before it held for the first time there is nothing to break: `always` looks from its
        # beginning on.
        if began and not fact:
            change = moment.change
            when = f"at revision {change.revision}, which {change.actor or 'an unknown author'} wrote"
            return fact.with_observed(f"{fact.observed} ({when})")
        began = began or bool(fact)
    return None
