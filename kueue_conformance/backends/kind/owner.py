"""Who made a cluster: a process, told from a later one of the same number by when it started."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_STARTED = 19
"""Where /proc/PID/stat says when, counted after the name in brackets."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process."""

    pid: int
    started: str

    @classmethod
    def here(cls) -> Owner:
        """Return this process."""
        return cls(os.getpid(), _started(os.getpid()))

    @property
    def lives(self) -> bool:
        """Whether it is still at work."""
        return bool(self.started) and _started(self.pid) == self.started


def _started(pid: int) -> str:
    """Return when a process started, in the system's own words; empty when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[_STARTED]
    except OSError:
        if Path("/proc/self/stat").exists():
            return ""
    told = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return told.stdout.strip()
