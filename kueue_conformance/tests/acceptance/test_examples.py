"""The example check controllers, each in its own language, judged as their authors would judge them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.tests.killing.repetitions import core

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(900)]
EXAMPLES = ROOT / "examples/check_controllers"
KEPT = ("success", "partial")
"""Every must holds; a should that does not, under load, is what makes it partial. The exit code is 0 for both."""
FIRST = ("CHK-001", "CHK-002", "CHK-010", "CHK-014", "CHK-020", "CHK-021")


BASH = "bash examples/check_controllers/bash/controller.sh"


def judged(command: str, example: str, folder: Path, select: Sequence[str] = ()):
    """Judge a command by the whole contract, or what is named of it, and what the example declares; return the report."""
    declared = EXAMPLES / example / "subject.yaml"
    line = [
        sys.executable, "-m", "kueue_conformance", "run", *select, "--subject", f"process:{command}", "--subject-file", str(declared),
        "--report-dir", str(folder), "-n", "2",
    ]  # fmt: skip
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    return yaml.safe_load((folder / "report.yaml").read_text("utf-8"))


def copied(example: str, folder: Path) -> Path:
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


@pytest.mark.parametrize(
    ("example", "command"),
    [
        pytest.param("python", "python examples/check_controllers/python/controller.py", id="python"),
        pytest.param(
            "kopf", "kopf run --all-namespaces --standalone --quiet examples/check_controllers/kopf/controller.py", id="kopf"
        ),
    ],
)  # fmt: skip
def test_it_keeps_the_contract(example, command, tmp_path):
    (profile,) = judged(command, example, tmp_path)["profiles"]

    assert (profile["name"], profile["result"] in KEPT) == ("CHECK-CONTROLLER", True)


@programs("bash", "kubectl", "curl", "jq")
def test_a_script_gives_and_withholds_verdicts(tmp_path):
    """A process for each request takes many minutes for the whole: these are the first of each sort."""
    (profile,) = judged(BASH, "bash", tmp_path, FIRST)["profiles"]

    assert profile["result"] == "success"


@programs("bash", "kubectl", "curl", "jq")
def test_a_script_keeps_the_core_of_the_contract(tmp_path):
    (profile,) = judged(BASH, "bash", tmp_path, core())["profiles"]

    assert profile["result"] == "success"


@programs("cargo")
def test_it_keeps_the_contract_in_rust(tmp_path):
    build = ["cargo", "build", "--target-dir", str(tmp_path / "target")]
    subprocess.run(build, cwd=EXAMPLES / "rust", check=True)

    (profile,) = judged(str(tmp_path / "target/debug/check-controller"), "rust", tmp_path / "report")[
        "profiles"
    ]

    assert profile["result"] in KEPT


@programs("node", "npm")
def test_it_keeps_the_contract_in_typescript(tmp_path):
    folder = copied("typescript", tmp_path)
    subprocess.run(["npm", "run", "build", "--silent"], cwd=folder, check=True)

    (profile,) = judged(f"node {folder / 'dist/controller.js'}", "typescript", tmp_path / "report")[
        "profiles"
    ]

    assert profile["result"] in KEPT


def test_it_keeps_the_contract_in_go(go_controller, tmp_path):
    (profile,) = judged(str(go_controller), "go", tmp_path)["profiles"]

    assert profile["result"] in KEPT


@programs("node", "npm")
def test_it_keeps_the_contract_in_javascript(tmp_path):
    folder = copied("node", tmp_path)

    (profile,) = judged(f"node {folder / 'controller.mjs'}", "node", tmp_path / "report")["profiles"]

    assert profile["result"] in KEPT
