"""The process that made a cluster: its number and start time,
which tell it from a later process with the same number.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_STARTED = 18
"""The field of /proc/PID/stat with the start time, counted after the state."""
_DEAD = "ZX"
"""States of a process that has ended and was not reaped yet."""


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
        return cls(pid, _start_time(pid))

    @property
    def lives(self) -> bool:
        """Whether the process still runs."""
        # Numbers are used again after a while; a start time is not.
        return bool(self.started) and _start_time(self.pid) == self.started

    def end(self) -> None:
        """Kill the process and its process group."""
        if self.lives:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)


NO_OWNER = Owner(0, "")


def _start_time(pid: int) -> str:
    """Return the start time of a process as /proc has it; empty when there is no such process."""
    try:
        # The second field is the command in brackets, which may hold spaces and brackets itself:
        # the last bracket ends it.
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        # A zombie keeps its number until its parent reaps it.
        return "" if state in _DEAD else fields[_STARTED]
    except OSError:
        # /proc is there and the process is not in it. Without /proc, as on macOS, `ps` is asked.
        if Path("/proc/self/stat").exists():
            return ""
    completed = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return completed.stdout.strip()
