"""What a case of the conformance suite costs: one scenario in one process, counted over many of its cases."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import perf_counter

from .figure import Figure

PROFILE = ("run", "--dialect", "all")


def figures() -> Iterator[Figure]:
    """Yield the seconds of a whole run (`make conformance`) and what a case costs in it."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kueue_conformance", *PROFILE, "--report-dir", folder]
        began = perf_counter()
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        seconds = perf_counter() - began
    cases = max((int(number) for number in re.findall(r"(\d+) passed", done.stdout)), default=0)
    note = f"{cases} cases passed, exit code {done.returncode}"
    yield Figure("conformance, ADMISSION, every dialect", (seconds,), "s", "< 30", note=note)
    if cases:
        yield Figure("  a case, all workers together", (seconds / cases * 1000,), "ms")
