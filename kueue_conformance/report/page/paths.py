"""Drawings of the state transitions of Workloads and check entries,
over the permitted ones (harness/N-12).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...states import ENTRY, WORKLOAD, Machine, Step, Walk, walks

WIDTH, HALF_WIDTH, HALF_HEIGHT = 340, 42, 13
_SIDE, _BOW, _HEAD = 5.0, 34.0, 7.0
_SHOWN = 6
_WORD = re.compile(r"[\w.-]+")
_CANARY = "canary-"
"""Name prefix of canaries."""
_UNKNOWN = (WIDTH - HALF_WIDTH - 4, 84)
"""The position of a text that is no state."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow: `sort` is `way` (permitted), `taken` or `wrong`."""

    line: str
    head: str
    sort: str
    tip: str


@dataclass(frozen=True, slots=True)
class Node:
    """A state with its position; `sort` is `seen`, `last` or empty."""

    name: str
    x: int
    y: int
    sort: str


@dataclass(frozen=True, slots=True)
class MachineDrawing:
    """The permitted transitions of a machine: drawn once for a page."""

    name: str
    edges: Sequence[Edge]


@dataclass(frozen=True, slots=True)
class Path:
    """A drawing over the permitted transitions of its machine, and the path as text."""

    title: str
    machine: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    words: str
    wrong: bool
    failing: bool
    """The failure names the Workload, and the check where it is an entry."""
    height: int


MACHINES = (WORKLOAD, ENTRY)


def permitted_transitions() -> list[MachineDrawing]:
    """Return the permitted transitions of each machine."""
    return [*map(draw_permitted, MACHINES)]


def draw_permitted(machine: Machine) -> MachineDrawing:
    """Return the permitted transitions of a machine."""
    return MachineDrawing(
        machine.name,
        [
            edge_of(machine.states, transition_states, ())
            for transition_states in dict.fromkeys(
                (transition.start, transition.end) for transition in machine.transitions
            )
        ],
    )


def paths(timeline: Sequence[Mapping[str, Any]], most: int = _SHOWN, failure: str = "") -> list[Path]:
    """Return the drawings of a case, not too many: of Workloads and their entries those that a failure's
    words name first.

    Then come those with a wrong step, then those that share a name with the failure, and canaries last.
    """
    words = frozenset(word.strip(".") for word in _WORD.findall(failure))
    all_walks = sorted(walks(timeline), key=lambda walk: _rank(walk, words))
    return [_path(walk, failing=words.issuperset(walk.names)) for walk in all_walks[:most]]


def _rank(walk: Walk, words: frozenset[str]) -> tuple[bool, bool, bool, bool]:
    named, related = words.issuperset(walk.names), not words.isdisjoint(walk.names)
    return not named, not walk.wrong, not related, walk.names[0].startswith(_CANARY)


def _path(walk: Walk, *, failing: bool) -> Path:
    taken: dict[tuple[str, str], list[Step]] = {}
    for step in walk.steps:
        taken.setdefault((step.start, step.end), []).append(step)
    states, visited = walk.machine.states, walk.states
    places = {**states, **{name: _UNKNOWN for name in visited if name not in states}}
    return Path(
        title=walk.title,
        machine=walk.machine.name,
        words=" → ".join(visited),
        wrong=walk.wrong,
        failing=failing,
        height=max(y for _, y in places.values()) + 36,
        nodes=[
            Node(name, x, y, "last" if name == visited[-1] else "seen" if name in visited else "")
            for name, (x, y) in places.items()
        ],
        edges=[edge_of(places, ends, steps) for ends, steps in taken.items()],
    )


def edge_of(places: Mapping[str, tuple[int, int]], ends: tuple[str, str], steps: Sequence[Step]) -> Edge:
    """Return the arrow between two states for the steps that were taken; without steps it is a permitted
    way.
    """
    start, end = places[ends[0]], places[ends[1]]
    bow = (
        _BOW
        if any(_between(start, end, other) for name, other in places.items() if name not in ends)
        else _SIDE
    )
    middle = _aside(start, end, bow * 2 if bow == _BOW else bow)
    first, last = _border(start, middle), _border(end, middle)
    sort = "way" if not steps else "taken" if all(step.permitted for step in steps) else "wrong"
    line = f"M{first[0]:.0f} {first[1]:.0f} Q{middle[0]:.0f} {middle[1]:.0f} {last[0]:.0f} {last[1]:.0f}"
    return Edge(
        line,
        _head(middle, last),
        sort,
        "; ".join(step.tip for step in steps),
    )


def _between(start: Point, end: Point, other: Point) -> bool:
    """Tell whether a straight line would run through another state."""
    same_column = start[0] == end[0] == other[0] and min(start[1], end[1]) < other[1] < max(start[1], end[1])
    same_row = start[1] == end[1] == other[1] and min(start[0], end[0]) < other[0] < max(start[0], end[0])
    return same_column or same_row


def _aside(start: Point, end: Point, far: float) -> Point:
    """Return the middle of a way, moved to its left, so that there and back are two lines."""
    long = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return x + (end[1] - start[1]) / long * far, y - (end[0] - start[0]) / long * far


def _border(center: Point, towards: Point) -> Point:
    """Return where a line leaves the box of a state."""
    x, y = towards[0] - center[0], towards[1] - center[1]
    scale = min(HALF_WIDTH / abs(x) if x else math.inf, HALF_HEIGHT / abs(y) if y else math.inf)
    return center[0] + x * scale, center[1] + y * scale


def _head(start: Point, tip: Point) -> str:
    """Return the corners of an arrow's head."""
    angle = math.atan2(tip[1] - start[1], tip[0] - start[0])
    corners = [
        (tip[0] - _HEAD * math.cos(angle + turn), tip[1] - _HEAD * math.sin(angle + turn))
        for turn in (0.45, -0.45)
    ]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *corners))
