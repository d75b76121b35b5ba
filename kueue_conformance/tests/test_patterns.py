"""Check controllers as third parties have built them: what the suite says of each is what is known to be
wrong with it.
"""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .checkout import ROOT

PATTERNS = Path(__file__).parent / "patterns"
CROWDED = "CHK-160"
"""A thousand Workloads take longer than everything else."""
FINDINGS = yaml.safe_load((PATTERNS / "findings.yaml").read_text("utf-8"))


def report_on(pattern, folder):
    """Judge a controller by its subject file and return the report."""
    file = PATTERNS / f"{pattern}.yaml"
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        "--subject-file",
        str(file),
        "--exclude",
        CROWDED,
        "-n",
        "0",
        "--strict",
        "--seed",
        "7",
        "--report-dir",
        str(folder),
    ]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stdout
    return yaml.safe_load((folder / "report.yaml").read_text("utf-8"))


def rows_of(report):
    """Return the rows of the contract that were found broken, by a scenario or by a safety rule."""
    failed = {
        row
        for scenario in report["scenarios"]
        if scenario["outcome"] == "failed"
        for row in scenario["shows"]
    }
    return failed | {rule["id"] for rule in report["safetyRules"] if rule["violations"]}


@pytest.mark.acceptance
@pytest.mark.timeout(300)
@pytest.mark.parametrize("pattern", [name for name, rows in FINDINGS.items() if not rows])
def test_a_sound_one_passes(pattern, tmp_path):
    report = report_on(pattern, tmp_path)

    assert [
        scenario["id"] for scenario in report["scenarios"] if scenario["outcome"] in ("failed", "error")
    ] == []
    # What is left out leaves the profile partial.
    assert report["profiles"][0]["result"] == "partial"


@pytest.mark.acceptance
@pytest.mark.timeout(300)
@pytest.mark.parametrize("pattern", [name for name, rows in FINDINGS.items() if rows])
def test_what_is_wrong_is_found(pattern, tmp_path):
    assert set(FINDINGS[pattern]) - rows_of(report_on(pattern, tmp_path)) == set()
