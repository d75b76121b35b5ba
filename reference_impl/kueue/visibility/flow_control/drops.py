"""The Retry-After of refused requests: longer while many are refused (VIS-607)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LONGEST: Final = 32
MANY: Final = 3
"""Refusals in a second, on the average, from which on the time doubles."""


@dataclass(slots=True)
class Drops:
    """Refusals of a level, counted over as many seconds as clients are told to stay away."""

    seconds: int = 1
    _since: float = 0.0
    _count: int = 0

    def note(self, current_time: float) -> None:
        """Count a refusal at a moment of a clock."""
        self._turn(current_time)
        self._count += 1

    def retry_after(self, current_time: float) -> int:
        """Return the seconds to stay away."""
        self._turn(current_time)
        return self.seconds

    def _turn(self, current_time: float) -> None:
        """Close the window that has ended; one without refusals makes the time short again."""
        if current_time - self._since < self.seconds:
            return
        if current_time - self._since >= 2 * self.seconds:
            self.seconds = 1
        elif self._count >= MANY * self.seconds:
            self.seconds = min(LONGEST, 2 * self.seconds)
        elif self._count < self.seconds:
            self.seconds = max(1, self.seconds // 2)
        self._since, self._count = current_time, 0
