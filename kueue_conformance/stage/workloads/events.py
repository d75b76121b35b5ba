"""Events about a Workload and its Job, with their counts (AC-380…383)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from .workload import Workload


class Events:
    """Reads the events about one Workload anew each time."""

    def __init__(self, context: CaseContext, workload: Workload) -> None:
        self._context = context
        self._workload = workload

    def has_events(self, reason: str, *, times: int = 1, type: str = "Normal", on: str = "Workload") -> Fact:  # noqa: A002 - the API's word
        """An event with this reason was emitted so often,
        each time with this type, about the Workload or its Job.

        It names that by its uid as well: `kubectl describe` shows no others.
        """
        found = self._about(on, reason)
        count = sum(_times(one) for one in found)
        shown = all(one["involvedObject"].get("uid") in self._uids(on) for one in found)
        held = count == times and shown and all(one.get("type") == type for one in found)
        seen = [
            f"{one.get('type')} {one['reason']} ×{_times(one)}{self._mark(one, on)}"
            for one in self._about(on)
        ]
        return Fact(held, f"{type} event {reason} on the {on} {times} time(s)", f"{seen}")

    def has_text(self, reason: str, *texts: str, on: str = "Workload") -> Fact:
        """The newest event with this reason has exactly this text, or one of these."""
        notes = [str(one.get("message", "")) for one in self._about(on, reason)]
        told = " or ".join(repr(text) for text in texts)
        return Fact(
            any(note in texts for note in notes[-1:]), f"event {reason} on the {on} says {told}", f"{notes}"
        )

    def has_text_containing(self, reason: str, text: str, *, on: str = "Workload") -> Fact:
        """An event with this reason contains a text."""
        notes = [str(one.get("message", "")) for one in self._about(on, reason)]
        return Fact(
            any(text in note for note in notes), f"event {reason} on the {on} mentions {text!r}", f"{notes}"
        )

    def has_text_ending(self, reason: str, text: str) -> Fact:
        """Some event with this reason ends with a text."""
        notes = [str(one.get("message", "")) for one in self._about("Workload", reason)]
        return Fact(
            any(note.endswith(text) for note in notes), f"event {reason} ends with {text!r}", f"{notes}"
        )

    def count_of(self, prefix: str, *, on: str = "Workload") -> int:
        """Return how many events were emitted whose reason begins so."""
        return sum(_times(one) for one in self._about(on) if one.get("reason", "").startswith(prefix))

    def has_event(self, reason: str, *, note: str = "", type: str = "") -> Fact:  # noqa: A002 - the API's word
        """An event with this reason, type and text in it was emitted about the Workload or its Job."""
        every = self._about_both()
        found = [one for one in _with_reason(every, reason, type) if note in one.get("message", "")]
        return _told(bool(found), f"event {reason} {note!r}", every)

    def has_one_event(self, reason: str, *, type: str = "") -> Fact:  # noqa: A002 - the API's word
        """Exactly one event with this reason and type was emitted about the Workload or its Job."""
        every = self._about_both()
        times = sum(map(_times, _with_reason(every, reason, type)))
        return _told(times == 1, f"event {reason} {type}, once", every)

    def has_event_with_text(self, reason: str, note: str) -> Fact:
        """An event with this reason and exactly this text was emitted about the Workload or its Job."""
        texts = [one.get("message") for one in _with_reason(self._about_both(), reason, "")]
        return Fact(note in texts, f"event {reason} {note!r}", f"events with the texts {texts}")

    def _about_both(self) -> Sequence[Json]:
        names = {self._workload.name, self._workload.job}
        events = self._context.client.list("Event", self._workload.namespace)
        return [one for one in events if one["involvedObject"].get("name") in names]

    def _mark(self, event: Json, on: str) -> str:
        return "" if event["involvedObject"].get("uid") in self._uids(on) else " (of another uid)"

    def _uids(self, kind: str) -> frozenset[str]:
        """Return the uids that the Workload or its Job had in the course of the story."""
        place = kind, self._workload.namespace, self._name(kind)
        return frozenset(
            one.after["metadata"]["uid"]
            for one in self._context.cluster.recorder.changes()
            if one.after and (one.kind, one.namespace, one.name) == place
        )

    def _name(self, kind: str) -> str:
        return {"Workload": self._workload.name, "Job": self._workload.job}[kind]

    def _about(self, kind: str, reason: str = "") -> Sequence[Json]:
        name = self._name(kind)
        found = [
            one
            for one in self._context.client.list("Event", self._workload.namespace)
            if (one["involvedObject"]["kind"], one["involvedObject"].get("name")) == (kind, name)
            and reason in ("", one.get("reason"))
        ]
        return sorted(found, key=lambda one: int(one["metadata"]["resourceVersion"]))


def _with_reason(events: Sequence[Json], reason: str, type: str) -> Sequence[Json]:  # noqa: A002 - the API's word
    return [one for one in events if one.get("reason") == reason and type in ("", one.get("type"))]


def _times(event: Json) -> int:
    """Return how often an event was emitted: clients count what they repeat."""
    return int((event.get("series") or {}).get("count") or event.get("count") or 1)


def _told(holds: bool, expected: str, events: Sequence[Json]) -> Fact:
    seen = sorted(f"{one.get('reason', '')} ({_times(one)})" for one in events)
    return Fact(holds, expected, f"events {seen}")
