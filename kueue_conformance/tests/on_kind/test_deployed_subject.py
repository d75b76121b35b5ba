"""A check controller in pods, judged beside a Kueue in pods: what `manifest:` and `reference:deployed` are
for (issue 6 §2, §3).
"""

import pytest

from kueue_conformance import __version__
from kueue_conformance.report.afterwards.check import load
from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.kind, pytest.mark.timeout(900)]
SUBJECT = ROOT / "examples/check_controllers/python/subject-deployed.yaml"
IMAGE = f"kueue-reference:{__version__}"
FAULTS, JOURNAL, RESTART = ("CHK-100", "CHK-103", "CHK-110"), ("CHK-140", "CHK-150"), ("CHK-115",)


def judge(machine, *words):
    """Judge the example in pods; return the exit code, the report and its folder."""
    folder = machine.home / "report"
    code = machine.run(
        "run",
        "--backend",
        "kind",
        "--kind-load",
        IMAGE,
        "--subject-file",
        str(SUBJECT),
        "--report-dir",
        str(folder),
        *words,
    )
    return code, load(str(folder / "report.yaml")), folder


def test_pods_are_judged_beside_pods(machine):
    code, report, folder = judge(machine, "--control-plane", "reference:deployed", "CHK-01*")

    assert code == 0
    assert {scenario["outcome"] for scenario in report["scenarios"]} == {"passed", "unsupported"}
    assert ": scripted control plane" in (folder / "summary.md").read_text()


def test_pods_are_disturbed_and_what_they_ask_for_is_known(machine):
    code, report, _ = judge(machine, *FAULTS, *JOURNAL, *RESTART)

    assert code == 0
    assert {scenario["id"]: scenario["outcome"] for scenario in report["scenarios"]} == dict.fromkeys(
        (*FAULTS, *JOURNAL, *RESTART), "passed"
    )
