"""`examples/public_controllers/judge.py` judges or explores a clone, and says what a clone lacks."""

import runpy
import subprocess
import sys

import pytest

from kueue_conformance.tests.checkout import ROOT

JUDGE = ROOT / "examples/public_controllers/judge.py"


def judge(*words):
    return subprocess.run([sys.executable, JUDGE, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("is_explored", "words"),
    [
        (False, ["run", "--subject-file", "--dialect", "v0.19", "-n", "0", "--level", "must"]),
        (True, ["explore", "--subject-file", "--dialect", "v0.19", "--level", "must"]),
    ],
)
def test_a_controller_of_the_older_api_is_judged_and_explored_in_a_dialect_that_has_it(is_explored, words):
    command_of = runpy.run_path(str(JUDGE))["command_of"]

    command = command_of("retry_test", ["--level", "must"], is_explored=is_explored)

    assert command[1:3] == ["-m", "kueue_conformance"]
    assert [word for word in command[3:] if not word.endswith("retry_test/subject.yaml")] == words


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("konflux_config", None, "is no folder\n  hint: name the folder"),
        ("retry_test", {}, "has no program admission-check/admission-check\n  hint: build it"),
        ("konflux_config", {"bin/manager": ""}, "has no config/rbac/role.yaml\n  hint: is it a clone for"),
    ],
)
def test_what_a_clone_lacks_is_said_with_a_next_step(tmp_path, name, content, message):
    clone = tmp_path / "clone"
    for file, text in (content or {}).items():
        (clone / file).parent.mkdir(parents=True, exist_ok=True)
        (clone / file).write_text(text)
    if content is not None:
        clone.mkdir(exist_ok=True)

    ended = judge(name, clone, "--explore")

    assert (ended.returncode, ended.stdout) == (4, "")
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
