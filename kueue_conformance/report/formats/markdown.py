"""summary.md: the summary for a CI page."""

from __future__ import annotations

import re

from ...scenarios.outcome import Outcome
from ..results.causes import Cause, causes_of
from ..results.model import INCOMPLETE, Report
from ..results.profile import summary
from ..story.naming import by_role


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
        cases = sum(len(one.cases) for one in profile.scenarios)
        lines.append(f"| {profile.name} | **{profile.result}** | {summary(profile.counts)} | {cases} |")
    for number, one in enumerate(causes_of(report), 1):
        lines += ["", *_cause(number, one)]
    lines += _expected(report)
    unsupported = [one for one in report.scenarios if one.outcome is Outcome.UNSUPPORTED]
    if unsupported:
        lines += [
            "",
            "## Unsupported",
            "",
            *(f"- {one.scenario.id} {one.scenario.title}: {one.code}" for one in unsupported),
        ]
    return "\n".join(
        [*lines, *_abilities(report), *_seen(report), *_safety(report), "", *_coverage(report), ""]
    )


def _cause(number: int, one: Cause) -> list[str]:
    """Return a cause with one story in full, and the scenarios that fail of it too."""
    head = f"## {number}. {one.rule} [{one.level}] {one.title}"
    seen = [f"- expected: {by_role(one.expected)}", f"- observed: {by_role(one.observed)}"]
    amount = f"{len(one.scenarios)} scenario(s): {', '.join(one.scenarios)}"
    return [head, "", *seen, f"- {one.first.outcome} in {amount}", "", *_fenced(one.first.text)]


def _fenced(text: str) -> list[str]:
    """Return a fenced block whose fence is longer than any in the text, which may be a controller's output."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}text", text, fence]


def _abilities(report: Report) -> list[str]:
    """Return the table of capabilities: declared, exercised, observed."""
    rows = [row for profile in report.profiles for row in profile.abilities]
    said = [
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
    return [*head, *said] if rows else []


def _word(said: bool | None) -> str:
    return "–" if said is None else "yes" if said else "no"


def _expected(report: Report) -> list[str]:
    """Return the expected failures, and which expectations must go."""
    known = [one for one in report.scenarios if one.outcome is Outcome.XFAILED]
    reasons = {
        one.scenario.id: next((case.expectation for case in one.cases if case.expectation), "")
        for one in known
    }
    rows = [f"- {one.scenario.id} {one.scenario.title}: {reasons[one.scenario.id]}" for one in known]
    stale = [f"- {one['where']} {one['id']}: {one['why']}" for one in report.expectations["stale"]]
    return [
        *(["", "## Fails as expected", "", *rows] if rows else []),
        *(["", "## Expectations that must go", "", *stale] if stale else []),
    ]


def _seen(report: Report) -> list[str]:
    """Return which of several permitted behaviours each scenario met."""
    found = {
        f"- {one.scenario.id}.{clause} {one.scenario.title}: {word}"
        for one in report.scenarios
        for case in one.cases
        for clause, word in case.seen.items()
    }
    return ["", "## Seen where more than one behaviour is permitted", "", *sorted(found)] if found else []


def _safety(report: Report) -> list[str]:
    broken = [(rule, found) for rule in report.safety_rules for found in rule.violations]
    if not broken:
        kept = len(report.safety_rules)
        return ["", f"Safety rules: all {kept} kept in every case."] if kept else []
    rows = [f"- {rule.id} [{rule.level}] in {found['scenario']}: {found['text']}" for rule, found in broken]
    return ["", "## Safety rules broken", "", *rows]


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
