"""A child process ends with a parent that is killed (harness/H-42)."""

import os
import signal
import subprocess
import sys

import pytest

PARENT = """
import os, signal, subprocess, sys
from kueue_conformance.programs.parent_death import signal_on_parent_death
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[int(sys.argv[1])], preexec_fn=signal_on_parent_death(signal.SIGKILL))
os.write(int(sys.argv[1]), b"started")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's end")
def test_child_ends_with_a_parent_that_is_killed():
    reader, writer = os.pipe()
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(writer)], pass_fds=[writer])
    os.close(writer)

    with os.fdopen(reader, "rb") as output:
        held_open_by_both = output.read()

    assert (parent.wait(), held_open_by_both) == (-signal.SIGKILL, b"started")
