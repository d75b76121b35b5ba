"""How long refused clients are told to stay away: longer the more are refused (FK-052, FK-521)."""

from __future__ import annotations

from collections import deque

from msgspec import Struct, field

LONGEST_RETRY_SECONDS = 32


class Drops(Struct):
    """The refusals of one priority level, by second."""

    retry_after: int = 1
    _past: deque[tuple[int, int]] = field(default_factory=deque)
    _second: int = 0
    _count: int = 0
    _raised: int = 0

    def note(self, now: float) -> int:
        """Count a refusal and return the seconds to tell its client."""
        second = int(now)
        if second == self._second:
            self._count += 1
            return self.retry_after
        self._past.append((self._second, self._count))
        while self._past and second - self._past[0][0] > LONGEST_RETRY_SECONDS:
            self._past.popleft()
        self._second, self._count = second, 1
        self._adjust(second)
        return self.retry_after

    def _adjust(self, second: int) -> None:
        """Double the wait after a spike, shorten it when few were refused."""
        recent = sum(count for at, count in self._past if second - at <= self.retry_after)
        if second - self._raised >= self.retry_after and recent >= 3 * self.retry_after:
            self.retry_after = min(2 * self.retry_after, LONGEST_RETRY_SECONDS)
            self._raised = second
        elif recent < self.retry_after > 1:
            self.retry_after -= 1
