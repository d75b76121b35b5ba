"""A check controller in pods, judged beside a Kueue in pods: what `manifest:` and `reference:deployed` are for (issue 6 §2, §3)."""

import pytest

from kueue_conformance.report.check import load
from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.kind, pytest.mark.timeout(900)]
SUBJECT = ROOT / "examples/check_controllers/python/subject-deployed.yaml"
IMAGE = "kueue-reference:0.1.0"


def test_pods_are_judged_and_their_log_is_kept(machine):
    folder = machine.home / "report"

    code = machine.run(
        "run", "--backend", "kind", "--kind-load", IMAGE, "--control-plane", "reference:deployed",
        "--subject-file", str(SUBJECT), "--evidence", "all", "--report-dir", str(folder), "CHK-01*",
    )  # fmt: skip
    report = load(str(folder / "report.yaml"))

    assert code == 0
    assert {one["outcome"] for one in report["scenarios"]} == {"passed", "unsupported"}
    assert ": scripted control plane" in (folder / "summary.md").read_text()
