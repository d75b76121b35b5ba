"""The drawing of a case's timeline: a lane for each actor and each sort of traffic, a mark for each step, a
span while a condition is True.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..story.object_roles import by_role
from ..story.traffic import LANES

STEP, ROW, ABOVE = 22, 32, 22
"""Pixels: between two steps, between two lanes, and from the top of a row, where its name stands, to the
middle of its lane.
"""
WIDE, NARROW = 46, 13
"""The most steps in a row on a screen and on a telephone; further steps go into the next row."""
_SHOWN, _BEFORE = 92, 60
"""Steps that are drawn, and how many of them before a first wrong write that comes later."""
_WRITES = re.compile(r"(\w+)(?:=(\w+)| (removed))")
_SPANS = ("QuotaReserved", "Admitted", "Evicted", "Requeued", "Finished")


@dataclass(frozen=True, slots=True)
class Mark:
    """One write, `x` along its actor's lane; `tip` is what a
    pointer is told, `broke` the safety rules that it broke.
    """

    x: int
    y: int
    tip: str
    broke: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """The time in which a condition of an object was True."""

    x: int
    y: int
    width: int
    condition: str
    tip: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane with the name that is shown above it, and the whole name."""

    y: int
    name: str
    full_name: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The drawing, which the page shows in strips."""

    width: int
    height: int
    lanes: Sequence[Lane]
    marks: Sequence[Mark]
    spans: Sequence[Span]


def first_wrong(drawing: Drawing) -> Mark | None:
    """Return the first write that broke a safety rule."""
    return next((mark for mark in drawing.marks if mark.broke), None)


def strips(drawing: Drawing, columns: int) -> list[tuple[int, int]]:
    """Return the left edges and widths in pixels of the pieces that stand below each other where there is
    room for so many steps.
    """
    edges = range(0, drawing.width, columns * STEP)
    return [(x, max(NARROW * STEP, min(columns * STEP, drawing.width - x))) for x in edges]


def draw(timeline: Sequence[Mapping[str, Any]]) -> Drawing:
    """Return the drawing of a timeline; its steps are evenly spaced, whatever time lies between them."""
    first = _window(timeline)
    shown = timeline[first : first + _SHOWN]
    rows = _rows(shown)
    marks = [
        Mark(_x(number), _y(rows.index(_row(step))), _tip(step), step.get("broke", ()))
        for number, step in enumerate(shown)
    ]
    conditions = list(dict.fromkeys((step["name"], name) for step in shown for name, _ in _conditions(step)))
    spans = [span for row, key in enumerate(conditions) for span in _spans(shown, key, _y(len(rows) + row))]
    names = [*rows, *(f"{condition} · {name}" for name, condition in conditions)]
    return Drawing(
        width=len(shown) * STEP,
        height=len(names) * ROW,
        marks=marks,
        spans=spans,
        lanes=[Lane(_y(row), _short(by_role(name)), name) for row, name in enumerate(names)],
    )


def _window(timeline: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of the first step that is drawn:
    the first wrong write is always among those after it.
    """
    wrong = next((number for number, step in enumerate(timeline) if step.get("broke")), 0)
    return max(0, wrong - _BEFORE) if wrong >= _SHOWN else 0


def _rows(shown: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the lanes of actors in order of their first step, then those of the traffic that there was."""
    lanes = dict.fromkeys(map(_row, shown))
    return [*(lane for lane in lanes if lane not in LANES), *(lane for lane in LANES if lane in lanes)]


def _row(step: Mapping[str, Any]) -> str:
    return str(step.get("lane") or step["actor"])


def _spans(shown: Sequence[Mapping[str, Any]], key: tuple[str, str], y: int) -> Iterator[Span]:
    began: int | None = None
    for number, step in enumerate(shown):
        conditions = dict(_conditions(step)) if step["name"] == key[0] else {}
        value = False if step["what"] == "deleted" and step["name"] == key[0] else conditions.get(key[1])
        if value and began is None:
            began = number
        elif value is False and began is not None:
            yield _span(began, number, y, key)
            began = None
    if began is not None:
        yield _span(began, len(shown), y, key)


def _span(began: int, ended: int, y: int, key: tuple[str, str]) -> Span:
    return Span(began * STEP, y, (ended - began) * STEP, key[1], f"{key[1]} of {key[0]}")


def _tip(step: Mapping[str, Any]) -> str:
    if not step["kind"]:
        return str(step["what"])
    return f"rv {step['revision'] or '-'}  {step['kind']} {step['name']}: {step['what']}"


def _conditions(step: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    if step["kind"] == "Workload":
        for name, status, removed in _WRITES.findall(step["what"]):
            if name in _SPANS:
                yield name, status == "True" and not removed


def _x(number: int) -> int:
    return number * STEP + STEP // 2


def _y(row: int) -> int:
    return row * ROW + ABOVE


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
