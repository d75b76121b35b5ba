"""Lists and gets: one revision each, and none that is older than its request allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .observations import Get, History, List, Span, Write, key_of, revision_of
from .timeline import Timeline, describe
from .violation import Violation

MIXED, BACK, FUTURE = "a list has one revision", "no read goes back", "no read is ahead of its time"
NOT_ASKED = "a read has the revision that was asked for"


class AnsweredRevisions:
    """The newest revision that any client had an answer of before a moment."""

    def __init__(self, history: History) -> None:
        answered = [
            *((write.span.end, write.revision, write.span) for write in history.writes if write.span),
            *((listed.span.end, listed.revision, listed.span) for listed in history.lists),
            *((get.span.end, revision_of(get.object), get.span) for get in history.gets if get.object),
        ]
        self._answered: Sequence[tuple[int, int, Span]] = answered

    def before(self, moment: int) -> tuple[int, str]:
        """Return the newest revision that an answer before a moment had, and whose it was."""
        earlier = [(revision, span.client) for end, revision, span in self._answered if end < moment]
        return max(earlier, default=(0, ""))


def check_list(
    listed: List, timeline: Timeline, answered: AnsweredRevisions, writes: Sequence[Write]
) -> Iterator[Violation]:
    """Yield what contradicts the timeline in one list."""
    observation = f"a list of {listed.span.client} at {listed.revision}"
    if odd := [revision for revision in listed.page_revisions if revision != listed.revision]:
        yield Violation(MIXED, f"{observation}: a page says revision {odd[0]}")
    yield from _check_age(observation, listed, answered)
    expected = timeline.state(listed.revision, listed.selector)
    observed = {key_of(item): item for item in listed.items}
    for key in sorted(expected.keys() | observed.keys()):
        version, item = expected.get(key), observed.get(key)
        if version is not None and item == version.object:
            continue
        shown = f"it shows {key[1]} at {revision_of(item)}" if item else f"it does not show {key[1]}"
        there = describe(version) if version else f"{key[1]} was not there, or did not match"
        yield Violation(MIXED, f"{observation}: {shown}", [f"at {listed.revision}: {there}"])
    if list(observed) != sorted(observed) or len(observed) != len(listed.items):
        yield Violation(MIXED, f"{observation}: its items are not in order, or one is there twice")
    yield from _check_future(observation, listed.span, listed.revision, writes)


def check_get(
    get: Get, timeline: Timeline, answered: AnsweredRevisions, writes: Sequence[Write]
) -> Iterator[Violation]:
    """Yield what contradicts the timeline in one get."""
    observation = f"a get of {get.key[1]} by {get.span.client}"
    floor, client = (
        (get.requested, "its request") if get.requested is not None else answered.before(get.span.begin)
    )
    if get.object is not None:
        version = timeline.at(get.key, revision_of(get.object))
        later = timeline.next_after(version) if version else None
        if later is not None and later.revision <= floor:
            evidence = [describe(later), f"revision {floor} was known before: {client}"]
            yield Violation(BACK, f"{observation}: it shows revision {revision_of(get.object)}", evidence)
        yield from _check_future(observation, get.span, revision_of(get.object), writes)
        return
    absent = _absent_since(get, timeline)
    if get.requested is None and not any(_may_be_absent(span, floor, get, writes) for span in absent):
        live = timeline.live(get.key, floor)
        evidence = [describe(live)] if live else []
        yield Violation(
            BACK, f"{observation}: it is not found, and was there since before revision {floor}", evidence
        )


def _absent_since(get: Get, timeline: Timeline) -> Sequence[tuple[int, int | None]]:
    """Return the intervals of revisions in which an object was not there; None for no end."""
    intervals: list[tuple[int, int | None]] = []
    start: int | None = 0
    for version in timeline.versions:
        if version.key != get.key:
            continue
        if version.is_removal:
            start = version.revision
        elif start is not None:
            intervals.append((start, version.revision))
            start = None
    return [*intervals, (start, None)] if start is not None else intervals


def _may_be_absent(interval: tuple[int, int | None], floor: int, get: Get, writes: Sequence[Write]) -> bool:
    """Whether a read could have met an interval: it ends after what was known and began before the answer."""
    start, end = interval
    removed_later = any(
        write.revision == start and write.span is not None and write.span.begin > get.span.end
        for write in writes
    )
    return (end is None or end > floor) and not removed_later


def _check_age(observation: str, listed: List, answered: AnsweredRevisions) -> Iterator[Violation]:
    if listed.requested is None:
        floor, client = answered.before(listed.span.begin)
        if listed.revision < floor:
            evidence = [f"revision {floor} was known before: an answer to {client}"]
            yield Violation(BACK, f"{observation}: it asked for the newest state", evidence)
    elif listed.match == "Exact" and listed.revision != listed.requested:
        yield Violation(NOT_ASKED, f"{observation}: it asked for exactly {listed.requested}")
    elif listed.revision < listed.requested:
        yield Violation(NOT_ASKED, f"{observation}: it asked for {listed.requested} or newer")


def _check_future(
    observation: str, span: Span, revision: int, writes: Sequence[Write]
) -> Iterator[Violation]:
    for write in writes:
        if write.span is not None and write.span.begin > span.end and write.revision <= revision:
            yield Violation(
                FUTURE, f"{observation}: revision {write.revision} was written later", [write.span.client]
            )
