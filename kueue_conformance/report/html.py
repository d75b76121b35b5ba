"""report.html: one page that opens from disk without network; profiles → scenarios → the objects' timeline."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, Template

from ..catalogue.provenance import shipped
from ..outcome import BAD, LACKING, Outcome
from ..telling import command
from .lanes import draw
from .matrix import Matrix
from .model import INCOMPLETE, Report, ScenarioResult, summary
from .paths import paths, permitted

_SHOWN_CASES = 3
TOLD = BAD | LACKING | {Outcome.FLAKY}
"""Outcomes that are told first, with their story."""


@cache
def _template(name: str) -> Template:
    loader = PackageLoader("kueue_conformance.report", "templates")
    return Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template(
        name
    )


def render(report: Report) -> str:
    """Return the page."""
    return _template("report.html").render(
        report=report,
        summary=summary,
        worst_first=worst_first,
        told_cases=told_cases,
        draw=draw,
        paths=paths,
        machines=permitted(),
        seen=shipped(),
        TOLD=TOLD,
        INCOMPLETE=INCOMPLETE,
        again=again,
    )


def render_matrix(made: Matrix) -> str:
    """Return the page of several reports side by side."""
    return _template("matrix.html").render(made=made)


def again(report: Report, one: ScenarioResult) -> str:
    """Return the command that runs the worst case of a scenario again, with the options of the run."""
    worst = next((case for case in one.cases if case.outcome is one.outcome), one.cases[0])
    return command(one.scenario.id, worst.dialect, report.environment["options"], report.seed)


def worst_first(scenarios: tuple[ScenarioResult, ...]) -> list[ScenarioResult]:
    """Return failures and errors before the rest, otherwise in order of ids."""
    return sorted(scenarios, key=lambda one: (one.outcome not in TOLD, one.scenario.id))


def told_cases(one: ScenarioResult) -> list[object]:
    """Return the cases whose story is drawn: every bad one, and the first good one of a scenario."""
    bad = [case for case in one.cases if case.outcome in TOLD]
    good = [case for case in one.cases if case.outcome is Outcome.PASSED and (case.timeline or case.seen)]
    return [*bad[:_SHOWN_CASES], *good[: 0 if bad else 1]]
