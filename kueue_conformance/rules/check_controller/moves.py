"""How a change moved the entries of a Workload: what the rules look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.json_types import Json
from ...history.story import Change, Request
from ..story import Story
from ..workload import changed_entries


def own_moves(story: Story) -> Iterator[tuple[Change, str, Json, Json]]:
    """Return each change of an entry of the subject's own checks: the change, name, old and new value."""
    for change in story.workloads():
        yield from (
            (change, name, old, new) for name, old, new in changed_entries(change) if story.owns(name)
        )


def foreign_finalizer_removals(changes: Iterable[Change]) -> Iterator[tuple[Change, str]]:
    """Yield each removal of a finalizer that the subject had not set."""
    own: set[str] = set()
    for change in changes:
        before, after = _finalizers(change.before), _finalizers(change.after)
        # Before the removals of the same change are looked at: a controller may set one finalizer
        # and take another away.
        own |= after - before
        for name in sorted(before - after - own):
            yield change, f"removed the finalizer {name}, which it has not set"


def _finalizers(workload: Json) -> set[str]:
    return set(workload["metadata"].get("finalizers") or ())


def says_status_in_vain(request: Request) -> bool:
    """Tell whether a write sends a status where it is lost; one that sets a finalizer, or was refused, does
    not mean to.
    """
    meant = request.verb in ("update", "patch") and not request.subresource and b"status" in request.body
    # The API server ignores status in a write to the object itself, and says 200.
    return meant and request.code < 300 and not request.changed
