"""Whether one order of revisions explains a history (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .observations import History, Write, key_of
from .read_checks import AnsweredRevisions, check_get, check_list
from .timeline import Timeline, build, describe
from .violation import Violation
from .watch_checks import check_watch

UPDATE, NEWER = "no update is lost", "a write is newer than what was known before it"


def check(history: History) -> Sequence[Violation]:
    """Return what contradicts the order of revisions in a history; nothing when one order explains it."""
    timeline, violations = build(history)
    return [*violations, *_contradictions(history, timeline)]


def _contradictions(history: History, timeline: Timeline) -> Iterator[Violation]:
    answered = AnsweredRevisions(history)
    for write in history.writes:
        yield from _check_write(write, timeline, answered)
    for listed in history.lists:
        yield from check_list(listed, timeline, answered, history.writes)
    for get in history.gets:
        yield from check_get(get, timeline, answered, history.writes)
    for watch in history.watches:
        yield from check_watch(watch, timeline)


def _check_write(write: Write, timeline: Timeline, answered: AnsweredRevisions) -> Iterator[Violation]:
    """Yield what contradicts the timeline in one write."""
    if write.span is None:
        return
    observation = f"a write of {key_of(write.object)[1]} by {write.span.client} at {write.revision}"
    before = timeline.live(key_of(write.object), write.revision - 1)
    if write.precondition and (before is None or before.revision != write.precondition):
        evidence = [describe(before)] if before else []
        yield Violation(UPDATE, f"{observation}: it was to change revision {write.precondition}", evidence)
    floor, client = answered.before(write.span.begin)
    if write.revision <= floor:
        yield Violation(
            NEWER, f"{observation}: revision {floor} was known before", [f"an answer to {client}"]
        )
