"""kill -9 of the harness: no process and no folder of it is left behind (harness/H-42)."""

import os
import signal
import subprocess
from pathlib import Path
from threading import Event

import pytest

from .programs import alive, command, leftovers


def children(process):
    """Return the processes that a process has started."""
    try:
        return [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def until(holds):
    """Wait, for at most a minute; tell whether it came."""
    for _ in range(600):
        if holds():
            return True
        Event().wait(0.1)
    return False


@pytest.fixture
def run(tmp_path):
    """A run whose subject is at work: the command's process and that of pytest."""
    words, environment = command(tmp_path, "forks and waits", "CHK-010", "CHK-011", "CHK-012", "CHK-013")
    with (tmp_path / "out").open("w") as out:
        process = subprocess.Popen(words, env=environment, stdout=out, stderr=out, start_new_session=True)
    assert until(lambda: (tmp_path / "pids").exists() and len((tmp_path / "pids").read_text().split()) == 2)
    yield process, children(process.pid)[0]
    process.kill()
    process.wait()


@pytest.mark.slow
def test_nothing_survives_the_death_of_pytest(tmp_path, run):
    process, pytest_process = run
    os.kill(pytest_process, signal.SIGKILL)
    process.wait(60)

    assert until(lambda: leftovers(tmp_path) == ([], [])), leftovers(tmp_path)


@pytest.mark.slow
def test_nothing_survives_the_death_of_the_command(tmp_path, run):
    process, pytest_process = run
    process.kill()
    process.wait()

    assert until(lambda: not alive(pytest_process))
    assert until(lambda: leftovers(tmp_path) == ([], [])), leftovers(tmp_path)


@pytest.mark.slow
def test_nothing_survives_the_death_of_all_at_once(tmp_path, run):
    process, _ = run
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()

    assert until(lambda: leftovers(tmp_path) == ([], [])), leftovers(tmp_path)
