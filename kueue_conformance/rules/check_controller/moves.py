"""How a change moved the entries of a Workload: what the rules look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.json_types import Json
from ...history.story import Change, Request
from ..story import Story
from ..workload import moved


def own_moves(story: Story) -> Iterator[tuple[Change, str, Json, Json]]:
    """Return each change of an entry of the subject's own checks: the change, name, old and new value."""
    for change in story.workloads():
        yield from ((change, name, old, new) for name, old, new in moved(change) if story.owns(name))


def taken_finalizers(changes: Iterable[Change]) -> Iterator[tuple[Change, str]]:
    """Tell of each finalizer that the subject took away and had not set."""
    own: set[str] = set()
    for change in changes:
        before, after = _finalizers(change.before), _finalizers(change.after)
        own |= after - before
        for name in sorted(before - after - own):
            yield change, f"took the finalizer {name} away, which it has not set"


def _finalizers(thing: Json) -> set[str]:
    return set(thing["metadata"].get("finalizers") or ())


def says_status_in_vain(one: Request) -> bool:
    """Tell whether a write sends a status where it is lost; one that sets a finalizer, or was refused, does
    not mean to.
    """
    meant = one.verb in ("update", "patch") and not one.subresource and b"status" in one.body
    return meant and one.code < 300 and not one.changed
