"""Replays a golden case on a bench and tells what differs after each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from kueue_conformance.bench import Bench
from kueue_conformance.client import RESOURCES

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
        wanted, seen = expected.get(name), found.get(name)
        if wanted != seen:
            parts = {*(wanted or {}), *(seen or {})}
            unlike = sorted(one for one in parts if (wanted or {}).get(one) != (seen or {}).get(one))
            yield from (
                f"{step}: {name} {one}: expected {(wanted or {}).get(one)}, found {(seen or {}).get(one)}"
                for one in unlike
            )


def _of_events(step: str, expected: set[str], found: set[str]) -> Iterator[str]:
    yield from (f"{step}: missing event {one}" for one in sorted(expected - found))
    yield from (f"{step}: unexpected event {one}" for one in sorted(found - expected))
