"""Compares a state with the recorded one: in behaviour, or only in texts and counts (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..base.errors import UsageError
from ..base.json_types import Json
from .document import State

_GENERATIONS = "behind"
_MESSAGE = 2
"""The place of the message in a condition, after status and reason."""
_NOTHING = "nothing"
_ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference from the recorded state; `is_text_only` when only a text or a count differs."""

    where: str
    recorded: Json
    observed: Json
    is_text_only: bool

    def __str__(self) -> str:
        return f"{self.where}: recorded {_describe(self.recorded)}, found {_describe(self.observed)}"


def differences(recorded: State, observed: State) -> Iterator[Difference]:
    """Yield the differences of objects, then times, then events. What was not recorded is not compared."""
    for name in sorted({*recorded.objects, *observed.objects}):
        yield from _of_object(name, recorded.objects.get(name), observed.objects.get(name))
    if recorded.moved is not None and observed.moved is not None:
        yield from _of_times(recorded.moved, observed.moved)
    yield from _of_events(recorded.events, observed.events, recorded.perhaps)


def moved_times(
    before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]
) -> dict[str, list[str]]:
    """Return the conditions and entries of each object whose time is another than before."""
    moves = {
        name: sorted(key for key, time in times.items() if before.get(name, {}).get(key) != time)
        for name, times in after.items()
    }
    return {name: changed for name, changed in sorted(moves.items()) if changed}


def agreement(values: Sequence[Json]) -> Json:
    """Return what several runs agree on; where they differ, `either` lists the variants."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) and value.keys() == first.keys() for value in values):
        return {key: agreement([value[key] for value in values]) for key in first}
    if all(isinstance(value, list) and len(value) == len(first) for value in values):
        return [agreement(items) for items in zip(*values, strict=True)]
    return {"either": [variant for at, variant in enumerate(values) if variant not in values[:at]]}


def agreement_of_states(runs: Sequence[Sequence[State]]) -> list[State]:
    """Return the states after each step that several runs of a story agree on.

    Raises UsageError where their events differ.
    """
    return [_agreement_of_state(states) for states in zip(*runs, strict=True)]


def _agreement_of_state(states: Sequence[State]) -> State:
    events = [state.events for state in states]
    if any(counts_of_run.keys() != events[0].keys() for counts_of_run in events):
        unlike = sorted(
            {line for counts_of_run in events for line in counts_of_run.keys() ^ events[0].keys()}
        )
        raise UsageError(
            f"the events differ between two runs of one story: {'; '.join(unlike)}",
            hint="play it once, with --runs 1, and add what differs to the known differences",
        )
    counts = {
        line: count if _is_steady([counts_of_run[line] for counts_of_run in events]) else 0
        for line, count in events[0].items()
    }
    moves = agreement([state.moved for state in states])
    return State(objects=agreement([state.objects for state in states]), events=counts, moved=moves)


def _is_steady(counts: Sequence[int]) -> bool:
    """Tell whether a count may be recorded: how often Kueue tells the same depends on the
    order of its reconciles.
    """
    return len(counts) > 1 and len(set(counts)) == 1


def _of_object(name: str, recorded: Json, observed: Json) -> Iterator[Difference]:
    if recorded is None or observed is None:
        yield Difference(where=name, recorded=recorded, observed=observed, is_text_only=False)
        return
    for field in sorted({*recorded, *observed}):
        if field == _GENERATIONS and field not in recorded:
            continue
        recorded_part, observed_part = recorded.get(field), observed.get(field)
        if not _matches(_without_texts(field, recorded_part), _without_texts(field, observed_part)):
            yield Difference(
                where=f"{name} {field}", recorded=recorded_part, observed=observed_part, is_text_only=False
            )
        elif not _matches(recorded_part, observed_part):
            yield Difference(
                where=f"{name} {field}", recorded=recorded_part, observed=observed_part, is_text_only=True
            )


def _without_texts(field: str, value: Json) -> Json:
    """Return a part of an object without the texts in it."""
    if field == "conditions" and isinstance(value, dict):
        return {name: texts[:_MESSAGE] if isinstance(texts, list) else texts for name, texts in value.items()}
    if field == "checks" and isinstance(value, list):
        return [
            {key: field_value for key, field_value in entry.items() if key != "message"} for entry in value
        ]
    return value


def _matches(recorded: Json, observed: Json) -> bool:
    """Tell whether a value is the recorded one; `either` lists what the recorded program did in different
    runs, `any` some of what it did where more is possible, also nothing.
    """
    if isinstance(recorded, dict) and recorded.keys() == {"either"}:
        return observed in recorded["either"]
    if isinstance(recorded, dict) and recorded.keys() == {"any"}:
        return True
    if isinstance(recorded, dict) and isinstance(observed, dict):
        return all(
            _matches(recorded.get(key, _ABSENT), observed.get(key, _ABSENT))
            for key in {**recorded, **observed}
        )
    if isinstance(recorded, list) and isinstance(observed, list):
        return len(recorded) == len(observed) and all(map(_matches, recorded, observed))
    return bool(recorded == observed)


def _of_times(
    recorded: Mapping[str, Sequence[str]], observed: Mapping[str, Sequence[str]]
) -> Iterator[Difference]:
    for name in sorted({*recorded, *observed}):
        recorded_times, observed_times = recorded.get(name, []), observed.get(name, [])
        if not _matches(recorded_times, observed_times):
            yield Difference(
                where=f"{name} times that moved",
                recorded=recorded_times,
                observed=observed_times,
                is_text_only=False,
            )


def _of_events(
    recorded: Mapping[str, int], observed: Mapping[str, int], perhaps: Collection[str]
) -> Iterator[Difference]:
    recorded_counts, observed_counts = (
        {line: count for line, count in counts.items() if line not in perhaps}
        for counts in (recorded, observed)
    )
    recorded_events, observed_events = (
        {_event_without_text(line) for line in counts} for counts in (recorded_counts, observed_counts)
    )
    for event in sorted(recorded_events ^ observed_events):
        if event in recorded_events and not any(_event_without_text(line) == event for line in observed):
            yield Difference(where=f"event {event}", recorded="there", observed=_NOTHING, is_text_only=False)
        elif event in observed_events and event not in perhaps:
            yield Difference(where=f"event {event}", recorded=_NOTHING, observed="there", is_text_only=False)
    for line in sorted({*recorded_counts, *observed_counts}):
        recorded_count, observed_count, event = (
            recorded_counts.get(line),
            observed_counts.get(line),
            _event_without_text(line),
        )
        if (
            event not in recorded_events & observed_events
            or event in perhaps
            or recorded_count == observed_count
            or (recorded_count == 0 and observed_count)
        ):
            continue
        yield Difference(
            where=f"event {line}", recorded=recorded_count, observed=observed_count, is_text_only=True
        )


def _event_without_text(line: str) -> str:
    """Return an event without its text."""
    return line.partition(":")[0]


def _describe(value: Json) -> str:
    return _NOTHING if value is None else str(value)
