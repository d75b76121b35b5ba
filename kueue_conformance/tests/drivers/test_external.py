"""`external:`: the user starts the subject by hand, with the words that are printed (H-02)."""

import os
import shlex
import subprocess
import sys

import pytest

from kueue_conformance.base import resources

CONTROLLER = [sys.executable, str(resources.example() / "controller.py")]
RUN = [
    sys.executable,
    "-m",
    "kueue_conformance",
    "run",
    "CHK-011",
    "--subject",
    "external:",
    "--controller-name",
    "acme.io/budget",
]


@pytest.mark.slow
def test_a_subject_that_is_started_by_hand_is_judged(tmp_path):
    with subprocess.Popen(
        [*RUN, "--report-dir", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as judge:
        line = next(line for line in judge.stderr if line.startswith("start your controller now: "))
        words = dict(word.split("=", 1) for word in shlex.split(line.partition(": ")[2]))
        with subprocess.Popen(
            CONTROLLER, env={**os.environ, **words}, stdout=subprocess.DEVNULL
        ) as controller:
            out, _ = judge.communicate()
            left_alone = controller.poll()
            controller.terminate()

    assert (judge.returncode, left_alone) == (0, None), out
    assert words["KUEUE_CONFORMANCE_CONTROLLER_NAME"] == "acme.io/budget"
