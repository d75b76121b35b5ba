"""`fakecluster serve` as a program: how long until it says that it is ready.

The real server's peer is the start of its programs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from time import perf_counter

from ..figure import Figure
from .servers import CLIENT_CORES, SERVER_CORES

STARTS = 5


def figure() -> Figure:
    """Return the milliseconds of each start."""
    return Figure("start of serve until it is ready", tuple(_once() for _ in range(STARTS)), "ms")


def _once() -> float:
    os.sched_setaffinity(0, SERVER_CORES)
    began = perf_counter()
    with subprocess.Popen([sys.executable, "-m", "fakecluster", "serve"], stdout=subprocess.PIPE) as program:
        os.sched_setaffinity(0, CLIENT_CORES)
        assert program.stdout is not None
        program.stdout.readline()
        spent = (perf_counter() - began) * 1000
        program.terminate()
    return spent
