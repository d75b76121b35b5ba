"""The example check controllers, each in its own language, judged as their authors would judge them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.tests.killing.repetitions import core

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(900)]
EXAMPLES = ROOT / "examples/check_controllers"
FIRST = ("CHK-001", "CHK-002", "CHK-010", "CHK-014", "CHK-020", "CHK-021")


BASH = "bash examples/check_controllers/bash/controller.sh"


def judge(command: str, example: str, folder: Path, selection: Sequence[str] = ()):
    """Judge a command by the whole contract, or what the
    words choose of it; return the result of the profile.

    What is not judged is a capability that the example does not declare or what a program in real time cannot
    be shown: the report says which.
    """
    declared = EXAMPLES / example / "subject.yaml"
    line = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        *selection,
        "--subject",
        f"process:{command}",
        "--subject-file",
        str(declared),
        "--report-dir",
        str(folder),
        "-n",
        "2",
    ]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    report = yaml.safe_load((folder / "report.yaml").read_text("utf-8"))
    unsupported = {
        scenario["code"] for scenario in report["scenarios"] if scenario["outcome"] == "unsupported"
    }
    assert unsupported <= lacking(yaml.safe_load(declared.read_text("utf-8"))["capabilities"])
    (profile,) = report["profiles"]
    assert profile["name"] == "CHECK-CONTROLLER"
    return profile["result"]


def lacking(declared: Sequence[str]) -> set[str]:
    """Return the reasons for which a scenario may be left out."""
    return {
        f"capability {missing_capability}"
        for missing_capability in Capability
        if missing_capability not in declared
    } | {"virtual time"}


def copy_example(example: str, folder: Path) -> Path:
    """Return a copy of an example whose packages are installed."""
    copy = shutil.copytree(
        EXAMPLES / example, folder / example, ignore=shutil.ignore_patterns("node_modules", "dist")
    )
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=copy, check=True)
    return copy


def programs(*names):
    """Skip, visibly, where a program is missing."""
    missing = [name for name in names if shutil.which(name) is None]
    return pytest.mark.skipif(
        bool(missing), reason=f"unsupported: needs {', '.join(missing)}, not on this machine"
    )


def test_it_keeps_the_contract_in_python(tmp_path):
    assert judge("python examples/check_controllers/python/controller.py", "python", tmp_path) == "success"


def test_it_keeps_the_contract_on_kopf(tmp_path):
    """All of it but CHK-107: kopf ends when a watch ends with an error other than 410 (the README of the
    example). Hence partial.
    """
    command = "kopf run --all-namespaces --standalone --quiet examples/check_controllers/kopf/controller.py"

    assert judge(command, "kopf", tmp_path, ("--exclude", "CHK-107")) == "partial"


@programs("bash", "kubectl", "curl", "jq")
def test_a_script_gives_and_withholds_verdicts(tmp_path):
    """A process for each request takes many minutes for the whole: these are the first of each sort."""
    assert judge(BASH, "bash", tmp_path, FIRST) == "success"


@programs("bash", "kubectl", "curl", "jq")
def test_a_script_keeps_the_core_of_the_contract(tmp_path):
    assert judge(BASH, "bash", tmp_path, core()) == "success"


@programs("cargo")
def test_it_keeps_the_contract_in_rust(tmp_path):
    build = ["cargo", "build", "--target-dir", str(tmp_path / "target")]
    subprocess.run(build, cwd=EXAMPLES / "rust", check=True)

    assert judge(str(tmp_path / "target/debug/check-controller"), "rust", tmp_path / "report") == "success"


@programs("java", "mvn")
def test_a_team_in_java_comes_to_a_report(tmp_path):
    """`init --language java`, its build, smoke and run, with the default client of fabric8: nothing else."""
    suite = [sys.executable, "-m", "kueue_conformance"]
    for command in (
        [*suite, "init", "demo", "--language", "java", "--package", "kueue-conformance"],
        ["mvn", "-B", "-q", "package", "-f", "demo"],
        [*suite, "smoke", "--subject-file", "demo/subject.yaml"],
        [*suite, "run", "--subject-file", "demo/subject.yaml", "-n", "2"],
    ):
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

        assert ended.returncode == 0, ended.stdout + ended.stderr
    report = yaml.safe_load((tmp_path / "conformance-report/report.yaml").read_text("utf-8"))
    assert [profile["result"] for profile in report["profiles"]] == ["success"]


@programs("node", "npm")
def test_it_keeps_the_contract_in_typescript(tmp_path):
    folder = copy_example("typescript", tmp_path)
    subprocess.run(["npm", "run", "build", "--silent"], cwd=folder, check=True)

    assert judge(f"node {folder / 'dist/controller.js'}", "typescript", tmp_path / "report") == "success"


def test_it_keeps_the_contract_in_go(go_controller, tmp_path):
    assert judge(str(go_controller), "go", tmp_path) == "success"


@programs("node", "npm")
def test_it_keeps_the_contract_in_javascript(tmp_path):
    folder = copy_example("node", tmp_path)

    assert judge(f"node {folder / 'controller.mjs'}", "node", tmp_path / "report") == "success"
