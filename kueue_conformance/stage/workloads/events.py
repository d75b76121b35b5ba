"""Events about a Workload and its Job, with their counts (AC-380…383)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact, record_value
from .workload import Workload


class Events:
    """Reads the events about one Workload anew each time."""

    def __init__(self, context: CaseContext, workload: Workload) -> None:
        self._context = context
        self._workload = workload

    def has_events(
        self,
        reason: str,
        *,
        times: int = 1,
        type: str = "Normal",  # noqa: A002 - the API's word
        on: str = "Workload",
    ) -> Fact:
        """An event with this reason was emitted so often,
        each time with this type, about the Workload or its Job.

        It names that by its uid as well: `kubectl describe` shows no others.
        """
        events = self._about(on, reason)
        count = sum(_times(event) for event in events)
        shown = all(event["involvedObject"].get("uid") in self._uids(on) for event in events)
        holds = count == times and shown and all(event.get("type") == type for event in events)
        observed = [
            f"{event.get('type')} {event['reason']} ×{_times(event)}{self._mark(event, on)}"
            for event in self._about(on)
        ]
        return Fact(holds, f"{type} event {reason} on the {on} {times} time(s)", f"{observed}")

    def has_text(self, reason: str, *texts: str, on: str = "Workload") -> Fact:
        """The newest event with this reason has exactly this text, or one of these."""
        notes = [str(event.get("message", "")) for event in self._about(on, reason)]
        expected = " or ".join(repr(text) for text in texts)
        return Fact(
            any(note in texts for note in notes[-1:]),
            f"event {reason} on the {on} says {expected}",
            f"{notes}",
        )

    def has_text_containing(self, reason: str, text: str, *, on: str = "Workload") -> Fact:
        """An event with this reason contains a text."""
        notes = [str(event.get("message", "")) for event in self._about(on, reason)]
        return Fact(
            any(text in note for note in notes), f"event {reason} on the {on} mentions {text!r}", f"{notes}"
        )

    def has_text_ending(self, reason: str, text: str) -> Fact:
        """Some event with this reason ends with a text."""
        notes = [str(event.get("message", "")) for event in self._about("Workload", reason)]
        return Fact(
            any(note.endswith(text) for note in notes), f"event {reason} ends with {text!r}", f"{notes}"
        )

    def count_of(self, prefix: str, *, on: str = "Workload") -> int:
        """Return how many events were emitted whose reason begins so."""
        times = (_times(event) for event in self._about(on) if event.get("reason", "").startswith(prefix))
        return record_value(f"events {prefix}…", sum(times))

    def has_event(
        self,
        reason: str,
        *,
        note: str = "",
        type: str = "",  # noqa: A002 - the API's word
    ) -> Fact:
        """An event with this reason, type and text in it was emitted about the Workload or its Job."""
        every = self._about_both()
        matching = [event for event in _with_reason(every, reason, type) if note in event.get("message", "")]
        return _events_fact(bool(matching), f"event {reason} {note!r}", every)

    def has_one_event(self, reason: str, *, type: str = "") -> Fact:  # noqa: A002 - the API's word
        """Exactly one event with this reason and type was emitted about the Workload or its Job."""
        every = self._about_both()
        times = sum(map(_times, _with_reason(every, reason, type)))
        return _events_fact(times == 1, f"event {reason} {type}, once", every)

    def has_event_with_text(self, reason: str, note: str) -> Fact:
        """An event with this reason and exactly this text was emitted about the Workload or its Job."""
        texts = [event.get("message") for event in _with_reason(self._about_both(), reason, "")]
        return Fact(note in texts, f"event {reason} {note!r}", f"events with the texts {texts}")

    def _about_both(self) -> Sequence[Json]:
        names = {self._workload.name, self._workload.job}
        events = self._context.client.list("Event", self._workload.namespace)
        return [event for event in events if event["involvedObject"].get("name") in names]

    def _mark(self, event: Json, on: str) -> str:
        return "" if event["involvedObject"].get("uid") in self._uids(on) else " (of another uid)"

    def _uids(self, kind: str) -> frozenset[str]:
        """Return the uids that the Workload or its Job had in the course of the story."""
        key = kind, self._workload.namespace, self._name(kind)
        return frozenset(
            change.after["metadata"]["uid"]
            for change in self._context.cluster.recorder.changes()
            if change.after and (change.kind, change.namespace, change.name) == key
        )

    def _name(self, kind: str) -> str:
        return {"Workload": self._workload.name, "Job": self._workload.job}[kind]

    def _about(self, kind: str, reason: str = "") -> Sequence[Json]:
        name = self._name(kind)
        events = [
            event
            for event in self._context.client.list("Event", self._workload.namespace)
            if (event["involvedObject"]["kind"], event["involvedObject"].get("name")) == (kind, name)
            and reason in ("", event.get("reason"))
        ]
        return sorted(events, key=lambda event: int(event["metadata"]["resourceVersion"]))


def _with_reason(events: Sequence[Json], reason: str, event_type: str) -> Sequence[Json]:
    return [
        event for event in events if event.get("reason") == reason and event_type in ("", event.get("type"))
    ]


def _times(event: Json) -> int:
    """Return how often an event was emitted: clients count what they repeat."""
    return int((event.get("series") or {}).get("count") or event.get("count") or 1)


def _events_fact(holds: bool, expected: str, events: Sequence[Json]) -> Fact:
    observed = sorted(f"{event.get('reason', '')} ({_times(event)})" for event in events)
    return Fact(holds, expected, f"events {observed}")
