"""The newest lines that a subject printed, each with its time (harness/H-43)."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ..base.printable import printable

# A controller that logs every reconcile in a run of an hour must not fill the memory.
_KEPT = 4 * 2**20
"""Letters of the newest lines that are kept."""
# A program says its version once, at the start; the ring would have dropped that by the end.
_FIRST = 100
SHOWN = 20
"""The most lines of a log in a message."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its time in seconds since the epoch; 0 when the time is not known."""

    at: float
    text: str

    def __str__(self) -> str:
        stamp = datetime.fromtimestamp(self.at, UTC).strftime("%H:%M:%S.%f")[:-3] if self.at else ""
        return f"{stamp} {self.text}".strip()


class LogRing:
    """Filled by one thread, read by others; `current_time` returns the time of a line."""

    def __init__(self, current_time: Callable[[], float] = time.time) -> None:
        self._lines: deque[Line] = deque()
        self._letters = 0
        self._first: list[Line] = []
        self._now = current_time

    def fill(self, lines: Iterable[str]) -> None:
        """Take lines until there are no more."""
        for line in lines:
            # Control characters of a log would act on the terminal of who reads a failure.
            entry = Line(self._now(), printable(line.rstrip()))
            self._keep(entry)
            if len(self._first) < _FIRST:
                self._first.append(entry)

    def _keep(self, line: Line) -> None:
        self._lines.append(line)
        self._letters += len(line.text) + 1
        while self._letters > _KEPT:
            self._letters -= len(self._lines.popleft().text) + 1

    def opening(self) -> list[Line]:
        """Return the first lines, in which a program says who it is; they are kept however much follows."""
        # A copy: the reading thread goes on to append.
        return list(self._first)

    def whole(self) -> list[Line]:
        """Return all lines that are kept."""
        return list(self._lines)

    def has(self, pattern: str) -> bool:
        """Tell whether a line that is kept matches a regular expression."""
        return any(re.search(pattern, line.text) for line in self.whole())
