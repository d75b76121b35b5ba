"""Each exit code means one thing, and the README's table says which (H-33)."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kueue_conformance.base.errors import CUT_SHORT

from ..checkout import ROOT
from .processes import COMMAND, environment
from .processes import run as run_process

WRONG = f"process:python {Path(__file__).parents[1] / 'mutants/answers_before_reservation.py'}"
NAME = ("--controller-name", "example.com/budget")
SERVERLESS = (
    "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:9'}}]\n"
    "contexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\ncurrent-context: x\n"
)
CODES = {
    0: ["run", "ADM-206"],
    1: ["run", "CHK-010", "--subject", WRONG, *NAME],
    3: ["run", "ADM-206", "--backend", "kubeconfig:serverless", "--control-plane", "reference"],
    4: ["run", "ADM206"],
    5: ["run", "ADM-206", "--exclude", "ADM-206"],
    7: ["run", "CHK-010", "--subject", "process:false", *NAME],
}


@pytest.mark.slow
@pytest.mark.parametrize(("code", "words"), CODES.items(), ids=map(str, CODES))
def test_a_run_ends_with_its_code(tmp_path, code, words):
    (tmp_path / "serverless").write_text(SERVERLESS)

    done = run_process(*words, "-n0", cwd=tmp_path)

    assert done.code == code, done.whole


@pytest.mark.slow
def test_a_report_that_cannot_be_written_is_told_with_3(tmp_path):
    (tmp_path / "reports/report.yaml").mkdir(parents=True)

    done = run_process("run", "ADM-206", "-n0", "--report-dir", "reports", cwd=tmp_path)

    assert (done.code, "reports/report.yaml' cannot be written: Is a directory" in done.out) == (3, True), (
        done.whole
    )


@pytest.mark.slow
def test_an_interrupted_run_ends_with_2(tmp_path):
    command = [*COMMAND, "run", "-n0", "--dialect", "all"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        first_line = next(
            line for line in process.stdout if "items" in line or "collected" in line or "[" in line
        )
        process.send_signal(signal.SIGINT)
        process.stdout.read()

    assert (process.returncode, bool(first_line)) == (2, True)


@pytest.mark.parametrize(
    "words",
    [["smoke"], ["list", "--profile", "X"], ["explain", "X"], ["init", "/proc/x"], ["verify", "x"]],
    ids=" ".join,
)
def test_every_command_says_4_to_wrong_usage(tmp_path, words):
    assert run_process(*words, cwd=tmp_path).code == 4


def test_the_readme_names_the_codes_that_there_are():
    rows = re.findall(r"^\| (\d) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(map(int, rows)) == sorted({*CODES, 2})


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(
            signal.SIGINT, CUT_SHORT, id="interrupted when the interpreter has no handlers any more"
        ),
        pytest.param(signal.SIGKILL, 137, id="killed"),
    ],
)
def test_a_run_that_a_signal_ends_has_the_code_of_a_shell(number, code):
    program = f"import os, signal; os.kill(os.getpid(), {number:d})"
    if number == signal.SIGINT:
        program = f"import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); {program}"
    # In an interpreter of its own: `run_pytest` forks, which threads of this process may not
    # survive, as those of gRPC.
    outer = f"import sys; from kueue_conformance.cli.pytest_process import run_pytest; sys.exit(run_pytest([sys.executable, '-c', {program!r}]))"

    assert subprocess.run([sys.executable, "-c", outer], check=False).returncode == code


NOTHING_RAN = {
    "another dialect": (
        ("--profile", "KUEUE-RECORDED", "KRC-001"),
        "nothing ran: none of 1 scenario(s) holds in dialect v0.20",
        "--dialect v0.19",
    ),
    "a build": (
        ("--profile", "KUEUE-RECORDED", "KRC-820"),
        "holds in dialect v0.20",
        "--dialect v0.20.0-devel",
    ),
    "another level": (
        ("ADM-200", "--level", "may"),
        "nothing ran: no scenario is left of those that were selected",
        "--level",
    ),
}


@pytest.mark.parametrize(("words", "problem", "hint"), NOTHING_RAN.values(), ids=NOTHING_RAN)
def test_a_run_without_a_case_says_why(tmp_path, words, problem, hint):
    done = run_process("run", *words, "-n", "0", cwd=tmp_path)

    assert (done.code, problem in done.err, hint in done.err) == (5, True, True), done.err
