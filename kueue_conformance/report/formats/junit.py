"""junit.xml: one suite a profile, cases sorted, outcome and links as properties (harness §10.5, PY-24)."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from ...scenarios.outcome import Outcome
from ..results.case import CaseResult
from ..results.causes import FailureCause, causes_of, causes_without_story, short
from ..results.model import INCOMPLETE, Report
from ..results.profile import ProfileResult, ScenarioResult

_TAGS = {
    Outcome.FAILED: "failure",
    Outcome.ERROR: "error",
    Outcome.XPASSED: "failure",
    Outcome.FLAKY: "failure",
}


def render(report: Report) -> str:
    """Return the report as JUnit XML."""
    root = ET.Element("testsuites", name="kueue-conformance")
    elsewhere = causes_without_story(causes_of(report))
    for profile in report.profiles:
        _suite(root, profile, elsewhere)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(
    root: ET.Element, profile: ProfileResult, elsewhere: Mapping[tuple[str, str], FailureCause]
) -> None:
    cases = [(scenario, case) for scenario in profile.scenarios for case in scenario.cases]
    tags = [_tag(case) for _, case in cases]
    suite = ET.SubElement(
        root,
        "testsuite",
        name=profile.name,
        tests=str(len(cases)),
        failures=str(tags.count("failure")),
        errors=str(tags.count("error")),
        skipped=str(tags.count("skipped")),
        time=str(round(sum(case.seconds for _, case in cases), 3)),
    )
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", name="result", value=profile.result)
    if not profile.complete:
        ET.SubElement(properties, "property", name="incomplete", value=INCOMPLETE)
    for scenario, case in cases:
        cause = elsewhere.get((case.id, case.test))
        _case(suite, scenario, case, short(case, cause) if cause else case.text)


def _case(suite: ET.Element, result: ScenarioResult, case: CaseResult, text: str) -> None:
    element = ET.SubElement(
        suite, "testcase", classname=result.scenario.id, name=case.test, time=str(case.seconds)
    )
    properties = ET.SubElement(element, "properties")
    values = {
        "scenario": result.scenario.id,
        "requirement": " ".join(result.scenario.requirement),
        "level": str(result.scenario.level),
        "dialect": case.dialect,
        "outcome": str(case.outcome),
    }
    for name, value in values.items():
        ET.SubElement(properties, "property", name=name, value=value)
    tag = _tag(case)
    if tag == "skipped":
        reason = case.expectation or case.code
        ET.SubElement(element, tag, message=f"{case.outcome}: {reason}", type=case.code)
    elif tag:
        head = case.text.splitlines()[0] if case.text else ""
        ET.SubElement(element, tag, message=head, type=case.code).text = text


def _tag(case: CaseResult) -> str:
    """Return the JUnit element for an outcome; an expected failure is skipped, a pass has no name."""
    if case.outcome is Outcome.PASSED:
        return ""
    foreseen = case.expectation and case.outcome is not Outcome.XPASSED
    return "skipped" if foreseen else _TAGS.get(case.outcome, "skipped")
