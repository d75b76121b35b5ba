"""Programs of this project as processes of their own: started until they are ready, their CPU time, ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

READY_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class Process:
    """A running process."""

    pid: int

    def cpu(self) -> float:
        """Return the seconds of CPU used so far; not a number where the system has no /proc."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return float("nan")
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Program(Process):
    """A running program and the line with which it said that it is ready."""

    ready: str


@contextmanager
def running(module: str, *options: str) -> Iterator[Program]:
    """Run `python -m module` until the block ends. Raises RuntimeError when it ends before it is ready."""
    command = [sys.executable, "-m", module, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield Program(process.pid, _ready(process, module))
    finally:
        process.terminate()
        process.communicate()


def _ready(process: subprocess.Popen[str], module: str) -> str:
    for line in process.stdout or ():
        if line.startswith("ready"):
            return line.strip()
    raise RuntimeError(f"{module} ended with {process.wait(READY_LIMIT)} before it was ready")


def memory() -> float:
    """Return the megabytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
