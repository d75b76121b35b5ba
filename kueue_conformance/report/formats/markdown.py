"""summary.md: the summary for a CI page."""

from __future__ import annotations

import re

from ...scenarios.outcome import Outcome
from ..results.causes import FailureCause, causes_of
from ..results.model import INCOMPLETE, Report
from ..results.safety import RuleResult
from ..story.object_roles import by_role


def render(report: Report) -> str:
    """Return the summary as Markdown."""
    incomplete = [] if report.complete else [f"**{INCOMPLETE}.**", ""]
    lines = [
        "# Kueue conformance",
        "",
        *incomplete,
        "| profile | result | scenarios | cases |",
        "|---|---|---|---|",
    ]
    for profile in report.profiles:
        cases = sum(len(scenario.cases) for scenario in profile.scenarios)
        lines.append(f"| {profile.name} | **{profile.result}** | {profile.summary} | {cases} |")
    for number, cause in enumerate(causes_of(report), 1):
        lines += ["", *_cause(number, cause)]
    lines += _expectations(report)
    unsupported = [scenario for scenario in report.scenarios if scenario.outcome is Outcome.UNSUPPORTED]
    if unsupported:
        lines += [
            "",
            "## Unsupported",
            "",
            *(
                f"- {scenario.scenario.id} {scenario.scenario.title}: {scenario.code}"
                for scenario in unsupported
            ),
        ]
    return "\n".join(
        [
            *lines,
            *_abilities(report),
            *_permitted_behaviours(report),
            *_safety(report),
            "",
            *_coverage(report),
            "",
        ]
    )


def _cause(number: int, cause: FailureCause) -> list[str]:
    """Return a cause with one story in full, and the scenarios that fail of it too."""
    head = f"## {number}. {cause.rule} [{cause.level}] {cause.title}"
    comparison = [f"- expected: {by_role(cause.expected)}", f"- observed: {by_role(cause.observed)}"]
    amount = f"{len(cause.scenarios)} scenario(s): {', '.join(cause.scenarios)}"
    return [head, "", *comparison, f"- {cause.first.outcome} in {amount}", "", *_fence(cause.first.text)]


def _fence(text: str) -> list[str]:
    """Return a fenced block whose fence is longer than any in the text,
    which may be a controller's output.
    """
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}text", text, fence]


def _abilities(report: Report) -> list[str]:
    """Return the table of capabilities: declared, exercised, observed."""
    rows = [row for profile in report.profiles for row in profile.abilities]
    lines = [
        f"| {row.name} | {_word(row.declared)} | {row.exercised} | {_word(row.observed)} | {row.state}{f': {row.why}' if row.why else ''} |"
        for row in rows
    ]
    head = [
        "",
        "## Capabilities",
        "",
        "| capability | declared | scenarios run | observed | state |",
        "|---|---|---|---|---|",
    ]
    return [*head, *lines] if rows else []


def _word(flag: bool | None) -> str:
    return "–" if flag is None else "yes" if flag else "no"


def _expectations(report: Report) -> list[str]:
    """Return the expected failures, and which expectations must go."""
    expected_failures = [scenario for scenario in report.scenarios if scenario.outcome is Outcome.XFAILED]
    reasons = {
        scenario.scenario.id: next((case.expectation for case in scenario.cases if case.expectation), "")
        for scenario in expected_failures
    }
    rows = [
        f"- {scenario.scenario.id} {scenario.scenario.title}: {reasons[scenario.scenario.id]}"
        for scenario in expected_failures
    ]
    stale = [f"- {entry['where']} {entry['id']}: {entry['why']}" for entry in report.expectations["stale"]]
    return [
        *(["", "## Fails as expected", "", *rows] if rows else []),
        *(["", "## Expectations that must go", "", *stale] if stale else []),
    ]


def _permitted_behaviours(report: Report) -> list[str]:
    """Return which of several permitted behaviours each scenario met."""
    lines = {
        f"- {scenario.scenario.id}.{clause} {scenario.scenario.title}: {word}"
        for scenario in report.scenarios
        for case in scenario.cases
        for clause, word in case.observed_behaviours.items()
    }
    return ["", "## Seen where more than one behaviour is permitted", "", *sorted(lines)] if lines else []


def _safety(report: Report) -> list[str]:
    broken = [rule for rule in report.safety_rules if rule.violations]
    if not broken:
        count = len(report.safety_rules)
        return ["", f"Safety rules: all {count} kept in every case."] if count else []
    return ["", "## Safety rules broken", "", *map(_broken_rule, broken)]


def _broken_rule(rule: RuleResult) -> str:
    """Return one line for all that broke a rule: a rule of every write may be broken thousands of times."""
    scenarios = sorted({violation["scenario"] for violation in rule.violations})
    first, *more = rule.violations
    repeated = f" (and {len(more)} time(s) more)" if more else ""
    return f"- {rule.id} [{rule.level}] in {', '.join(scenarios)}: {first['text']}{repeated}"


def _coverage(report: Report) -> list[str]:
    covered = report.requirements
    contract = covered.get("contract")
    rows = (
        []
        if contract is None
        else [
            f"Contract of a check controller: {contract['observed']} of {contract['rows']} rows are observed; MUST: {contract['mustObserved']} of {contract['must']}.",
            "",
        ]
    )
    failed = covered["failed"]
    partly = "" if report.complete else " The run was not complete."
    return [
        *rows,
        (
            f"Requirements: {covered['shown']} of {covered['total']} shown by a scenario that passed in this run; MUST: {covered['mustShown']} of {covered['must']}."
            f" Not run: {covered['notRun']} of {covered['declared']} that have a scenario.{partly}"
        ),
        *(["", f"Requirements that a failed scenario stands for: {', '.join(failed)}."] if failed else []),
    ]
