"""Polls in real time for changes without events:
external programs, pods, clusters that appear and disappear.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_POLL_SECONDS = 0.1


def still_missing(look: Callable[[], str], seconds: float) -> str:
    """Poll until `missing` returns ""; return its last text when `seconds` are over.

    It is called at least once.
    """
    end = time.monotonic() + seconds
    while missing := look():
        if time.monotonic() > end:
            return missing
        time.sleep(_POLL_SECONDS)  # noqa: TID251 - bounded; there is no event to wait for
    return ""


def becomes(holds: Callable[[], bool], seconds: float) -> bool:
    """Return True as soon as `holds` does, False when it did not within so many seconds."""
    return not still_missing(lambda: "" if holds() else "it", seconds)
