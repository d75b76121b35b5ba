"""The states of a ProvisioningRequest as a drawing: an arrow for each transition of the matrix, with a
scenario that shows it (provisioning.md A9).
"""

from collections.abc import Iterator
from typing import NamedTuple

from kueue_conformance.catalogue.transitions import (
    BOOKED,
    FAILED,
    GONE,
    NEW,
    OVER,
    TRANSITIONS,
    UNKNOWN,
    WAITING,
    scenarios_by_row,
)

BOX, HEIGHT, LINE = 130, 42, 15
PLACES = {
    NEW: (40, 250),
    WAITING: (440, 60),
    BOOKED: (440, 440),
    FAILED: (840, 60),
    OVER: (840, 440),
    GONE: (840, 620),
    UNKNOWN: (40, 620),
}
"""The upper left corner of each state."""
TITLES = {
    NEW: "new",
    WAITING: "waiting",
    BOOKED: "booked",
    FAILED: "failed",
    OVER: "booking over",
    GONE: "deleted",
    UNKNOWN: "unknown",
}
LABELS = {
    (NEW, BOOKED): (120, 395),
    (NEW, WAITING): (120, 110),
    (NEW, FAILED): (590, 205),
    (NEW, NEW): (40, 232),
    (WAITING, WAITING): (440, 18),
    (WAITING, BOOKED): (515, 260),
    (WAITING, FAILED): (640, 40),
    (BOOKED, FAILED): (760, 300),
    (BOOKED, OVER): (610, 432),
    (BOOKED, BOOKED): (440, 510),
    (OVER, GONE): (920, 545),
    (UNKNOWN, UNKNOWN): (40, 690),
}
"""Where the rows of an arrow are told."""
WIDTH, BELOW = 1100, 740


class Arrow(NamedTuple):
    """A line from box to box, with its rows; one that comes back to its own state is told beside it."""

    path: str
    x: int
    y: int
    rows: list[str]


def arrows() -> Iterator[Arrow]:
    """Yield an arrow for each pair of states between which there are transitions."""
    pairs = dict.fromkeys(
        (transition.start, transition.end) for transition in TRANSITIONS.values() if transition.start
    )
    for start, end in pairs:
        x, y = LABELS[start, end]
        rows = [
            row
            for row, transition in TRANSITIONS.items()
            if (transition.start, transition.end) == (start, end)
        ]
        yield Arrow(_path(start, end), x, y, [_row_text(row) for row in rows])


def others() -> list[str]:
    """Return the rows that are no arrow."""
    return [
        f"{_row_text(row)}: {transition.words}"
        for row, transition in TRANSITIONS.items()
        if not transition.start
    ]


def _row_text(row: str) -> str:
    """Return a row with its first scenario, and how many more there are."""
    ids = scenarios_by_row()[row]
    count_of_further = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
    return f"{row} {ids[0]}{count_of_further}" if ids else f"{row} none"


def _path(start: str, end: str) -> str:
    if start == end:
        return ""
    (x, y), (to_x, to_y) = PLACES[start], PLACES[end]
    if x == to_x:
        down = to_y > y
        return f"M{x + BOX // 2} {y + HEIGHT if down else y}V{to_y if down else to_y + HEIGHT}"
    return f"M{x + BOX} {y + HEIGHT // 2}L{to_x} {to_y + HEIGHT // 2}"
