"""Waiting in real time for what tells nobody when it happens: programs of others, pods, clusters that come and go."""

from __future__ import annotations

import time
from collections.abc import Callable

_POLL_SECONDS = 0.1


def still_missing(look: Callable[[], str], seconds: float) -> str:
    """Return nothing as soon as nothing is missing, else what was missing after so many seconds; it looks at least once."""
    end = time.monotonic() + seconds
    while missing := look():
        if time.monotonic() > end:
            return missing
        time.sleep(_POLL_SECONDS)  # noqa: TID251 - bounded, for what tells nobody
    return ""


def becomes(holds: Callable[[], bool], seconds: float) -> bool:
    """Return True as soon as `holds` does, False when it did not within so many seconds."""
    return not still_missing(lambda: "" if holds() else "it", seconds)
