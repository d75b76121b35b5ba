"""Deliberately wrong check controllers: each fails the scenario that was made for it, and exactly what is written beside it (N-04)."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/check_controllers/python"
MUTANTS = sorted((Path(__file__).parent / "mutants").glob("*.py"))
AT_ONCE = 4
"""Most of a run is waiting."""


def judge(mutant, folder):
    """Run the whole profile against a mutant and return what it failed."""
    options = {
        "subject": f"process:python {mutant}", "controller-name": "example.com/budget", "timeout-scale": "0.5",
        "report-dir": str(folder), "seed": "7",
    }  # fmt: skip
    command = [
        sys.executable, "-m", "pytest", "-c", str(ROOT / "kueue_conformance/data/pytest.ini"), "--rootdir", str(ROOT / "suites"),
        str(ROOT / "suites/check_controller"), "-n", "0", "-q", "--assert=plain", *(f"--kueue-{key}={value}" for key, value in options.items()),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLE)}
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stdout
    report = yaml.safe_load((folder / "report.yaml").read_text())
    return {
        "scenarios": report["profiles"][0]["core"]["failed"],
        "rules": [rule["id"] for rule in report["safetyRules"] if rule["violations"]],
    }


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_each_mutant_fails_what_is_written_beside_it(tmp_path):
    with ThreadPoolExecutor(AT_ONCE) as pool:
        seen = pool.map(judge, MUTANTS, [tmp_path / one.stem for one in MUTANTS])

    written = {one.stem: yaml.safe_load(one.with_suffix(".yaml").read_text()) for one in MUTANTS}
    assert dict(zip(written, seen, strict=True)) == written


@pytest.mark.parametrize("mutant", MUTANTS, ids=[one.stem for one in MUTANTS])
def test_mutant_is_caught_by_the_scenario_made_for_it(mutant):
    named = re.search(
        r"^\"\"\"Breaks (CC-\d{3}): .*; (CHK-\d{3}) must catch it\.\"\"\"$", mutant.read_text(), re.MULTILINE
    )
    expected = yaml.safe_load(mutant.with_suffix(".yaml").read_text())
    assert named is not None
    assert named[1] in expected["rules"]
    assert named[2] in expected["scenarios"]
