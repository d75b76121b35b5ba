"""The drawing of a case's timeline: a lane for each actor, a mark for each write, a span while a condition is True."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

STEP, LABEL, ROW, TOP = 22, 190, 24, 8
_SHOWN = 60
_WRITES = re.compile(r"(\w+)(?:=(\w+)| (removed))")
_SPANS = ("QuotaReserved", "Admitted", "Evicted", "Requeued", "Finished")


@dataclass(frozen=True, slots=True)
class Mark:
    """One write, `x` along its actor's lane; `tip` is what a pointer is told, `broke` the safety rules that it broke."""

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
class Drawing:
    """What the page draws; `labels` are the names of the lanes with their heights."""

    width: int
    height: int
    labels: Sequence[tuple[int, str]]
    marks: Sequence[Mark]
    spans: Sequence[Span]


def draw(timeline: Sequence[Mapping[str, Any]]) -> Drawing:
    """Return the drawing of a timeline; its steps are evenly spaced, whatever time lies between them."""
    shown = timeline[:_SHOWN]
    actors = list(dict.fromkeys(one["actor"] for one in shown))
    marks = [
        Mark(_x(number), _y(actors.index(one["actor"])), _tip(one), one.get("broke", ()))
        for number, one in enumerate(shown)
    ]  # fmt: skip
    rows = list(dict.fromkeys((one["name"], name) for one in shown for name, _ in _conditions(one)))
    spans = [span for row, key in enumerate(rows) for span in _spans(shown, key, _y(len(actors) + row))]
    names = [*actors, *(f"{condition} · {name}" for name, condition in rows)]
    return Drawing(
        width=_x(len(shown)), height=_y(len(names)), labels=[(_y(row), _short(name)) for row, name in enumerate(names)],
        marks=marks, spans=spans,
    )  # fmt: skip


def _spans(shown: Sequence[Mapping[str, Any]], key: tuple[str, str], y: int) -> Iterator[Span]:
    began: int | None = None
    for number, one in enumerate(shown):
        told = dict(_conditions(one)) if one["name"] == key[0] else {}
        value = False if one["what"] == "deleted" and one["name"] == key[0] else told.get(key[1])
        if value and began is None:
            began = number
        elif value is False and began is not None:
            yield _span(began, number, y, key)
            began = None
    if began is not None:
        yield _span(began, len(shown), y, key)


def _span(began: int, ended: int, y: int, key: tuple[str, str]) -> Span:
    return Span(_x(began), y, (ended - began) * STEP, key[1], f"{key[1]} of {key[0]}")


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
    return LABEL + number * STEP + STEP // 2


def _y(row: int) -> int:
    return TOP + row * ROW + ROW // 2


def _short(text: str) -> str:
    return text if len(text) <= 28 else f"{text[:27]}…"
