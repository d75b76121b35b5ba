"""Which rows ask for the release of outside work, and how a breach is told."""

import pytest

from kueue_conformance.history.story import UnreleasedWork
from kueue_conformance.report.evidence import story as evidence
from kueue_conformance.rules import CHECK_CONTROLLER, Story
from kueue_conformance.rules.check_controller.outside_work import OUTSIDE_WORK, reason_to_release
from kueue_conformance.subject import effects

CHECKS = frozenset({"budget"})
HELD = UnreleasedWork(
    at=7.0, revision=12, namespace="team-a", name="train", row="CC-063", noun="claim", items=["a", "b"]
)


def workload(*true, checks=("budget",)):
    conditions = [{"type": name, "status": "True"} for name in true]
    return {"status": {"conditions": conditions, "admissionChecks": [{"name": name} for name in checks]}}


@pytest.mark.parametrize(
    ("state", "row"),
    [
        pytest.param(None, "CC-064", id="deleted"),
        pytest.param(workload("QuotaReserved", "Finished"), "CC-063", id="finished"),
        pytest.param(workload("Evicted"), "CC-061", id="evicted"),
        pytest.param(workload("QuotaReserved", checks=["other"]), "CC-065", id="without the entry"),
        pytest.param(workload("QuotaReserved", "Evicted"), "", id="evicted, and its job still runs"),
        pytest.param(workload("QuotaReserved"), "", id="reserved"),
        pytest.param(workload(), "", id="a reservation lost without an eviction"),
    ],
)
def test_row_that_asks_for_the_release(state, row):
    assert reason_to_release(state, CHECKS) == row


def test_unreleased_work_breaks_the_rule_of_its_row_alone():
    story = Story(changes=[], attempts=[], controller="example.com/licenses", unreleased_work=[HELD])

    (violation,) = [violation for rule in OUTSIDE_WORK for violation in rule.violations(story)]

    assert (violation.rule, violation.object_name, violation.revision) == ("CC-063", "Workload train", 12)
    assert violation.text == "claim a, b is held for a Workload that is finished"
    assert set(OUTSIDE_WORK) <= set(CHECK_CONTROLLER)


def test_evidence_keeps_unreleased_work(tmp_path):
    about = {"scenario": "CHK-090", "test": "t", "dialect": "v0.19", "controller": "c"}
    file = tmp_path / "evidence.ndjson"
    file.write_bytes(evidence.write(evidence.Evidence(about=about, changes=[], unreleased_work=[HELD])))

    assert evidence.read(file).unreleased_work == [HELD]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        pytest.param({"claims": "yes"}, "effects.claims is 'yes', expected true", id="claims: yes"),
        pytest.param({"claims": True, "run": ["x"]}, "claims and run, expected one way", id="two ways"),
        pytest.param(
            {"claims": True, "kind": "Lease"}, "kind and claims, expected one way", id="objects too"
        ),
        pytest.param({"http": "http://x/${workload}"}, "expected a mapping with url", id="a URL alone"),
        pytest.param({"http": {"url": "http://x/all"}}, "does not say ${workload}", id="a list of all"),
        pytest.param({"http": {"url": "http://x/${check}${workload}"}}, "${…} in effects.http", id="a check"),
        pytest.param({"run": "list all"}, "expected a list of words", id="a command line"),
        pytest.param(
            {"run": ["./missing", "${workload}"]}, "effects.run cannot be run: './missing'", id="no program"
        ),
        pytest.param({"files": 3}, "expected a pattern", id="a number"),
        pytest.param({}, "effects.apiVersion is None", id="nothing"),
    ],
)
def test_mistakes_in_the_field_are_told_in_words(tmp_path, field, text):
    assert text in " ".join(map(str, effects.problems(field, tmp_path)))
