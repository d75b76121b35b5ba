"""report.html: one page that opens from disk without network;
profiles → scenarios → the objects' timeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from ...case.failure_text import command
from ...catalogue.provenance import shipped_stamps
from ...scenarios.outcome import BAD, LACKING, Outcome
from ..afterwards.history import History
from ..afterwards.matrix import Matrix
from ..results.case import CaseResult
from ..results.causes import FailureCause, causes_of, parts_of
from ..results.model import INCOMPLETE, Report
from ..results.profile import ScenarioResult, summary
from ..story.object_roles import by_role, pieces
from .headline import bar, verdict_line, whose
from .lanes import NARROW, WIDE, draw, first_wrong, strips
from .paths import paths, permitted_transitions

_SHOWN_CASES = 3
_REMEMBERED_TEXTS = 10_000
"""Texts whose names were replaced: a drawing and a table of one story say the same."""
TOLD = BAD | LACKING | {Outcome.FLAKY}
"""Outcomes that are shown first, with their story."""


@cache
def environment() -> Environment:
    """Return the template environment: an undefined name is an error,
    never a part that is silently left out.
    """
    loader = PackageLoader("kueue_conformance.report", "templates")
    template_environment = Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    template_environment.filters["by_role"], template_environment.filters["roles"] = by_role, _roles
    return template_environment


def _template(name: str) -> Template:
    return environment().get_template(name)


def render(report: Report) -> str:
    """Return the page."""
    all_causes = causes_of(report)
    drawings = count(1)
    return _template("report.html").render(
        report=report,
        causes=all_causes,
        causes_by=_numbers(all_causes),
        scenario_of={scenario.scenario.id: scenario for scenario in report.scenarios},
        rules={rule.id for rule in report.safety_rules},
        number_of_drawing=lambda: next(drawings),
        whose=whose(report),
        verdict=verdict_line(report, all_causes),
        bar=bar(report),
        summary=summary,
        worst_first=worst_first,
        told_cases=cases_with_story,
        draw=draw,
        first_wrong=first_wrong,
        strips=strips,
        wide=WIDE,
        narrow=NARROW,
        paths=paths,
        failure_of=failure_of,
        machines=permitted_transitions(),
        seen=shipped_stamps(),
        TOLD=TOLD,
        INCOMPLETE=INCOMPLETE,
        again=again,
    )


def render_matrix(reports: Matrix) -> str:
    """Return the page of several reports side by side."""
    return _template("matrix.html").render(matrix=reports)


def render_history(past: Sequence[History]) -> str:
    """Return the page of runs over time."""
    return _template("history.html").render(histories=past)


def again(report: Report, scenario: ScenarioResult) -> str:
    """Return the command that runs the worst case of a scenario again, with the options of the run."""
    worst = next((case for case in scenario.cases if case.outcome is scenario.outcome), scenario.cases[0])
    return command(scenario.scenario.id, worst.dialect, report.environment["options"], report.seed)


def worst_first(scenarios: tuple[ScenarioResult, ...]) -> list[ScenarioResult]:
    """Return failures and errors before the rest, otherwise in order of ids."""
    return sorted(scenarios, key=lambda scenario: (scenario.outcome not in TOLD, scenario.scenario.id))


def cases_with_story(scenario: ScenarioResult) -> list[CaseResult]:
    """Return the cases whose story is drawn at their scenario: those that fail as expected, and the first
    good one; causes have the others.
    """
    expected_failures = [case for case in scenario.cases if case.outcome is Outcome.XFAILED]
    good = [
        case
        for case in scenario.cases
        if case.outcome is Outcome.PASSED and (case.timeline or case.observed_behaviours)
    ]
    return [*expected_failures[:_SHOWN_CASES], *good[: 0 if scenario.outcome in TOLD else 1]]


def failure_of(case: CaseResult) -> str:
    """Return the part of a failure text that says what failed: what was expected and what was observed."""
    return " ".join(parts_of(case.text).values())


@lru_cache(_REMEMBERED_TEXTS)
def _roles(text: str) -> Markup:
    """Return a text with names by role; a tooltip shows the generated name."""
    named = Markup('<span class="role" title="{}">{}</span>')
    return Markup("").join(named.format(name, shown) if name else shown for shown, name in pieces(text))


def _numbers(causes: Sequence[FailureCause]) -> dict[str, list[int]]:
    """Return the numbers of its causes by scenario."""
    numbers: dict[str, list[int]] = {}
    for number, cause in enumerate(causes, 1):
        for name in cause.scenarios:
            numbers.setdefault(name, []).append(number)
    return numbers
