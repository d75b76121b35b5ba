"""The fence before what only a leader may write: each renewal of the lease opens it, time closes it again.

A process that was stopped and goes on, or that waited for an answer, cannot know whether another replica
leads by now. The age of the last renewal is therefore judged when a request is put on the wire, and counts
from the moment when the renewing request was: no other replica takes the lease before it has seen nothing of
us for longer.
"""

from __future__ import annotations

import math

from .clock import Clock
from .errors import UnreachableError


class NotLeadingError(UnreachableError):
    """A write that was not sent, because this replica cannot know that it still leads."""


class Fence:
    """Open for so many seconds after each renewal."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._renewed = -math.inf

    def renew(self, sent: float) -> None:
        """Open until the term of a renewal ends that was sent at `sent`, a time of `Clock.elapsed`."""
        self._renewed = sent

    def close(self) -> None:
        """Let nothing pass any more."""
        self._renewed = -math.inf

    @property
    def seconds_left(self) -> float:
        """For how many seconds it stays open; none when it is closed."""
        # A monotonic clock: setting the time of day must not prolong a term.
        return max(0.0, self._renewed + self._seconds - self._clock.elapsed())

    def check(self) -> None:
        """Raise NotLeadingError unless it is open."""
        if not self.seconds_left:
            raise NotLeadingError("not sent: the lease was not renewed in time, another replica may lead")
