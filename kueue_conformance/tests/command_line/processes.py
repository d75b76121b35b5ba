"""Runs `kueue-conformance` as a process; whatever happens, no traceback reaches the user."""

import os
import subprocess
import sys
from dataclasses import dataclass

COMMAND = [sys.executable, "-m", "kueue_conformance"]


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def whole(self):
        return self.out + self.err


def environment():
    """Return the environment without options, and with a width that does not depend on the terminal."""
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("KUEUE_CONFORMANCE_", "PYTEST_"))
    }
    return {**clean, "COLUMNS": "200", "NO_COLOR": "1"}


def run(*words, cwd, program=COMMAND, timeout=110):
    """Run a command to its end."""
    done = subprocess.run(
        [*program, *map(str, words)],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return Done(done.returncode, done.stdout, done.stderr)
