"""Every format of a report says the same."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
import yaml

from kueue_conformance.report.formats import junit, markdown, yaml_file
from kueue_conformance.report.page import html
from kueue_conformance.scenarios.outcome import Outcome

from .results import FAILED, PASSED, TEXT, case, report

PAGE = html.render(report(FAILED))
REACHES_HOST = re.compile(
    r"(?:src|href|action)\s*=\s*[\"'](?!#)|url\(|@import|https?://|<script[^>]+src|<link|<iframe",
    re.IGNORECASE,
)


def suite(results=FAILED):
    return ET.fromstring(junit.render(report(results))).find("testsuite")


def case_of(scenario):
    return suite().find(f"testcase[@classname='{scenario}']")


def test_yaml_is_the_report():
    assert yaml.safe_load(yaml_file.render(report(FAILED))) == report(FAILED).to_dict()


def test_junit_counts():
    assert {key: suite().get(key) for key in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "ADMISSION",
        "tests": "6",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }


def test_junit_cases_are_sorted():
    names = [(test_case.get("classname"), test_case.get("name")) for test_case in suite().iter("testcase")]

    assert names == sorted(names)


def test_junit_failure_is_the_whole_story():
    failure = case_of("ADM-204").find("failure")

    assert (failure.text, failure.get("message"), failure.get("type")) == (
        TEXT,
        TEXT.splitlines()[0],
        "assertion",
    )


@pytest.mark.parametrize(
    ("scenario", "tag", "message"),
    [
        pytest.param("ADM-012", "error", "ApiError: no", id="error"),
        pytest.param("ADM-234", "skipped", "unsupported: v1beta1", id="unsupported"),
    ],
)
def test_junit_tells_outcomes_apart(scenario, tag, message):
    assert case_of(scenario).find(tag).get("message") == message


@pytest.mark.parametrize(
    ("result", "tag", "message"),
    [
        pytest.param(
            case(outcome=Outcome.XFAILED, code="assertion", expectation="known (#1)"),
            "skipped",
            "xfailed: known (#1)",
            id="xfailed",
        ),
        pytest.param(
            case(outcome=Outcome.XPASSED, text="remove it", expectation="known (#1)"),
            "failure",
            "remove it",
            id="xpassed",
        ),
        pytest.param(case(outcome=Outcome.FLAKY, text="now so"), "failure", "now so", id="flaky"),
        pytest.param(
            case(outcome=Outcome.FLAKY, expectation="known (#1)"),
            "skipped",
            "flaky: known (#1)",
            id="expected to be flaky",
        ),
        pytest.param(
            case(outcome=Outcome.EXCLUDED, code="--exclude"), "skipped", "excluded: --exclude", id="excluded"
        ),
    ],
)
def test_junit_knows_what_was_expected(result, tag, message):
    assert suite([result]).find("testcase").find(tag).get("message") == message


def test_markdown_tells_expectations():
    summary = report([case(outcome=Outcome.XFAILED, code="assertion", expectation="ADM-200: known (#1)")])
    lines = markdown.render(
        replace(
            summary,
            expectations={**summary.expectations, "stale": [{"id": "X", "where": "e.yaml:3", "why": "dead"}]},
        )
    ).splitlines()

    assert f"- ADM-200 {summary.scenarios[0].scenario.title}: ADM-200: known (#1)" in lines
    assert "- e.yaml:3 X: dead" in lines


def test_junit_properties():
    values_by_name = {
        junit_property.get("name"): junit_property.get("value")
        for junit_property in case_of("ADM-204").iter("property")
    }

    assert values_by_name == {
        "scenario": "ADM-204",
        "requirement": "kep-993#prechecked-to-suspended-retry",
        "level": "must",
        "dialect": "v0.19",
        "outcome": "failed",
    }


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            "| ADMISSION | **failure** | 2 passed · 1 unsupported · 1 failed · 1 error | 6 |", id="profile"
        ),
        pytest.param("- failed in 1 scenario(s): ADM-204", id="failure"),
        pytest.param(
            "ADM-204.b  one Retry verdict returns a Prechecked Workload to Suspended  [must]  [v0.19]",
            id="story",
        ),
        pytest.param("  run again  kueue-conformance run ADM-204 --dialect=v0.19 --seed=5", id="run again"),
        pytest.param(
            "- ADM-234 a v1beta1 ClusterQueue that refers to checks in both ways requires those of its list of names: v1beta1",
            id="unsupported",
        ),
        pytest.param(
            "- ADM-226.a a rejected Workload that a user activates again stays out, or is tried again with its checks Pending: kept out",
            id="seen",
        ),
    ],
)
def test_markdown_says(line):
    assert line in markdown.render(report(FAILED)).splitlines()


def test_markdown_has_one_line_for_a_rule_however_often_it_is_broken():
    breaches = [{"rule": "CC-086", "text": f"Workload work-{number}"} for number in range(3)]
    lines = markdown.render(
        report([case(scenario, judged=True, violations=breaches) for scenario in ("CHK-012", "CHK-010")])
    ).splitlines()

    assert [line for line in lines if "CC-086" in line] == [
        "- CC-086 [should] in CHK-010, CHK-012: Workload work-0 (and 5 time(s) more)"
    ]


def test_page_needs_nothing_from_outside():
    assert REACHES_HOST.findall(PAGE) == []


@pytest.mark.parametrize(
    "explanation",
    [
        pytest.param(
            "kep-993#prechecked-to-suspended-retry: After Retry the Workload is Suspended.", id="rule"
        ),
        pytest.param("reserved quota was given back (within 10 s, budget &#39;evict&#39;)", id="expected"),
        pytest.param("now QuotaReserved=True &amp; &lt;nothing&gt; else", id="observed, escaped"),
        pytest.param('<td data-label="what">check a: Pending → Retry</td>', id="timeline"),
        pytest.param("kueue-conformance run ADM-204 --dialect=v0.19 --seed=5", id="run again"),
        pytest.param("kept out", id="seen"),
    ],
)
def test_page_explains_a_failure(explanation):
    assert explanation in PAGE


def test_page_shows_what_is_wrong_first():
    order = re.findall(r'<details id="(ADM-\d+)" class="of (\w+) \w+"', PAGE)

    assert order == [
        ("ADM-012", "error"),
        ("ADM-204", "failed"),
        ("ADM-200", "passed"),
        ("ADM-226", "passed"),
        ("ADM-234", "unsupported"),
    ]


def test_page_says_when_the_run_was_not_complete():
    assert "INCOMPLETE" in html.render(report(PASSED, complete=False))
    assert "INCOMPLETE" not in PAGE
