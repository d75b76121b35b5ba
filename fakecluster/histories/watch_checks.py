"""Watches: every event once, in order, of the type that the selector makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from msgspec import Struct

from ..base.json_types import Json
from .observations import Selector, Watch, WatchEvent
from .timeline import Timeline, Version, describe
from .violation import Violation

LOST, DOUBLED, ORDER = "no event is lost", "no event comes twice", "events come in order"
TYPE, STATE = "an event has the type that its selector makes", "an event has the object of its revision"


class Expected(Struct, frozen=True):
    """The event that a version is for a selector."""

    type: str
    object: Json
    version: Version


def check_watch(watch: Watch, timeline: Timeline) -> Iterator[Violation]:
    """Yield what contradicts the timeline in one stream."""
    expected = find_expected_events(watch, timeline)
    stream = f"{watch.client}, from revision {watch.since}"
    latest, observed = watch.since, set[int]()
    for event in watch.events:
        if event.type != "BOOKMARK" and event.revision in observed:
            yield Violation(DOUBLED, f"{stream}: revision {event.revision} came twice", [_text(event)])
        # A bookmark repeats the revision of the last event where nothing has happened since.
        elif event.revision < latest or (event.revision == latest and event.type != "BOOKMARK"):
            yield Violation(ORDER, f"{stream}: {event.type} {event.revision} came after {latest}")
        elif event.type != "BOOKMARK":
            yield from _check_event(stream, event, expected.get(event.revision))
        if event.type != "BOOKMARK":
            observed.add(event.revision)
        latest = max(latest, event.revision)
    until = max(latest, watch.complete_until)
    for revision in sorted(expected.keys() - observed):
        if revision <= until:
            yield _lost(stream, expected[revision], observed, until)


def find_expected_events(watch: Watch, timeline: Timeline) -> Mapping[int, Expected]:
    """Return the events of a stream by revision, as far as the timeline goes."""
    events = {}
    for version in timeline.versions:
        if version.revision > watch.since and (event := _event_of(version, watch.selector, timeline)):
            events[version.revision] = event
    return events


def _event_of(version: Version, selector: Selector, timeline: Timeline) -> Expected | None:
    before = timeline.live(version.key, version.revision - 1)
    matched = before is not None and selector.matches(before.object)
    matches = not version.is_removal and selector.matches(version.object)
    if matches:
        return Expected("MODIFIED" if matched else "ADDED", version.object, version)
    if not matched or before is None:
        return None
    if version.is_removal:
        return Expected("DELETED", version.object, version)
    # What no longer matches is shown as it was, with the revision of the change.
    metadata = {**before.object["metadata"], "resourceVersion": str(version.revision)}
    return Expected("DELETED", {**before.object, "metadata": metadata}, version)


def _check_event(stream: str, event: WatchEvent, expected: Expected | None) -> Iterator[Violation]:
    if expected is None:
        yield Violation(
            TYPE, f"{stream}: nothing of its selector happened at {event.revision}", [_text(event)]
        )
    elif event.type != expected.type:
        text = f"{stream}: revision {event.revision} came as {event.type}, expected {expected.type}"
        yield Violation(TYPE, text, [describe(expected.version)])
    elif event.object != expected.object:
        evidence = [_text(event), describe(expected.version)]
        yield Violation(STATE, f"{stream}: revision {event.revision} came with another object", evidence)


def _text(event: WatchEvent) -> str:
    metadata = event.object["metadata"]
    return f"{event.type} {metadata.get('name')} at {event.revision} labels {metadata.get('labels')} data {event.object.get('data')}"


def _lost(stream: str, event: Expected, observed: Set[int], until: int) -> Violation:
    revision = event.version.revision
    next_revision = min((other for other in observed if other > revision), default=None)
    reason = f"the next event that it saw is {next_revision}; it must have seen everything until {until}"
    return Violation(
        LOST, f"{stream}: {event.type} of revision {revision} is missing", [describe(event.version), reason]
    )
