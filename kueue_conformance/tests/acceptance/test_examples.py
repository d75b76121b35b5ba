"""The example check controllers, each in its own language, judged as their authors would judge them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from kueue_conformance.cli.languages import LANGUAGES
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.tests.killing.repetitions import core

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(1800)]
EXAMPLES = ROOT / "examples/check_controllers"
FIRST = ("CHK-001", "CHK-002", "CHK-010", "CHK-014", "CHK-020", "CHK-021")
SUITE = (sys.executable, "-m", "kueue_conformance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """What a machine needs for a language, and what of the contract is judged with it."""

    programs: tuple[str, ...] = ()
    selection: Sequence[str] = ()
    """Nothing: the whole contract."""


TOOLCHAINS = {
    "python": Toolchain(),
    "java": Toolchain(programs=("java", "mvn")),
    "go": Toolchain(programs=("go",)),
    "rust": Toolchain(programs=("cargo",)),
    "node": Toolchain(programs=("node", "npm")),
    "typescript": Toolchain(programs=("node", "npm")),
    # A process for each request takes many minutes for the whole.
    "bash": Toolchain(programs=("bash", "kubectl", "curl", "jq"), selection=FIRST),
}


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command, which must succeed."""
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def judge(subject_file: Path, folder: Path, selection: Sequence[str] = ()):
    """Judge a subject by the whole contract, or by what the words choose of it; return the profile's result.

    What is not judged is a capability that it does not declare or what a program in real time cannot be
    shown: the report says which.
    """
    files = ("--subject-file", str(subject_file), "--report-dir", str(folder))
    run([*SUITE, "run", *selection, *files, "-n", "2"], ROOT)
    report = yaml.safe_load((folder / "report.yaml").read_text("utf-8"))
    unsupported = {
        scenario["code"] for scenario in report["scenarios"] if scenario["outcome"] == "unsupported"
    }
    assert unsupported <= lacking(yaml.safe_load(subject_file.read_text("utf-8"))["capabilities"])
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


def lacks(programs: Sequence[str]) -> str:
    """Return why a test cannot run on this machine, empty where it can."""
    missing = [name for name in programs if shutil.which(name) is None]
    return f"unsupported: needs {', '.join(missing)}, not on this machine" if missing else ""


def test_every_language_of_init_is_judged():
    assert set(TOOLCHAINS) == set(LANGUAGES)


@pytest.mark.parametrize("language", TOOLCHAINS)
def test_a_team_comes_to_a_report_in(language, tmp_path):
    """`init --language`, the build that it names, smoke and run: what it wrote is not changed."""
    toolchain = TOOLCHAINS[language]
    if reason := lacks(toolchain.programs):
        pytest.skip(reason)
    project = tmp_path / "demo"
    run([*SUITE, "init", "demo", "--language", language, "--package", "kueue-conformance"], tmp_path)
    for step in workflow_builds(project):
        run(["bash", "-c", step], project)

    run([*SUITE, "smoke", "--subject-file", "demo/subject.yaml"], tmp_path)

    assert judge(project / "subject.yaml", tmp_path / "report", toolchain.selection) == "success"


def workflow_builds(project: Path) -> list[str]:
    """Return the steps of the workflow that build the controller."""
    workflow = yaml.safe_load((project / ".github/workflows/conformance.yml").read_text("utf-8"))
    steps = workflow["jobs"]["conformance"]["steps"]
    return [step["run"] for step in steps if step.get("name") == "Build the controller"]


def test_it_keeps_the_contract_on_kopf(tmp_path):
    """All of it but CHK-107: kopf ends when a watch ends with an error other than 410 (the README of the
    example). Hence partial.
    """
    assert judge(EXAMPLES / "kopf/subject.yaml", tmp_path, ("--exclude", "CHK-107")) == "partial"


@pytest.mark.skipif(bool(lacks(TOOLCHAINS["bash"].programs)), reason=lacks(TOOLCHAINS["bash"].programs))
def test_a_script_keeps_the_core_of_the_contract(tmp_path):
    assert judge(EXAMPLES / "bash/subject.yaml", tmp_path, core()) == "success"
