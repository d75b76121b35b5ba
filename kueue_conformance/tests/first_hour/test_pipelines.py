"""The action of GitHub, and the examples for GitLab and Tekton: their own commands are run as they stand, in
bash, with the values that the CI server would put in. Their `uses:` steps and images are not.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ..checkout import ROOT
from ..command_line.processes import environment
from .controllers import EXAMPLE

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
GITLAB = yaml.safe_load((ROOT / "examples/pipelines/gitlab-ci.yml").read_text("utf-8"))
TASK = yaml.safe_load((ROOT / "examples/pipelines/tekton-task.yaml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(params=["right", "wrong"])
def project(request, tmp_path):
    """A repository with a controller in Python; a wrong one answers again after an eviction."""
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    if request.param == "wrong":
        program = tmp_path / "controller.py"
        program.write_text(program.read_text().replace('is_true(workload, "Evicted")', "False"))
    return tmp_path, int(request.param == "wrong")


def bash(script, cwd, **variables):
    """Run a script as the CI servers do: it ends at the first command that fails."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=cwd,
        env={**environment(), "PATH": PATH, **variables},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def step(name):
    return next(step for step in STEPS if step.get("name") == name)


class Runner:
    """Runs steps of the action: inputs and outputs of steps are put in as GitHub does."""

    def __init__(self, folder, **inputs):
        defaults = {name: given["default"] for name, given in ACTION["inputs"].items()}
        self.folder, self.values = (
            folder,
            {f"inputs.{name}": value for name, value in {**defaults, **inputs}.items()},
        )

    def run(self, name):
        chosen = step(name)
        variables = {
            key: EXPRESSION.sub(lambda match: self.values[match[1]], text)
            for key, text in chosen.get("env", {}).items()
        }
        files = {key: str(self.folder / key.lower()) for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        done = bash(chosen["run"], self.folder, **variables, **files)
        output = self.folder / "github_output"
        for line in output.read_text().splitlines() if output.exists() else ():
            key, _, value = line.partition("=")
            self.values[f"steps.{chosen['id']}.outputs.{key}"] = value
        output.unlink(missing_ok=True)
        return done


@pytest.mark.parametrize(
    ("package", "installed"),
    [("", "/action/fakecluster /action"), ("dist/f.whl dist/k.whl", "dist/f.whl dist/k.whl")],
    ids=["the suite of the action", "packages"],
)
def test_the_action_installs(tmp_path, package, installed):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)

    done = bash(
        step("Install kueue-conformance")["run"],
        tmp_path,
        PACKAGE=package,
        ACTION="/action",
        PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
    )

    assert done.stdout == f"-m pip install --quiet {installed}\n", done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("project", ["wrong"], indirect=True)
def test_the_action_judges_shows_and_ends_as_the_run(project):
    folder, code = project
    runner = Runner(folder, arguments="CHK-014 -n 0")

    judged = runner.run("Judge the controller")
    shown = runner.run("Show what was found beside the change and on the page of the run")
    ended = runner.run("End as the run has ended")

    assert (judged.returncode, shown.returncode, ended.returncode) == (0, 0, code), (
        judged.stdout + judged.stderr
    )
    assert runner.values["steps.judge.outputs.exit-code"] == str(code)
    assert ("::error title=CHK-014" in shown.stdout) is bool(code)
    assert "# Kueue conformance" in (folder / "github_step_summary").read_text()
    assert '"schemaVersion": 1' in runner.values["steps.show.outputs.badge"]
    assert runner.values["steps.show.outputs.report"] == str(folder / "conformance-report/report.yaml")
    assert (folder / "conformance-report/conformance.sarif").exists()


def test_a_run_without_a_report_shows_nothing(tmp_path):
    runner = Runner(tmp_path, **{"subject-file": "none.yaml"})

    runner.run("Judge the controller")
    shown = runner.run("Show what was found beside the change and on the page of the run")

    assert runner.values["steps.judge.outputs.exit-code"] == "4"
    assert (shown.returncode, shown.stdout, "steps.show.outputs.report" in runner.values) == (0, "", False)


def test_the_action_names_what_it_has():
    known = {f"inputs.{name}" for name in ACTION["inputs"]} | {"github.action_path"}
    known |= {
        f"steps.{name}.outputs.{output}"
        for name, output in (("judge", "exit-code"), ("show", "badge"), ("show", "report"))
    }
    named = set(re.findall(r"(?:inputs|steps|github)\.[\w.-]+", (ROOT / "action.yml").read_text("utf-8")))

    assert named <= known
    assert {f"inputs.{name}" for name in ACTION["inputs"]} <= named
    assert all(chosen.get("shell") == "bash" for chosen in STEPS if "run" in chosen)
    assert all("description" in given for given in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))


@pytest.mark.acceptance
@pytest.mark.timeout(240)
def test_the_shards_of_gitlab_are_put_together(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    job, whole = GITLAB["conformance"], GITLAB["whole-report"]
    total = str(job["parallel"])
    for index in range(1, job["parallel"] + 1):
        done = bash(
            "\n".join(job["script"]),
            tmp_path,
            CI_NODE_INDEX=str(index),
            CI_NODE_TOTAL=total,
            KUEUE_CONFORMANCE_SELECT="CHK-001,CHK-010",
        )
        assert done.returncode == 0, done.stdout + done.stderr

    merged = bash("\n".join(whole["script"]), tmp_path)

    assert (merged.returncode, merged.stderr) == (0, "")
    report = yaml.safe_load((tmp_path / "report.yaml").read_text("utf-8"))
    assert [scenario["id"] for scenario in report["scenarios"]] == ["CHK-001", "CHK-010"]
    assert report["complete"]
    assert len([*tmp_path.glob(job["artifacts"]["reports"]["junit"])]) == 2
    assert all((tmp_path / name).exists() for name in whole["artifacts"]["paths"])


@pytest.mark.acceptance
def test_the_task_of_tekton_ends_as_the_run_and_has_its_result(project):
    folder, code = project
    (chosen,) = TASK["spec"]["steps"]
    values = {
        "params.package": "",
        "params.subject-file": "subject.yaml",
        "results.badge.path": str(folder / "badge"),
    }

    def put_in(text):
        return re.sub(r"\$\(([\w.-]+)\)", lambda match: values[match[1]], text)

    # The suite is installed already.
    script = re.sub(r"^python -m pip .*\n", "", put_in(chosen["script"]), flags=re.MULTILINE)
    variables = {row["name"]: put_in(row["value"]) for row in chosen["env"]}

    done = bash(script, folder, **variables, KUEUE_CONFORMANCE_SELECT="CHK-014")

    assert done.returncode == code, done.stdout + done.stderr
    assert '"schemaVersion": 1' in (folder / "badge").read_text()
