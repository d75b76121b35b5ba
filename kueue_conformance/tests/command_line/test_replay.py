"""`replay` runs a failure again and tells whether the same thing breaks (harness/N-08)."""

import json
import zipfile

import pytest

from kueue_conformance.report.evidence import write
from kueue_conformance.report.story.bundle import pack

from ..checkout import ROOT
from ..reporting.stories import ABOUT, KEPT
from .processes import run

EXAMPLES = ROOT / "examples/check_controllers/python"
MUTANT = ROOT / "kueue_conformance/tests/mutants/answers_before_reservation.py"
WRONG = f"process:python {MUTANT}"
RIGHT = f"process:python {EXAMPLES / 'controller.py'}"


PYTESTS = ("claimed-not-shown", "+ pytest", "no must", "short test summary", "seed:")
"""What says nothing about one case: pytest's lines, and the table of a run."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """Fail a scenario and return the bundle of its failure."""
    folder = tmp_path_factory.mktemp("failed")
    done = run(
        "run", "CHK-010", "--subject", WRONG, "--controller-name", "example.com/budget", "-n0", cwd=folder
    )
    assert done.code == 1, done.whole
    (bundle_file,) = (folder / "conformance-report/bundles").glob("*.zip")
    return bundle_file


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "verdict"),
    [
        pytest.param(
            ["--subject", WRONG],
            1,
            "CHK-010 [v0.20]: CHK-010.a breaks again: the entry stays Pending",
            id="the same subject",
        ),
        pytest.param(
            ["--subject", RIGHT],
            0,
            "CHK-010 [v0.20]: passes now; in the bundle CHK-010.a broke",
            id="a repaired one",
        ),
        pytest.param(
            ["--subject", "process:false"],
            7,
            "CHK-010 [v0.20]: error otherwise: SubjectDied; in the bundle CHK-010.a broke",
            id="a dead one",
        ),
    ],
)
def test_replay(bundle, tmp_path, words, code, verdict):
    done = run("replay", bundle, *words, cwd=tmp_path)

    *_, last_but_one, last = done.out.splitlines()
    assert (done.code, last_but_one) == (code, verdict), done.whole
    assert last.startswith("  next: ")
    assert [word for word in PYTESTS if word in done.out] == []


def make_bundle(folder, **fields):
    """Write a bundle that says so of its case, and return its path."""
    story, file = folder / "story.ndjson", folder / "b.zip"
    story.write_bytes(write(KEPT))
    file.write_bytes(pack("b.zip", story, "failed"))
    with zipfile.ZipFile(file, "w") as archive:
        manifest = {
            "apiVersion": "kueue-conformance.dev/v1",
            "kind": "ReproductionBundle",
            **ABOUT,
            "outcome": "failed",
            **fields,
        }
        archive.writestr(
            "bundle.json",
            json.dumps({key: value for key, value in manifest.items() if key not in ("text", "faults")}),
        )
    return file


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param(
            {"scenario": "CHK-999"},
            "the bundle is about CHK-999 in check_controller/test_timing.py::test_x[v0.19]",
            id="scenario",
        ),
        pytest.param(
            {"node": "elsewhere/test_x.py::test_x"},
            "the bundle is about CHK-010 in elsewhere/test_x.py::test_x",
            id="file",
        ),
        pytest.param({"seed": "x"}, "'x' is not of type 'integer'", id="shape"),
    ],
)
def test_a_bundle_of_another_suite_is_refused(tmp_path, fields, message):
    done = run("replay", make_bundle(tmp_path, **fields), cwd=tmp_path)

    assert done.code == 4
    assert message in done.err


def test_an_upgrade_is_replayed_from_the_release_of_the_bundle(tmp_path):
    node = "upgrade_check_controller/test_upgrades.py::test_waiting_workload_is_answered[v0.20]"
    options = {"upgrade-from": "0.20.99"}

    done = run(
        "replay",
        make_bundle(tmp_path, scenario="UPC-002", node=node, dialect="v0.20", options=options),
        "--subject",
        "reference",
        cwd=tmp_path,
    )

    assert (done.code, "unknown dialect '0.20.99'" in done.err) == (4, True), done.whole
