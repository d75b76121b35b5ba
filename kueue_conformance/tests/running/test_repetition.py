"""Equal runs make equal reports: in one process, in several, in any order (H-26); the kubeconfig backend; an
end in between.
"""

import re
import shlex
import signal
import subprocess
import sys

import pytest
import yaml

from ..command_line.processes import COMMAND, environment, run

SELECTED = ("ADM-012", "ADM-200", "ADM-204")
SEED = ("--seed", "5", "--report-dir", "report")
_MOVING = re.compile(
    r'(?:seconds: |time="|date: )[^\n" ]+|^ +waits:\n(?: +\w+:\n(?: +- [0-9.]+\n)+)+|rv +\d+', re.MULTILINE
)


def reports(folder):
    """Return what must be equal, without times and revisions."""
    return {
        name: _MOVING.sub("", (folder / "report" / name).read_text("utf-8"))
        for name in ("report.yaml", "summary.md", "junit.xml")
    }


@pytest.fixture(scope="module")
def serial_reports(tmp_path_factory):
    """The reports of a run in one process, in the order of the files."""
    folder = tmp_path_factory.mktemp("serial")
    assert run("run", *SELECTED, *SEED, "-n0", cwd=folder).code == 0
    return reports(folder)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["-n2"], id="in two processes"),
        pytest.param(["-n0", "--pytest-arg=-prandomly", "--pytest-arg=--randomly-seed=7"], id="shuffled"),
    ],
)
def test_equal_runs_make_equal_reports(tmp_path, serial_reports, words):
    assert run("run", *SELECTED, *SEED, *words, cwd=tmp_path).code == 0
    assert reports(tmp_path) == serial_reports


@pytest.fixture
def server(tmp_path):
    """The kubeconfig of an API server in another process, in real time."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fakecluster",
            "serve",
            "--controllers",
            "none",
            "--kubeconfig",
            str(tmp_path / "config"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().startswith("ready ")
    yield tmp_path / "config"
    process.terminate()
    process.wait(timeout=30)
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_suites_hold_in_real_time_on_a_server_elsewhere(tmp_path, server):
    backend = ("--backend", f"kubeconfig:{server}", "--control-plane", "reference")

    done = run("run", "ADM-200", "ADM-201", "ADM-204", *SEED, *backend, "-n0", cwd=tmp_path, timeout=280)

    assert done.code == 0, done.out
    document = yaml.safe_load((tmp_path / "report/report.yaml").read_text("utf-8"))
    assert {scenario["id"]: scenario["outcome"] for scenario in document["scenarios"]} == {
        "ADM-200": "passed",
        "ADM-201": "passed",
        "ADM-204": "passed",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "started", [pytest.param("", id="at-once"), pytest.param("trap '' INT; ", id="deaf-to-SIGINT")]
)
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_an_interrupted_run_reports_what_it_found(tmp_path, sent, started):
    command = shlex.join([*COMMAND, "run", *SEED, "-n0", "--pytest-arg=-v"])
    with subprocess.Popen(
        ["sh", "-c", f"{started}exec {command}"],
        cwd=tmp_path,
        env=environment(),
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        next(line for line in process.stdout if "PASSED" in line)
        process.send_signal(sent)
        output = process.stdout.read()
        code = process.wait(timeout=60)

    assert code == 2, output
    assert "Traceback" not in output
    assert yaml.safe_load((tmp_path / "report/report.yaml").read_text("utf-8"))["complete"] is False
