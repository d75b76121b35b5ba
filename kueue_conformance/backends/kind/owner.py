"""Who made a cluster: a process, told from a later one of the same number by when it started."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_STARTED = 18
"""Where /proc/PID/stat says when, counted after the state."""
_DEAD = "ZX"
"""Killed, but nobody has asked for its exit code yet."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process."""

    pid: int
    started: str

    @classmethod
    def here(cls) -> Owner:
        """Return this process."""
        return cls.of(os.getpid())

    @classmethod
    def of(cls, pid: int) -> Owner:
        """Return a process by its number."""
        return cls(pid, _started(pid))

    @property
    def lives(self) -> bool:
        """Whether it is still at work."""
        return bool(self.started) and _started(self.pid) == self.started

    def end(self) -> None:
        """Kill it, and all that it has started as the leader of a group."""
        if self.lives:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)


NO_OWNER = Owner(0, "")


def _started(pid: int) -> str:
    """Return when a process started, in the system's own words; empty when there is none."""
    try:
        state, *said = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if state in _DEAD else said[_STARTED]
    except OSError:
        if Path("/proc/self/stat").exists():
            return ""
    told = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return told.stdout.strip()
