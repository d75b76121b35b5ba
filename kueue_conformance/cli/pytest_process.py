"""Runs pytest in a child process: its command line, and how SIGINT and SIGTERM reach it (PY-34)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from ..base import resources
from ..programs.parent_death import signal_on_parent_death

_BY_SIGNAL = 128
PROGRESS = "kueue_conformance.session.progress"
LIVE = "kueue_conformance.live.plugin"
OUR_DISPLAY = ("-qq", "--tb=no", "-rN")
"""pytest options that leave the terminal to us: progress, causes, summary."""
CONFIG = resources.PACKAGE / "data" / "pytest.ini"


def pytest_command(where: Iterable[object], words: Mapping[str, Any]) -> list[str]:
    """Return the command line that runs folders or single cases of the suites with our options."""
    return [
        sys.executable,
        "-m",
        "kueue_conformance.session.pytest_program",
        "-c",
        str(CONFIG),
        "--rootdir",
        str(resources.suites()),
        *map(str, where),
        *(f"--kueue-{key}" if value is True else f"--kueue-{key}={value}" for key, value in words.items()),
    ]


def run_pytest(command: list[str]) -> int:
    """Run a command and return its exit code, of one that a signal ended 128 and its number; SIGTERM and
    SIGINT are passed on, so that it writes a report of the cases so far.
    """
    # Shells start what runs in the background deaf to SIGINT, and pytest would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # This process has no other thread, so no lock can be held across the fork.
    with subprocess.Popen(
        command,
        cwd=Path.cwd(),
        env=dict(os.environ),
        preexec_fn=signal_on_parent_death(signal.SIGINT),  # noqa: PLW1509 - single-threaded, see above
    ) as process:

        def pass_on(number: int, frame: FrameType | None) -> None:
            del frame
            # A terminal signals the whole process group; a signal to this process alone is passed on.
            if number != signal.SIGINT or not _at_terminal():
                process.send_signal(signal.SIGINT)

        # A handler that raised could lose the exit code between its arrival and its being stored.
        old = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            code = process.wait()
            # A second SIGINT may come when the interpreter has given up its handlers.
            return code if code >= 0 else _BY_SIGNAL - code
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)


def _at_terminal() -> bool:
    """Tell whether standard input is a terminal; a closed one is not."""
    try:
        return os.isatty(sys.stdin.fileno())
    except (AttributeError, ValueError, OSError):
        return False
