"""A recorded story: actions step by step, and the state of a real Kueue's objects after each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeAlias

import yaml

from ..errors import UsageError
from ..programs.remedies import remedy
from ..resources import fixtures
from ..vectors.document import dumped

Json: TypeAlias = Any
RECORDED = "recordings/kueue-v0.19.2"
CALM_SECONDS = 3.0
"""Seconds without a change that the recording waited for before it read the state."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state after a step, as plain data.

    `objects` are views by `Kind/name`; `events` the number of occurrences of each different event so far;
    `moved` the conditions and entries of each object whose lastTransitionTime has changed within the step.
    `moved` None: times were not recorded; a count of 0: counts were not.
    """

    objects: Mapping[str, Json]
    events: Mapping[str, int]
    moved: Mapping[str, Sequence[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Actions, the seconds that pass afterwards, and the state then."""

    title: str
    actions: Sequence[Json]
    wait: float
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A file of steps with its provenance."""

    name: str
    recorded: Mapping[str, Json]
    steps: Sequence[Step]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Return the story in a file. Raises UsageError for a file of another form."""
        try:
            raw = yaml.load(file.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - a safe one
            return cls(name=file.stem, recorded=raw["recorded"], steps=tuple(_steps(raw["steps"])))
        except (OSError, yaml.YAMLError, KeyError, TypeError) as problem:
            raise UsageError(
                f"{file}: expected a story with `recorded` and `steps`: {problem!r}",
                hint=remedy("story"),
            ) from problem

    def text(self, recorded: Mapping[str, Json], states: Sequence[State]) -> str:
        """Return the file's text with other states. An object is written where it has changed, an event where
        it is new.
        """
        steps, before = [], State(objects={}, events={})
        for step, after in zip(self.steps, states, strict=True):
            wait = {"wait": step.wait} if step.wait != CALM_SECONDS else {}
            steps.append(
                {"title": step.title, "do": [*step.actions], **wait, "expect": _changes(before, after)}
            )
            before = after
        return dumped({"recorded": dict(recorded), "steps": steps})


def folder() -> Path:
    """Return the folder of the stories."""
    return fixtures() / RECORDED


@cache
def story(name: str) -> Story:
    """Return a story of the folder."""
    return Story.read(folder() / f"{name}.yaml")


def _steps(raw: Sequence[Json]) -> Iterator[Step]:
    objects: dict[str, Json] = {}
    events: dict[str, int] = {}
    for one in raw:
        expect = one["expect"]
        objects = {name: view for name, view in {**objects, **expect["objects"]}.items() if view is not None}
        events = {**events, **_counted(expect["events"]), **expect.get("counts", {})}
        state = State(objects=objects, events=events, moved=expect.get("moved"))
        yield Step(title=one["title"], actions=one["do"], wait=one.get("wait", CALM_SECONDS), state=state)


def _counted(lines: Sequence[str]) -> dict[str, int]:
    return dict.fromkeys(lines, 0)


def _changes(before: State, after: State) -> Json:
    gone = dict.fromkeys(before.objects.keys() - after.objects.keys())
    changed = {name: view for name, view in after.objects.items() if before.objects.get(name) != view}
    counts = {line: count for line, count in after.events.items() if before.events.get(line) != count}
    return {
        "objects": dict(sorted({**changed, **gone}.items())),
        "events": sorted(after.events.keys() - before.events.keys()),
        **({"counts": dict(sorted(counts.items()))} if any(counts.values()) else {}),
        **({"moved": after.moved} if after.moved is not None else {}),
    }
