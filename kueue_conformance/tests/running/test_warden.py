"""Nothing of a program outlives it or the harness: not its children, not those that left its group, not our
folders (harness/H-42).
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from kueue_conformance.subject import warden

SPAWNS = "import os, subprocess, sys, time\np = subprocess.Popen(['sleep', '600'], start_new_session={apart})\nprint(p.pid, flush=True)\n{then}"
WAITS, LEAVES = "time.sleep(600)", "sys.exit(3)"


def start(*words, folders=()):
    return subprocess.Popen(
        [sys.executable, "-I", "-S", warden.__file__, *folders, "--", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def program(last_line, *, apart=False):
    return sys.executable, "-c", SPAWNS.format(apart=apart, then=last_line)


def is_gone(process):
    """Tell whether a process is gone, after at most some seconds."""
    for _ in range(200):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if "Z" in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]:
            return True
        Event().wait(0.02)
    return False


def end(process):
    process.stdout.close()
    process.stdin.close()
    return process.wait(10)


@pytest.mark.parametrize("apart", [False, True], ids=["in its group", "in a session of its own"])
def test_children_end_with_their_program(apart):
    process = start(*program(LEAVES, apart=apart))
    child = int(process.stdout.readline())

    assert process.wait(10) == 3
    assert is_gone(child)
    end(process)


def test_a_kill_ends_program_and_children():
    process = start(*program(WAITS))
    child = int(process.stdout.readline())
    process.stdin.write("kill")

    assert end(process) == -signal.SIGKILL
    assert is_gone(child)


def test_the_end_of_the_harness_ends_all_and_removes_its_folders(tmp_path):
    folder = tmp_path / "ours"
    (folder / "below").mkdir(parents=True)
    (folder / "below/file").write_text("secret")
    process = start(*program(WAITS), folders=[str(folder)])
    child = int(process.stdout.readline())

    assert end(process) == -signal.SIGKILL
    assert is_gone(child)
    assert not folder.exists()


def test_a_program_whose_warden_is_killed_ends_too():
    process = start(sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(600)")
    child = int(process.stdout.readline())
    process.kill()

    assert is_gone(child)
    end(process)


def test_signals_are_passed_on():
    deaf = "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); print('ready', flush=True); time.sleep(600)"
    process = start(sys.executable, "-c", deaf)
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)

    assert process.wait(10) == 7
    end(process)


def test_a_program_that_cannot_be_run_is_told():
    process = start("/")

    assert process.wait(10) == 126
    end(process)
