"""How programs that serve end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fakecluster.base.stop_signals import Stop


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_program_ends_once_it_was_asked_however_often(times: int) -> None:
    stop = Stop()
    for _ in range(times):
        stop.ask()
    assert stop.wait(0.0) == (times > 0)


def test_a_signal_ends_a_wait_that_begins_after_it() -> None:
    program = "import os, signal; from fakecluster.base.stop_signals import on_signal; stop = on_signal(); os.kill(os.getpid(), signal.SIGTERM); assert stop.wait(60)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
