"""A recorded story: actions step by step, and the state of a real Kueue's objects after each step.

A file holds one story, or several of one topic: these are named `topic/story`.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import yaml

from ..base.errors import UsageError
from ..base.json_types import Json
from ..base.resources import fixtures
from ..programs.remedies import remedy
from ..vectors.document import dump
from .story_formats import WORKLOADS, StoryFormat, form

RECORDED = "recordings/kueue-v0.19.2"
DEVELOPMENT = "recordings/kueue-v0.20.0-devel"
_PLAIN, _PACKED = ".yaml", ".json.gz"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state after a step, as plain data.

    `objects` are views by `Kind/name`; `events` the number of occurrences of each different event so far;
    `moved` the conditions and entries of each object whose lastTransitionTime has changed within the step.
    `moved` None: times were not recorded; a count of 0: counts were not. `perhaps` are events that
    may be told: whole lines that came in some runs, or events whose texts are not compared.
    """

    objects: Mapping[str, Json]
    events: Mapping[str, int]
    moved: Mapping[str, Sequence[str]] | None = None
    perhaps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Actions, the seconds that pass afterwards, and the state then."""

    title: str
    actions: Sequence[Json]
    wait: float
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A series of steps with its provenance, and the name of its form."""

    name: str
    recorded: Mapping[str, Json]
    steps: Sequence[Step]
    form: str = WORKLOADS
    truncated: bool = False
    """What followed was decided by uids or a race, and is left out."""

    def text(self, recorded: Mapping[str, Json], states: Sequence[State]) -> str:
        """Return the text of the story's own file with other states.

        An object is written where it has changed, an event where it is new.
        """
        steps, before, calm = [], State(objects={}, events={}), form(self.form).calm
        for step, after in zip(self.steps, states, strict=True):
            wait = {"wait": step.wait} if step.wait != calm else {}
            steps.append(
                {"title": step.title, "do": [*step.actions], **wait, "expect": _changes(before, after)}
            )
            before = after
        return dump({"recorded": dict(recorded), "steps": steps})


def folder() -> Path:
    """Return the folder of the stories of the release, which `record` refreshes."""
    return fixtures() / RECORDED


def folders() -> Sequence[Path]:
    """Return the folders of all stories."""
    return folder(), fixtures() / DEVELOPMENT


def file_of(name: str, where: Path) -> Path:
    """Return the file of a folder that a story stands in."""
    plain = where / f"{topic_of(name)}{_PLAIN}"
    return plain if plain.exists() else where / f"{topic_of(name)}{_PACKED}"


def topic_of(name: str) -> str:
    """Return the name of a story's file without its ending."""
    return name.partition("/")[0]


def story(name: str) -> Story:
    """Return a story of the folders; no topic is in both."""
    files = (file_of(name, where) for where in folders())
    return stories(next((file for file in files if file.exists()), file_of(name, folder())))[name]


@cache
def stories(file: Path) -> Mapping[str, Story]:
    """Return the stories of a file by name. Raises UsageError for a file of another form."""
    try:
        return {story.name: story for story in _stories(file.name.partition(".")[0], _content(file))}
    except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError) as problem:
        raise UsageError(
            f"{file}: expected a story with `recorded` and `steps`, or `stories`: {problem!r}",
            hint=remedy("story"),
        ) from problem


def _content(file: Path) -> Json:
    """Return the content of a YAML file or of a gzip file of JSON, which holds generated stories."""
    if file.name.endswith(_PACKED):
        return orjson.loads(gzip.decompress(file.read_bytes()))
    return yaml.load(file.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - a safe one


def _stories(topic: str, raw: Json) -> Iterator[Story]:
    recorded = raw["recorded"]
    if "steps" in raw:
        yield Story(name=topic, recorded=recorded, steps=tuple(_steps(raw["steps"], form(WORKLOADS))))
        return
    for name, content in raw["stories"].items():
        yield Story(
            name=f"{topic}/{name}",
            recorded=recorded,
            steps=tuple(_steps(content["steps"], form(raw["form"]))),
            form=raw["form"],
            truncated=content.get("truncated", False),
        )


def _steps(raw: Sequence[Json], of: StoryFormat) -> Iterator[Step]:
    objects: dict[str, Json] = {}
    events: dict[str, int] = {}
    perhaps: frozenset[str] = frozenset()
    for raw_step in raw:
        expect = raw_step["expect"]
        objects = _without_gone({**objects, **_full_objects(expect["objects"], objects, of)})
        events = {**events, **dict.fromkeys(expect["events"], 0), **expect.get("counts", {})}
        perhaps |= frozenset(expect.get("perhaps", ()))
        state = State(objects=objects, events=events, moved=expect.get("moved"), perhaps=perhaps)
        yield Step(
            title=raw_step["title"], actions=raw_step["do"], wait=raw_step.get("wait", of.calm), state=state
        )


def _full_objects(
    changed: Mapping[str, Json], before: Mapping[str, Json], of: StoryFormat
) -> Mapping[str, Json]:
    if not of.by_part:
        return changed
    return {
        name: fields and _without_gone({**before.get(name, {}), **fields}) for name, fields in changed.items()
    }


def _without_gone(fields: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value is not None}


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
