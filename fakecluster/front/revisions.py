"""By when the server behind had come to which revision, as far as what passes through a front shows it.

A client cannot act on what it has not been shown, so a change that it acts on is never told to have come
later than what it does.
"""

from __future__ import annotations

import re
from bisect import bisect_left

SAID = re.compile(rb'"resourceVersion": ?"(\d{1,19})"')
KEPT = 100_000
"""Revisions of which at least so many are known; one before them counts as shown with the oldest."""


class Revisions:
    """Each time at which something newer than everything before was shown."""

    def __init__(self) -> None:
        self._shown: list[tuple[int, float]] = []

    def shown(self, body: bytes, time: float) -> None:
        """Note the newest revision in an answer."""
        newest = max(map(int, SAID.findall(body)), default=0)
        if newest > (self._shown[-1][0] if self._shown else 0):
            self._shown.append((newest, time))
        if len(self._shown) > 2 * KEPT:
            # A reader in another thread goes on with the list that it has.
            self._shown = self._shown[-KEPT:]

    def by(self, revision: int) -> float | None:
        """Return by when the server had certainly come to a revision, None when nothing has shown it yet."""
        shown = self._shown
        at = bisect_left(shown, (revision, 0.0))
        return shown[at][1] if at < len(shown) else None
