"""The safety rules again over kept stories (harness/N-15)."""

from dataclasses import replace

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.afterwards import rejudged_report
from kueue_conformance.report.afterwards.check import problems
from kueue_conformance.report.afterwards.rejudged_report import rejudge
from kueue_conformance.report.evidence import Folder, write
from kueue_conformance.scenarios.outcome import Outcome

from .results import case, report
from .stories import CHANGES, KEPT

BROKEN = (
    {"rule": "CC-020", "text": "Workload w: entry check: Pending → Ready while no quota is reserved"},
    {
        "rule": "CC-026",
        "text": 'Workload w: the API server refused it: status.admissionChecks[0].state: Unsupported value: "Yes"',
    },
)
RULES = "CC-020, CC-026"
GOOD = replace(KEPT, changes=CHANGES[:3], requests=(), attempts=())


@pytest.fixture
def judged(tmp_path):
    """Judge a case again whose story is given."""

    def judged(kept=KEPT, **more):
        name = Folder(tmp_path).write("story.ndjson", write(kept))
        said = report([case("CHK-010", judged=True, evidence=name, **more)]).to_dict()
        return rejudge(said, tmp_path)

    return judged


def outcome(found):
    (made,) = found.report["scenarios"]
    return made["outcome"], made["cases"][0].get("code", ""), found.report["profiles"][0]["result"]


def test_what_was_judged_rightly_stays(judged):
    found = judged(violations=BROKEN, outcome=Outcome.FAILED, code=RULES, text="t")

    assert (found.new, found.gone, outcome(found)) == ([], [], ("failed", RULES, "failure"))
    assert found.report["scenarios"][0]["cases"][0]["text"] == "t"


def test_a_breach_that_was_not_seen_then_fails_the_case_now(judged):
    found = judged()

    assert [line.partition(" ")[0] for line in found.new] == ["CC-020", "CC-026"]
    assert outcome(found) == ("failed", RULES, "failure")


def test_a_breach_that_is_none_any_more_passes(judged):
    found = judged(GOOD, violations=BROKEN, outcome=Outcome.FAILED, code=RULES, text="t")

    assert (len(found.gone), outcome(found)) == (2, ("passed", "", "success"))


def test_a_breach_that_its_scenario_permits_is_none(judged, monkeypatch):
    about = replace(inventory()["CHK-010"], permits=("CC-020",))
    monkeypatch.setattr(rejudged_report, "inventory", lambda: {**inventory(), "CHK-010": about})

    assert outcome(judged()) == ("failed", "CC-026", "failure")


def test_what_a_clause_decided_stays(judged):
    found = judged(GOOD, outcome=Outcome.FAILED, code="assertion", text="CHK-010.a  no")

    assert outcome(found) == ("failed", "assertion", "failure")


def test_the_report_holds_together_and_says_that_it_was_judged_again(judged):
    found = judged()

    assert (problems(found.report), found.report["rejudged"]["cases"]) == ([], 1)


def test_without_evidence_nothing_can_be_judged(tmp_path):
    with pytest.raises(UsageError, match="names no evidence"):
        rejudge(report([case("CHK-010")]).to_dict(), tmp_path)
