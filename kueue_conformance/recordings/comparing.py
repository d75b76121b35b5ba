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
    """A difference from the recorded state; `told` when only a text or a count differs."""

    where: str
    recorded: Json
    found: Json
    told: bool

    def __str__(self) -> str:
        return f"{self.where}: recorded {_shown(self.recorded)}, found {_shown(self.found)}"


def differences(recorded: State, found: State) -> Iterator[Difference]:
    """Yield the differences of objects, then times, then events. What was not recorded is not compared."""
    for name in sorted({*recorded.objects, *found.objects}):
        yield from _of_object(name, recorded.objects.get(name), found.objects.get(name))
    if recorded.moved is not None and found.moved is not None:
        yield from _of_times(recorded.moved, found.moved)
    yield from _of_events(recorded.events, found.events, recorded.perhaps)


def moved(
    before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]
) -> dict[str, list[str]]:
    """Return the conditions and entries of each object whose time is another than before."""
    found = {
        name: sorted(key for key, time in times.items() if before.get(name, {}).get(key) != time)
        for name, times in after.items()
    }
    return {name: changed for name, changed in sorted(found.items()) if changed}


def agreed(values: Sequence[Json]) -> Json:
    """Return what several runs agree on; where they differ, `either` lists the variants."""
    first = values[0]
    if all(one == first for one in values):
        return first
    if all(isinstance(one, dict) and one.keys() == first.keys() for one in values):
        return {key: agreed([one[key] for one in values]) for key in first}
    if all(isinstance(one, list) and len(one) == len(first) for one in values):
        return [agreed(each) for each in zip(*values, strict=True)]
    return {"either": [one for at, one in enumerate(values) if one not in values[:at]]}


def agreed_states(runs: Sequence[Sequence[State]]) -> list[State]:
    """Return the states after each step that several runs of a story agree on.

    Raises UsageError where their events differ.
    """
    return [_agreed(each) for each in zip(*runs, strict=True)]


def _agreed(states: Sequence[State]) -> State:
    events = [one.events for one in states]
    if any(one.keys() != events[0].keys() for one in events):
        unlike = sorted({line for one in events for line in one.keys() ^ events[0].keys()})
        raise UsageError(
            f"the events differ between two runs of one story: {'; '.join(unlike)}",
            hint="play it once, with --runs 1, and add what differs to the known differences",
        )
    counts = {
        line: count if _is_steady([one[line] for one in events]) else 0 for line, count in events[0].items()
    }
    moves = agreed([one.moved for one in states])
    return State(objects=agreed([one.objects for one in states]), events=counts, moved=moves)


def _is_steady(counts: Sequence[int]) -> bool:
    """Tell whether a count may be recorded: how often Kueue
    tells the same depends on the order of its reconciles.
    """
    return len(counts) > 1 and len(set(counts)) == 1


def _of_object(name: str, recorded: Json, found: Json) -> Iterator[Difference]:
    if recorded is None or found is None:
        yield Difference(where=name, recorded=recorded, found=found, told=False)
        return
    for part in sorted({*recorded, *found}):
        if part == _GENERATIONS and part not in recorded:
            continue
        wanted, seen = recorded.get(part), found.get(part)
        if not _matches(_untold(part, wanted), _untold(part, seen)):
            yield Difference(where=f"{name} {part}", recorded=wanted, found=seen, told=False)
        elif not _matches(wanted, seen):
            yield Difference(where=f"{name} {part}", recorded=wanted, found=seen, told=True)


def _untold(part: str, value: Json) -> Json:
    """Return a part of an object without the texts in it."""
    if part == "conditions" and isinstance(value, dict):
        return {name: one[:_MESSAGE] if isinstance(one, list) else one for name, one in value.items()}
    if part == "checks" and isinstance(value, list):
        return [{key: each for key, each in one.items() if key != "message"} for one in value]
    return value


def _matches(recorded: Json, found: Json) -> bool:
    """Tell whether a value is the recorded one; `either` lists what the recorded program did in different
    runs, `any` some of what it did where more is possible, also nothing.
    """
    if isinstance(recorded, dict) and recorded.keys() == {"either"}:
        return found in recorded["either"]
    if isinstance(recorded, dict) and recorded.keys() == {"any"}:
        return True
    if isinstance(recorded, dict) and isinstance(found, dict):
        return all(
            _matches(recorded.get(key, _ABSENT), found.get(key, _ABSENT)) for key in {**recorded, **found}
        )
    if isinstance(recorded, list) and isinstance(found, list):
        return len(recorded) == len(found) and all(map(_matches, recorded, found))
    return bool(recorded == found)


def _of_times(
    recorded: Mapping[str, Sequence[str]], found: Mapping[str, Sequence[str]]
) -> Iterator[Difference]:
    for name in sorted({*recorded, *found}):
        wanted, seen = recorded.get(name, []), found.get(name, [])
        if not _matches(wanted, seen):
            yield Difference(where=f"{name} times that moved", recorded=wanted, found=seen, told=False)


def _of_events(
    recorded: Mapping[str, int], found: Mapping[str, int], perhaps: Collection[str]
) -> Iterator[Difference]:
    wanted, seen = (
        {line: count for line, count in each.items() if line not in perhaps} for each in (recorded, found)
    )
    there, here = ({_untexted(line) for line in each} for each in (wanted, seen))
    for event in sorted(there ^ here):
        if event in there and not any(_untexted(line) == event for line in found):
            yield Difference(where=f"event {event}", recorded="there", found=_NOTHING, told=False)
        elif event in here and event not in perhaps:
            yield Difference(where=f"event {event}", recorded=_NOTHING, found="there", told=False)
    for line in sorted({*wanted, *seen}):
        told, counted, event = wanted.get(line), seen.get(line), _untexted(line)
        if event not in there & here or event in perhaps or told == counted or (told == 0 and counted):
            continue
        yield Difference(where=f"event {line}", recorded=told, found=counted, told=True)


def _untexted(line: str) -> str:
    """Return an event without its text."""
    return line.partition(":")[0]


def _shown(value: Json) -> str:
    return _NOTHING if value is None else str(value)
