"""Replays a golden case on a bench and tells what differs after each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from kueue_conformance.bench import Bench
from kueue_conformance.wire.client import RESOURCES

from . import view
from .actor import NAMESPACE, Actor

Json: TypeAlias = Any
CALM = 3.0
"""Seconds that the recording waited after the last change before it looked."""


def differences(bench: Bench, steps: Sequence[Json]) -> Iterator[str]:
    """Play the steps; yield `step: object: expected …, found …`. A step's file names only the objects that change in it."""
    expected: dict[str, Json] = {}
    events: set[str] = set()
    actor = Actor(bench)
    for step in steps:
        for action in step["do"]:
            actor.act(action)
        actor.do_pass(step.get("wait", CALM))
        expected |= step["expect"]["objects"]
        events |= set(step["expect"]["events"])
        yield from _of_objects(step["title"], expected, _state(bench))
        yield from _of_events(step["title"], events, view.events(bench.client.list("Event", NAMESPACE)))


def _state(bench: Bench) -> dict[str, Json]:
    kinds = {
        kind: bench.client.list(kind, NAMESPACE if RESOURCES[kind].namespaced else "") for kind in view.VIEWS
    }
    return view.objects(kinds)


def _of_objects(step: str, expected: Mapping[str, Json], found: Mapping[str, Json]) -> Iterator[str]:
    for name in sorted({*expected, *found}):
        wanted, seen = expected.get(name) or {}, found.get(name) or {}
        for part in sorted({*wanted, *seen}):
            if not _matches(wanted.get(part), seen.get(part)):
                yield f"{step}: {name} {part}: expected {wanted.get(part)}, found {seen.get(part)}"


def _matches(wanted: Json, seen: Json) -> bool:
    """Tell whether a value is the recorded one; `either` lists what the recorded program did in different runs."""
    if isinstance(wanted, dict) and wanted.keys() == {"either"}:
        return seen in wanted["either"]
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return wanted.keys() == seen.keys() and all(_matches(one, seen[key]) for key, one in wanted.items())
    if isinstance(wanted, list) and isinstance(seen, list):
        return len(wanted) == len(seen) and all(map(_matches, wanted, seen))
    return bool(wanted == seen)


def _of_events(step: str, expected: set[str], found: set[str]) -> Iterator[str]:
    yield from (f"{step}: missing event {one}" for one in sorted(expected - found))
    yield from (f"{step}: unexpected event {one}" for one in sorted(found - expected))
