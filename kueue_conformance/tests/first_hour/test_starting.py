"""A subject that cannot be started is told once and at once; one that never says Active gets a verdict."""

import os

import pytest

from kueue_conformance.base.errors import CombinedError, SubjectDied, UsageError
from kueue_conformance.subject import ConnectorContext, connector

from ..command_line.processes import run as run_process
from .controllers import NAME, judge_program

SILENT = """
from controller import CheckController, main

class Silent(CheckController):
    def activate(self, check):
        pass

main(Silent)
"""
DYING = """
import os
from controller import CheckController, main

class Dying(CheckController):
    def activate(self, check):
        print("parameters: nil", flush=True)
        os._exit(2)

main(Dying)
"""
MISSING = {
    "a program": (
        "process:./my-controler",
        "the subject cannot be started: './my-controler': No such file or directory (looked for ",
    ),
    "a module": ("python:no_such_module:run", "the subject cannot be started: "),
}


@pytest.mark.parametrize(("subject", "message"), MISSING.values(), ids=MISSING)
def test_what_is_not_there_is_told_once_before_anything_is_started(tmp_path, subject, message):
    done = run_process("run", "--subject", subject, "--controller-name", NAME, cwd=tmp_path)

    assert (done.code, done.whole.count(message), len(done.whole.splitlines()) <= 3) == (7, 1, True), (
        done.whole
    )


def test_what_is_wrong_besides_decides_the_code():
    dead, wrong = SubjectDied("dead"), UsageError("wrong")

    assert (CombinedError([dead, wrong]).exit_code, CombinedError([dead, dead]).exit_code) == (4, 7)


def test_paths_of_a_subject_file_begin_beside_it(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin/controller"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    (folder / "subject.yaml").write_text(
        f"apiVersion: kueue-conformance.dev/v1\nkind: Subject\nconnect: process:./bin/controller\ncontrollerName: {NAME}\n"
    )
    done = run_process(
        "run",
        "CHK-001",
        "-n",
        "0",
        "--timeout-scale",
        "0.02",
        "--subject-file",
        "project/subject.yaml",
        cwd=tmp_path,
    )

    assert (done.code, "cannot be started" in done.whole, "it sent no request" in done.whole) == (
        7,
        False,
        True,
    )


def test_a_program_works_in_the_folder_of_the_subject_file(tmp_path):
    connector("process:sh -c 'pwd'", ConnectorContext(folder=tmp_path)).look()
    with pytest.raises(SubjectDied, match=f"looked for {tmp_path}{os.sep}bin/none"):
        connector("process:bin/none", ConnectorContext(folder=tmp_path)).look()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "text"),
    [(SILENT, "became Active within"), (DYING, "parameters: nil")],
    ids=["silent", "dying"],
)
def test_a_controller_that_never_says_active_gets_a_verdict(tmp_path, program, text):
    ran = judge_program(tmp_path, program, "CHK-001", "CHK-010", "CHK-014", "--timeout-scale", "0.4")
    outcomes = {scenario["id"]: scenario["outcome"] for scenario in ran.report["scenarios"]}
    progress_lines = [line for line in ran.out.splitlines() if line.startswith(("1/", "2/", "3/"))]

    assert (ran.code, outcomes) == (1, {"CHK-001": "failed", "CHK-010": "error", "CHK-014": "error"}), ran.out
    assert [line.split()[1] for line in progress_lines] == ["failed", "error"], ran.out
    assert ran.report["profiles"][0]["result"] == "failure"
    assert text in ran.report["scenarios"][0]["cases"][0]["text"]
