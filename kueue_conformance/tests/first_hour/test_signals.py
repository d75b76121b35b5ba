"""A signal at any moment of a run ends it in words:
while modules load, while workers start, and after the last case.
"""

import os
import signal
import socket
import subprocess
import sys

import pytest

from ...cli.pytest_process import run_pytest
from ..command_line.processes import COMMAND, environment

# Python runs this module before anything else: it stops the process at a moment of its own, says so, and goes
# on when it is told to. A process that waits here is in the midst of that import.
STOPS = """
import atexit, os, socket, sys

ROLE, MOMENT = os.environ["MOMENT"].split(" ")
arguments = " ".join(sys.orig_argv)
role = "pytest" if "pytest_program" in arguments else "worker" if " -c " in arguments else "command"

def stop():
    with socket.socket(socket.AF_UNIX) as connection:
        if connection.connect_ex(os.environ["STOPS"]) == 0:
            connection.recv(1)

def listen(event, values):
    if event == "exec" and values[0].co_filename.endswith(MOMENT):
        stop()

if role == ROLE and MOMENT == "exit":
    atexit.register(stop)
elif role == ROLE:
    sys.addaudithook(listen)
"""
MOMENTS = {
    "the command line is loaded": "command /click/__init__.py",
    "the command is loaded": "command /cli/run_command.py",
    "pytest is loaded": "pytest /_pytest/config/__init__.py",
    "a plugin of pytest is loaded": "pytest /xdist/plugin.py",
    "our plugin is loaded": "pytest /kueue_conformance/session/fixtures.py",
    "the progress is loaded": "pytest /kueue_conformance/session/progress.py",
    "the report is written": "pytest /kueue_conformance/report/writing.py",
    "pytest has ended": "pytest exit",
}
LONGEST_SECONDS = 250.0
"""Seconds after which a run does not come to its moment any more, on a machine with much other work."""
OVER = ("pytest /kueue_conformance/report/writing.py", "pytest exit")
"""Every case was judged: a signal does not change how the run ends."""


class StoppedRun:
    """A run that stops at a moment."""

    def __init__(self, folder, moment, *words):
        (folder / "sitecustomize.py").write_text(STOPS)
        self._listener = socket.create_server(str(folder / "stops"), family=socket.AF_UNIX)
        paths = [str(folder), os.environ.get("PYTHONPATH", "")]
        variables = {
            **environment(),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "MOMENT": moment,
            "STOPS": str(folder / "stops"),
        }
        self.process = subprocess.Popen(
            [*COMMAND, "run", "ADM-200", *words],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def wait_for_moment(self):
        """Wait until a process has come to the moment."""
        self._listener.settimeout(LONGEST_SECONDS)
        self._stopped, _ = self._listener.accept()

    def close(self):
        """Leave nothing behind, also of a run that did not come to its moment."""
        self.process.kill()
        self.process.communicate()
        self._listener.close()

    def end(self):
        """Let every process go on, now and later; return exit code and output."""
        self._stopped.close()
        self._listener.close()
        output, _ = self.process.communicate(timeout=LONGEST_SECONDS)
        return self.process.returncode, output


@pytest.fixture
def stopped_run(tmp_path):
    """Start a run that comes to its moment; it is dead at the end of the test."""
    runs = []

    def start(moment, *words):
        runs.append(StoppedRun(tmp_path, moment, *words))
        runs[0].wait_for_moment()
        return runs[0]

    yield start
    for run in runs:
        run.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
def test_a_signal_to_the_command_ends_the_run_without_a_traceback(stopped_run, moment, number):
    run = stopped_run(moment, "-n", "0")
    run.process.send_signal(number)
    code, output = run.end()

    assert ("Traceback" in output, "Exception ignored" in output) == (False, False), output
    assert code in ((0,) if moment in OVER else (2,)), output


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment",
    [
        *(pytest.param(moment, id=name) for name, moment in MOMENTS.items()),
        pytest.param("worker /_pytest/config/__init__.py", id="a worker loads pytest"),
        pytest.param("worker /kueue_conformance/session/fixtures.py", id="a worker loads our plugin"),
    ],
)
def test_a_signal_to_all_processes_as_a_terminal_sends_it(stopped_run, moment):
    run = stopped_run(moment, "-n", "2")
    os.killpg(run.process.pid, signal.SIGINT)
    code, output = run.end()

    assert ("Traceback" in output, "Exception ignored" in output, "KeyboardInterrupt" in output) == (
        False,
        False,
        False,
    ), output
    assert code in ((0, 2) if moment in OVER else (2,)), output


def test_a_signal_between_the_end_of_pytest_and_its_exit_code_loses_nothing(monkeypatch):
    """Without the care of `run_pytest` the exit code is 0 here: a run that was interrupted has passed."""
    waitpid = os.waitpid

    def wait_and_interrupt(pid, options):
        status = waitpid(pid, options)
        signal.raise_signal(signal.SIGINT)
        return status

    monkeypatch.setattr(os, "waitpid", wait_and_interrupt)

    assert run_pytest([sys.executable, "-S", "-c", "raise SystemExit(2)"]) == 2
