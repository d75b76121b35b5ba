"""Of Kueue's own provisioning check only the contract binds another one: names, labels, texts and events may
be others (PA-170…172).
"""

import subprocess
import sys

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.scenarios.outcome import Level
from kueue_conformance.tests.checkout import ROOT

FILE = ROOT / "kueue_conformance/tests/drivers/other_names.yaml"
DETAILS = (
    "PRC-008",
    "PRC-032",
    "PRC-050",
    "PRC-053",
    "PRC-064",
    "PRC-066",
    "PRC-074",
    "PRC-082",
    "PRC-108",
    "PRC-136",
)
BINDING = (
    "PRC-002",
    "PRC-003",
    "PRC-004",
    "PRC-057",
    "PRC-060",
    "PRC-073",
    "PRC-081",
    "PRC-083",
    "PRC-090",
    "PRC-092",
    "PRC-097",
    "PRC-100",
    "PRC-101",
    "PRC-130",
    "PRC-150",
    "PRC-151",
    "PRC-171",
    "PRC-187",
    "PRC-188",
    "PRC-191",
    "PRC-201",
)


def judge(tmp_path, ids):
    """Return the exit code and what a run of these scenarios printed."""
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        *ids,
        "--profile",
        "PROVISIONING-CHECK",
        "--subject-file",
        str(FILE),
        "--dialect",
        "v0.19",
        "--report-dir",
        str(tmp_path / "report"),
        "--workers",
        "1",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_contract_is_kept_under_other_names(tmp_path):
    code, printed = judge(tmp_path, BINDING)

    assert code == 0, printed
    assert f"{len(BINDING)} passed" in printed


@pytest.mark.slow
def test_what_it_does_otherwise_is_told_and_does_not_count(tmp_path):
    code, printed = judge(tmp_path, DETAILS)

    assert code == 0, printed
    assert f"{len(DETAILS)} failed" in printed
    assert {inventory()[detail].level for detail in DETAILS} == {Level.MAY}
