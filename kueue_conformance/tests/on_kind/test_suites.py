"""The suites on a kind cluster, as a user calls them; `make e2e` runs this."""

import pytest

from kueue_conformance.report.check import load
from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.kind, pytest.mark.timeout(1800)]
REPORTS = ROOT / "conformance-report"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("admission", ["-n", "4"], id="ADMISSION"),
        pytest.param("api-server", ["--profile", "API-SERVER"], id="API-SERVER, what may be asked there"),
        pytest.param("scripted", ["--profile", "CHECK-CONTROLLER", "--subject", "reference"], id="CHECK-CONTROLLER, scripted"),
        pytest.param(
            "reference", ["--profile", "CHECK-CONTROLLER", "--subject", "reference", "--control-plane", "reference"],
            id="CHECK-CONTROLLER, with the reference",
        ),
    ],
)  # fmt: skip
def test_a_profile_is_kept(machine, name, words):
    folder = REPORTS / f"kind-{name}"
    code = machine.run("run", "--backend", "kind", "--dialect", "v0.19", "--report-dir", str(folder), *words)
    report = load(str(folder / "report.yaml"))

    assert code == 0
    assert {one["outcome"] for one in report["scenarios"]} <= {"passed", "unsupported"}
