"""What a wrong subject is told: one line of golden text for each mistake, the exit code, and never a
traceback (harness §10.6).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kueue_conformance.cli import main

EXAMPLE = Path(__file__).parents[3] / "examples/check_controllers/python"
NAME = ["--controller-name", "example.com/budget"]
FILE = "apiVersion: kueue-conformance.dev/v1\nkind: Subject\nconnect: 'external:'\ncontrollerName: example.com/budget\n"
USAGE = {
    "unknown connector": (
        ["--subject", "proces:./run", *NAME],
        "unknown connector 'proces'\n  hint: did you mean 'process'? known: external:, process:COMMAND, python:MODULE:CALLABLE, manifest:PATH, reference",
    ),
    "connector without a colon": (
        ["--subject", "process", *NAME],
        "subject 'process' is incomplete\n  hint: write external:, process:COMMAND, python:MODULE:CALLABLE, manifest:PATH or reference",
    ),
    "no command": (
        ["--subject", "process:", *NAME],
        "subject 'process:' names no command\n  hint: write process:./my-controller --flag",
    ),
    "no callable": (
        ["--subject", "python:module", *NAME],
        "subject 'python:module' is incomplete\n  hint: write python:package.module:function",
    ),
    "no controller name": (
        ["--subject", "process:./run"],
        "the controller name of the subject is missing\n  hint: add --controller-name acme.io/budget, or controllerName in the subject file",
    ),
    "subject with a control-plane profile": (
        ["--subject", "process:./run", *NAME, "--profile", "ADMISSION"],
        "--subject names a check controller, but ADMISSION judges a control plane\n  hint: leave --subject out, or use --profile CHECK-CONTROLLER",
    ),
    "profile without a subject": (
        ["--profile", "CHECK-CONTROLLER"],
        'profile CHECK-CONTROLLER judges a check controller, and no subject is given\n  hint: add --subject "process:./my-controller" --controller-name acme.io/budget',
    ),
    "file that is not there": (
        ["--subject-file", "nowhere.yaml"],
        "subject file 'nowhere.yaml' cannot be read: No such file or directory\n  hint: check the path",
    ),
}
FILES = {
    "unknown field": (
        "controlerName: x\n",
        "unknown field of a subject file 'controlerName'\n  hint: did you mean 'controllerName'?",
    ),
    "unknown capability": (
        "capabilities: [Reject]\n",
        "unknown capability 'Reject'\n  hint: did you mean 'Rejected'?",
    ),
    "wrong shape": ("capabilities: Ready\n", "capabilities is 'Ready', expected a list"),
}


def run_error(monkeypatch, capsys, *arguments):
    """Return exit code and standard error of a run."""
    monkeypatch.setattr(sys, "argv", ["kueue-conformance", "run", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "text"), USAGE.values(), ids=USAGE)
def test_usage_error_is_told_in_words(monkeypatch, capsys, arguments, text):
    assert run_error(monkeypatch, capsys, *arguments) == (4, f"error: {text}\n")


@pytest.mark.parametrize(("line", "text"), FILES.values(), ids=FILES)
def test_wrong_subject_file_is_told_in_words(monkeypatch, capsys, tmp_path, line, text):
    file = tmp_path / "subject.yaml"
    file.write_text(FILE + line)
    code, error = run_error(monkeypatch, capsys, "--subject-file", str(file))
    assert code == 4
    assert text in error


STILLBORN = {
    "dies at start": (
        "process:sh -c 'echo no license; exit 3'",
        "the subject died: sh -c 'echo no license; exit 3' ended with exit code 3",
        "no license",
    ),
    "is not there": (
        "process:./no-such-controller",
        "the subject cannot be started: './no-such-controller': No such file or directory",
        "hint:",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "text", "further_text"), STILLBORN.values(), ids=STILLBORN)
def test_subject_that_does_not_start_ends_with_7(tmp_path, subject, text, further_text):
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        "CHK-001",
        "-n",
        "0",
        "--subject",
        subject,
        *NAME,
        "--report-dir",
        str(tmp_path),
    ]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert (
        ended.returncode,
        text in ended.stdout,
        further_text in ended.stdout,
        "Traceback" in ended.stdout,
    ) == (
        7,
        True,
        True,
        False,
    )


DYING = """
import os
from controller import CheckController, main

class Dying(CheckController):
    def ask(self, *_):
        print("the budget service is gone")
        os._exit(3)

main(Dying)
"""


@pytest.mark.slow
def test_subject_that_dies_in_the_middle_of_a_case_ends_with_7(tmp_path):
    file = tmp_path / "dying.py"
    file.write_text(DYING)
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        "CHK-010",
        "-n",
        "0",
        "--subject",
        f"process:python {file}",
        *NAME,
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(EXAMPLE), os.environ.get("PYTHONPATH", "")]),
    }

    ended = subprocess.run(
        [*command, "--report-dir", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 7
    assert f"error: the subject died: python {file} ended with exit code 3\n  log  " in ended.stdout
    assert " the budget service is gone\n  hint: run it by hand to see why: " in ended.stdout
    assert "Traceback" not in ended.stdout
