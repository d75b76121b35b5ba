"""Lines of a terminal that are drawn again and again: a row for each running case, and a summary below.

With several processes each row belongs to a worker: the next case of a worker takes the row of its last one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass

_ROW_UP, _ERASE_BELOW = "\x1b[1A", "\x1b[J"
_LEAST_COLUMNS = 20


@dataclass(frozen=True, slots=True)
class RunningCase:
    """A case that is running, since so many seconds of a monotonic clock."""

    node_id: str
    since: float

    def row(self, current_time: float, scenario: str) -> str:
        """Return the row: seconds, the scenario where its id is known, and the test with its parameters."""
        name = " ".join(filter(None, [scenario, self.node_id.rpartition("::")[2]]))
        return f"  {current_time - self.since:4.0f} s  {name}"


class LiveLines:
    """Draws the rows by `write`, which writes to the terminal at once; `columns` is its width."""

    def __init__(self, write: Callable[[str], object], columns: Callable[[], int] | None = None) -> None:
        self._write = write
        self._columns = columns or (lambda: shutil.get_terminal_size().columns)
        self._rows: list[RunningCase | None] = []
        self._scenarios: dict[str, str] = {}
        self._drawn = 0

    def learn(self, node_id: str, scenario: str) -> None:
        """Remember which scenario a test is, which the leading process hears when a case has ended."""
        self._scenarios[_function(node_id)] = scenario

    def start(self, node_id: str, current_time: float) -> None:
        """Give a case the first free row."""
        case = RunningCase(node_id, current_time)
        if None in self._rows:
            self._rows[self._rows.index(None)] = case
        else:
            self._rows.append(case)

    def end(self, node_id: str) -> None:
        """Free the row of a case."""
        self._rows = [None if case and case.node_id == node_id else case for case in self._rows]

    def draw(self, summary: str, current_time: float) -> None:
        """Draw all rows anew, in place of what was drawn last."""
        width = max(self._columns() - 1, _LEAST_COLUMNS)
        rows = [
            case.row(current_time, self._scenarios.get(_function(case.node_id), "")) if case else ""
            for case in self._rows
        ]
        # A row that is longer than the terminal would take two lines, of which one would stay.
        self._write(self._erasure() + "\n".join(row[:width] for row in (*rows, summary)))
        self._drawn = len(rows) + 1

    def erase(self) -> None:
        """Erase what was drawn, so that something else can be written in its place."""
        if self._drawn:
            self._write(self._erasure())
        self._drawn = 0

    def _erasure(self) -> str:
        return "\r" + _ROW_UP * (self._drawn - 1) + _ERASE_BELOW if self._drawn else ""


def _function(node_id: str) -> str:
    return node_id.partition("[")[0]


def estimate(done: int, total: int, seconds: float) -> str:
    """Return how long the other cases will take if they are like those that are done; empty where none is
    done, or all are.
    """
    if not 0 < done < total:
        return ""
    remaining = seconds / done * (total - done)
    return f"about {remaining:.0f} s left" if remaining < 90 else f"about {remaining / 60:.0f} min left"
