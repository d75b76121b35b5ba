"""By when the server behind had come to which revision, as far as what passes through a front shows it.

A client cannot act on what it has not been shown, so a change that it acts on is never told to have come
later than what it does.
"""

from __future__ import annotations

import re
from bisect import bisect_left

RESOURCE_VERSION = re.compile(rb'"resourceVersion": ?"(\d{1,19})"')
REVISIONS_KEPT = 100_000
"""Revisions of which at least so many are known; one before them counts as shown with the oldest."""


class Revisions:
    """Each time at which something newer than everything before was shown."""

    def __init__(self) -> None:
        self._first_times: list[tuple[int, float]] = []

    def note(self, body: bytes, time: float) -> None:
        """Note the newest revision in an answer."""
        # A pattern instead of a parse: answers may be megabytes, and only the newest number matters.
        newest = max(map(int, RESOURCE_VERSION.findall(body)), default=0)
        if newest > (self._first_times[-1][0] if self._first_times else 0):
            self._first_times.append((newest, time))
        if len(self._first_times) > 2 * REVISIONS_KEPT:
            # A reader in another thread goes on with the list that it has.
            self._first_times = self._first_times[-REVISIONS_KEPT:]

    def by(self, revision: int) -> float | None:
        """Return by when the server had certainly come to a revision, None when nothing has shown it yet."""
        first_times = self._first_times
        # Times and revisions only rise, so the list is sorted by both.
        at = bisect_left(first_times, (revision, 0.0))
        return first_times[at][1] if at < len(first_times) else None
