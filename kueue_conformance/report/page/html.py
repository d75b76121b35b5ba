"""report.html: one page that opens from disk without network; profiles → scenarios → the objects' timeline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from ...case.failure_text import command
from ...catalogue.provenance import shipped
from ...scenarios.outcome import BAD, LACKING, Outcome
from ..afterwards.matrix import Matrix
from ..results.case import CaseResult
from ..results.causes import Cause, causes_of, parts_of
from ..results.model import INCOMPLETE, Report
from ..results.profile import ScenarioResult, summary
from ..story.naming import by_role, pieces
from .headline import bar, verdict_line, whose
from .lanes import NARROW, WIDE, draw, first_wrong, strips
from .paths import paths, permitted

_SHOWN_CASES = 3
_REMEMBERED_TEXTS = 10_000
"""Texts whose names were replaced: a drawing and a table of one story say the same."""
TOLD = BAD | LACKING | {Outcome.FLAKY}
"""Outcomes that are shown first, with their story."""


@cache
def environment() -> Environment:
    """Return the template environment: an undefined name is an error, never a part that is silently left out."""
    loader = PackageLoader("kueue_conformance.report", "templates")
    made = Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters["by_role"], made.filters["roles"] = by_role, _roles
    return made


def _template(name: str) -> Template:
    return environment().get_template(name)


def render(report: Report) -> str:
    """Return the page."""
    found = causes_of(report)
    drawings = count(1)
    return _template("report.html").render(
        report=report,
        causes=found,
        causes_by=_numbers(found),
        scenario_of={one.scenario.id: one for one in report.scenarios},
        rules={one.id for one in report.safety_rules},
        number_of_drawing=lambda: next(drawings),
        whose=whose(report),
        verdict=verdict_line(report, found),
        bar=bar(report),
        summary=summary,
        worst_first=worst_first,
        told_cases=told_cases,
        draw=draw,
        first_wrong=first_wrong,
        strips=strips,
        wide=WIDE,
        narrow=NARROW,
        paths=paths,
        failure_of=failure_of,
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


def told_cases(one: ScenarioResult) -> list[CaseResult]:
    """Return the cases whose story is drawn at their scenario: those that fail as expected, and the first
    good one; causes have the others.
    """
    known = [case for case in one.cases if case.outcome is Outcome.XFAILED]
    good = [case for case in one.cases if case.outcome is Outcome.PASSED and (case.timeline or case.seen)]
    return [*known[:_SHOWN_CASES], *good[: 0 if one.outcome in TOLD else 1]]


def failure_of(case: CaseResult) -> str:
    """Return the part of a failure text that says what failed: what was expected and what was observed."""
    return " ".join(parts_of(case.text).values())


@lru_cache(_REMEMBERED_TEXTS)
def _roles(text: str) -> Markup:
    """Return a text with names by role; a tooltip shows the generated name."""
    named = Markup('<span class="role" title="{}">{}</span>')
    return Markup("").join(named.format(name, shown) if name else shown for shown, name in pieces(text))


def _numbers(found: Sequence[Cause]) -> dict[str, list[int]]:
    """Return the numbers of its causes by scenario."""
    numbers: dict[str, list[int]] = {}
    for number, cause in enumerate(found, 1):
        for name in cause.scenarios:
            numbers.setdefault(name, []).append(number)
    return numbers
