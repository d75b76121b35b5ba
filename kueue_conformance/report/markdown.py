"""summary.md: what a CI page shows."""

from __future__ import annotations

from ..outcome import Outcome
from .model import Report, ScenarioResult, summary

_BAD = (Outcome.FAILED, Outcome.ERROR)


def render(report: Report) -> str:
    """Return the summary as Markdown."""
    lines = ["# Kueue conformance", "", "| profile | result | scenarios | cases |", "|---|---|---|---|"]
    for profile in report.profiles:
        cases = sum(len(one.cases) for one in profile.scenarios)
        lines.append(f"| {profile.name} | **{profile.result}** | {summary(profile.counts)} | {cases} |")
    bad = [one for one in report.scenarios if one.outcome in _BAD]
    for one in bad:
        lines += ["", *_failure(one)]
    unsupported = [one for one in report.scenarios if one.outcome is Outcome.UNSUPPORTED]
    if unsupported:
        lines += [
            "",
            "## Unsupported",
            "",
            *(f"- {one.scenario.id} {one.scenario.title}: {one.code}" for one in unsupported),
        ]
    return "\n".join([*lines, "", *_coverage(report), ""])


def _failure(one: ScenarioResult) -> list[str]:
    worst = next(case for case in one.cases if case.outcome is one.outcome)
    return [f"## {one.scenario.id} {one.outcome}: {one.scenario.title}", "", "```text", worst.text, "```"]


def _coverage(report: Report) -> list[str]:
    covered = report.requirements
    return [
        f"Requirements: {covered['shown']} of {covered['total']} shown by a scenario; MUST: {covered['mustShown']} of {covered['must']}."
    ]
