"""How long refused clients are told to stay away: longer the more are refused (FK-052, FK-521)."""

from __future__ import annotations

from collections import deque

from msgspec import Struct, field

LONGEST_RETRY_SECONDS = 32


class Drops(Struct):
    """The refusals of one priority level, by second."""

    retry_after: int = 1
    _refusals: deque[tuple[int, int]] = field(default_factory=deque)
    _second: int = 0
    _count: int = 0
    _raised_second: int = 0

    def note(self, current_time: float) -> int:
        """Count a refusal and return the seconds to tell its client."""
        second = int(current_time)
        if second == self._second:
            self._count += 1
            return self.retry_after
        self._refusals.append((self._second, self._count))
        while self._refusals and second - self._refusals[0][0] > LONGEST_RETRY_SECONDS:
            self._refusals.popleft()
        self._second, self._count = second, 1
        self._adjust(second)
        return self.retry_after

    def _adjust(self, second: int) -> None:
        """Double the wait after a spike, shorten it when few were refused."""
        recent = sum(count for at, count in self._refusals if second - at <= self.retry_after)
        # Not more than once within the wait that was told: those clients have not come back yet.
        if second - self._raised_second >= self.retry_after and recent >= 3 * self.retry_after:
            self.retry_after = min(2 * self.retry_after, LONGEST_RETRY_SECONDS)
            self._raised_second = second
        elif recent < self.retry_after > 1:
            self.retry_after -= 1
