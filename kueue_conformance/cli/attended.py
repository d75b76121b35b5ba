"""A pytest run in a process of its own: what it is called with, and how it hears that it shall end (PY-34)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import resources
from ..parent_death import signalled

CONFIG = resources.PACKAGE / "data" / "pytest.ini"


def pytest_command(where: Iterable[object], words: Mapping[str, Any]) -> list[str]:
    """Return the command that runs folders or single cases of the suites with our options."""
    return [
        sys.executable, "-m", "pytest", "-c", str(CONFIG), "--rootdir", str(resources.suites()), *map(str, where),
        *(f"--kueue-{key}" if value is True else f"--kueue-{key}={value}" for key, value in words.items()),
    ]  # fmt: skip


def attended(command: list[str]) -> int:
    """Run a command and return its code; SIGTERM and SIGINT are told to it, so that it writes what it found so far."""
    # Shells start what runs in the background deaf to SIGINT, and pytest would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Nothing else runs in this process, so that there is no lock that somebody could hold.
    with subprocess.Popen(
        command,
        cwd=Path.cwd(),
        env=dict(os.environ),
        preexec_fn=signalled(signal.SIGINT),  # noqa: PLW1509 - as said
    ) as process:
        old = signal.signal(signal.SIGTERM, lambda *_: process.send_signal(signal.SIGINT))
        try:
            return _waited(process)
        finally:
            signal.signal(signal.SIGTERM, old)


def _waited(process: subprocess.Popen[bytes]) -> int:
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # A terminal tells the whole group; who was told alone passes it on.
            if not _at_terminal():
                process.send_signal(signal.SIGINT)


def _at_terminal() -> bool:
    """Tell whether a terminal is there; a standard input that was closed is none."""
    try:
        return os.isatty(sys.stdin.fileno())
    except (AttributeError, ValueError, OSError):
        return False
