"""How many tasks share a core of this machine."""

from __future__ import annotations

import os
from pathlib import Path

_LOAD_FILE = Path("/proc/loadavg")


def tasks_per_core(file: Path = _LOAD_FILE, cores: int | None = None) -> float:
    """Return how many tasks run or wait for each core at this moment, at least 1.

    A system without /proc does not count them, and then it is 1.
    """
    try:
        running = int(file.read_text("ascii").split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return 1.0
    return max(1.0, running / (cores or os.cpu_count() or 1))


def recent_tasks_per_core() -> float:
    """Return how many tasks shared each core in the last minute, or now where these are more, at least 1."""
    try:
        average = os.getloadavg()[0] / (os.cpu_count() or 1)
    except (OSError, AttributeError):
        average = 1.0
    return max(average, tasks_per_core())
