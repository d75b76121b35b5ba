"""The story as a picture: a lane for each kind, a bar for each state it is in; moments are evenly spaced,
whatever time lies between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .journal_rows import PATHS, RowChange
from .story import ChapterEvents
from .terminal import clock

LABEL, STEP, ROW, TOP, BAR = 150, 96, 30, 34, 22


@dataclass(frozen=True, slots=True)
class Bar:
    """The time in which an object was in a state; `mood` is what the colour says: waits, works or done."""

    x: int
    y: int
    width: int
    state: str
    mood: str
    tip: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing: lanes with their heights, moments with their positions, bars."""

    width: int
    height: int
    lanes: Sequence[tuple[int, str]]
    moments: Sequence[tuple[int, str]]
    bars: Sequence[Bar]


_MOODS = {
    "Suspended": "waits",
    "Asked": "waits",
    "NotReady": "waits",
    "Pending": "waits",
    "Prechecked": "waits",
    "Accepted": "waits",
    "Running": "works",
    "Admitted": "works",
    "Ready": "works",
    "Provisioned": "works",
}


def picture(story: Sequence[ChapterEvents]) -> Picture:
    """Return the picture of a story. Objects of a kind do the same in it, and share a lane."""
    every = [happening for chapter in story for happening in chapter.happenings]
    moments = sorted({round(happening.at) for happening in every})
    lanes = [kind for kind in PATHS if any(happening.kind == kind for happening in every)]
    bars = [
        bar
        for row, kind in enumerate(lanes)
        for bar in _bars(row, [happening for happening in every if happening.kind == kind], moments)
    ]
    return Picture(
        width=_x(len(moments)),
        height=TOP + ROW * len(lanes) + 8,
        lanes=[(_y(row) + BAR - 6, kind) for row, kind in enumerate(lanes)],
        moments=[(_x(number), clock(at)) for number, at in enumerate(moments)],
        bars=bars,
    )


def _bars(row: int, of_lane: Sequence[RowChange], moments: Sequence[int]) -> Iterator[Bar]:
    """Return a bar for each state: the last one of a moment counts,
    and the last object of a lane that goes ends it.
    """
    states: dict[int, str] = {}
    for happening in of_lane:
        states[moments.index(round(happening.at))] = happening.state
    began = [number for number, state in states.items() if state != states.get(number - 1)]
    for number, following in zip(began, [*began[1:], len(moments)], strict=True):
        if state := states[number]:
            tip = f"{of_lane[0].kind}: {state} from {clock(moments[number])}"
            yield Bar(
                _x(number), _y(row), (following - number) * STEP - 2, state, _MOODS.get(state, "done"), tip
            )


def _x(moment: int) -> int:
    return LABEL + moment * STEP


def _y(row: int) -> int:
    return TOP + row * ROW
