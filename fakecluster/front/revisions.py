"""By when the server behind had come to which revision, as far as what passes through a front shows it.

A client cannot act on what it has not been shown, so a change that it acts on is never told to have come later than what it does.
"""

from __future__ import annotations

import re
from bisect import bisect_left

SAID = re.compile(rb'"resourceVersion": ?"(\d+)"')


class Revisions:
    """Each time at which something newer than everything before was shown."""

    def __init__(self) -> None:
        self._newest: list[int] = []
        self._times: list[float] = []

    def shown(self, body: bytes, time: float) -> None:
        """Note the newest revision in what is about to be shown."""
        newest = max(map(int, SAID.findall(body)), default=0)
        if newest > (self._newest[-1] if self._newest else 0):
            # A reader in another thread looks at the times of revisions that are there.
            self._times.append(time)
            self._newest.append(newest)

    def by(self, revision: int) -> float | None:
        """Return by when the server had certainly come to a revision, None when nothing has shown it yet."""
        at = bisect_left(self._newest, revision)
        return self._times[at] if at < len(self._newest) else None
