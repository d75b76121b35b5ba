"""The report as a value: grouped, sorted, judged (harness §10.7, H-26)."""

import pytest

from kueue_conformance.report.writing import exit_code
from kueue_conformance.scenarios.outcome import Outcome

from .results import FAILED, PASSED, case, report


def test_order_of_results_does_not_matter():
    assert report(FAILED).to_dict() == report(tuple(reversed(FAILED))).to_dict()


def test_keys_are_in_the_order_of_the_contract():
    assert list(report().to_dict()) == [
        "apiVersion",
        "kind",
        "complete",
        "date",
        "suite",
        "implementation",
        "environment",
        "profiles",
        "scenarios",
        "safetyRules",
        "requirements",
        "expectations",
        "seed",
    ]


def test_a_profile_says_what_its_scenarios_amount_to():
    (profile,) = report(FAILED).to_dict()["profiles"]

    assert profile == {
        "name": "ADMISSION",
        "result": "failure",
        "summary": "2 passed · 1 unsupported · 1 failed · 1 error",
        "core": {
            "counts": {"passed": 2, "unsupported": 1, "failed": 1, "error": 1},
            "failed": ["ADM-012", "ADM-204"],
            "excluded": [],
        },
    }


@pytest.mark.parametrize(
    ("scenario", "options", "expected"),
    [
        pytest.param("ADM-204", {}, "failure", id="must"),
        pytest.param("ADM-221", {}, "success", id="should"),
        pytest.param("ADM-221", {"strict": "1"}, "failure", id="should, strictly"),
        pytest.param("ADM-226", {"strict": "1"}, "success", id="may, strictly"),
    ],
)
def test_only_binding_scenarios_decide(scenario, options, expected):
    results = [case(), case(scenario, outcome=Outcome.FAILED)]

    assert report(results, **options).profiles[0].result == expected


def test_a_case_names_the_clause_that_failed():
    (scenario_row,) = [row for row in report(FAILED).to_dict()["scenarios"] if row["id"] == "ADM-204"]

    assert scenario_row["cases"][0]["clause"] == "ADM-204.b"


@pytest.mark.parametrize(
    ("results", "interrupted", "status", "code"),
    [
        pytest.param(PASSED, False, 0, 0, id="passed"),
        pytest.param(FAILED, False, 1, 1, id="a failure before an error"),
        pytest.param(FAILED, True, 2, 2, id="interrupted"),
        pytest.param([case(outcome=Outcome.ERROR)], False, 1, 3, id="an error"),
        pytest.param([case(outcome=Outcome.ERROR, code="SubjectDied")], False, 1, 7, id="dead subject"),
        pytest.param([], False, 0, 5, id="nothing"),
        pytest.param(PASSED, False, 1, 1, id="another test failed"),
    ],
)
def test_exit_code(results, interrupted, status, code):
    assert exit_code(results, interrupted=interrupted, status=status) == code


@pytest.mark.parametrize(
    ("results", "strict", "code"),
    [
        pytest.param([case("ADM-221", outcome=Outcome.FAILED)], False, 0, id="should"),
        pytest.param([case("ADM-221", outcome=Outcome.FAILED)], True, 1, id="should, strictly"),
        pytest.param([case("ADM-221", outcome=Outcome.FLAKY)], False, 0, id="should, now so, now otherwise"),
        pytest.param([case("ADM-221", outcome=Outcome.XPASSED)], False, 1, id="should, an entry must go"),
        pytest.param([case("ADM-226", outcome=Outcome.FAILED)], True, 0, id="may, strictly"),
        pytest.param(
            [case("ADM-221", outcome=Outcome.FAILED), case(outcome=Outcome.FAILED)],
            False,
            1,
            id="a must as well",
        ),
        pytest.param([case("ADM-221", outcome=Outcome.ERROR)], False, 3, id="should, undetermined"),
    ],
)
def test_what_decides_no_profile_decides_no_exit_code(results, strict, code):
    assert exit_code(results, interrupted=False, status=0, strict=strict) == code


def test_a_scenario_whose_own_clauses_hold_is_told_apart_from_one_whose_do_not():
    clause = case("CHK-014", outcome=Outcome.FAILED, code="assertion", text="CHK-014.b  x")
    rule = case("CHK-080", outcome=Outcome.FAILED, code="CC-040, CC-021", text="CC-040, CC-021  x")

    (profile,) = report([clause, rule]).to_dict()["profiles"]

    assert profile["summary"] == "2 failed (1 by safety rules alone, their own clauses hold)"
    assert profile["core"]["ownClausesHold"] == ["CHK-080"]
