"""The suites on a kind cluster, as a user calls them, and beside the fake server; `make e2e` runs this."""

import pytest

from kueue_conformance.report.afterwards.check import load
from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.kind, pytest.mark.timeout(1800)]
REPORTS = ROOT / "conformance-report"
ABLE = ROOT / "kueue_conformance/tests/zoo/right.yaml"
"""A check controller that has every capability but provisioning."""
CHECKS = ["--profile", "CHECK-CONTROLLER"]
ADMISSION = pytest.param(
    "admission", ["--profile", "ADMISSION", "--evidence", "all"], ["-n", "4", "--at-rest"], id="ADMISSION"
)
VISIBILITY = pytest.param("visibility", ["--profile", "VISIBILITY"], ["-n", "3"], id="VISIBILITY")
QUEUEING = pytest.param("queueing", ["--profile", "QUEUEING"], ["-n", "3"], id="QUEUEING")
SCRIPTED = pytest.param(
    "scripted", [*CHECKS, "--subject-file", str(ABLE)], [], id="CHECK-CONTROLLER, scripted"
)
REFERENCE = pytest.param(
    "reference",
    [*CHECKS, "--subject", "reference", "--control-plane", "reference"],
    [],
    id="CHECK-CONTROLLER, with the reference",
)
API_SERVER = pytest.param(
    "api-server", ["--profile", "API-SERVER"], [], id="API-SERVER, what may be asked there"
)


def run(machine, backend, name, *words):
    """Judge on a backend; return the exit code and where the report is."""
    folder = REPORTS / f"{backend}-{name}"
    code = machine.run(
        "run", "--backend", backend, "--dialect", "v0.19", "--seed", "7", "--report-dir", str(folder), *words
    )
    return code, str(folder / "report.yaml")


@pytest.mark.parametrize(
    ("name", "words", "words_on_kind"), [ADMISSION, QUEUEING, VISIBILITY, SCRIPTED, REFERENCE, API_SERVER]
)
def test_a_profile_is_kept(machine, name, words, words_on_kind):
    code, report = run(machine, "kind", name, *words, *words_on_kind)

    assert code == 0
    assert {scenario["outcome"] for scenario in load(report)["scenarios"]} <= {"passed", "unsupported"}


@pytest.mark.parametrize(
    ("name", "words", "words_on_kind"), [ADMISSION, QUEUEING, VISIBILITY, SCRIPTED, REFERENCE]
)
def test_what_differs_from_the_fake_server_is_known(machine, name, words, words_on_kind):
    _, fake = run(machine, "fake", name, *words)
    kind = str(REPORTS / f"kind-{name}" / "report.yaml")

    # Stories are alike only where waits end at rest on both.
    comparison = [] if "--at-rest" in words_on_kind else ["--only", "outcomes"]
    assert machine.run("report", "diff", fake, kind, "--known", *comparison) == 0
