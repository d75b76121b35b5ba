"""The top of a report page: its subject, the verdict in a line, and a bar of outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...scenarios.outcome import Level, Outcome
from ..results.causes import FailureCause
from ..results.model import Report
from ..results.profile import ScenarioResult

_GOOD = (Outcome.PASSED, Outcome.XPASSED)
_ASIDE = (Outcome.UNSUPPORTED, Outcome.EXCLUDED, Outcome.DISABLED, Outcome.NOTRUN, Outcome.PROVISIONAL)


@dataclass(frozen=True, slots=True)
class BarSegment:
    """A part of the bar: what it counts, how many scenarios that are, and their share in percent."""

    name: str
    sort: str
    amount: int
    share: float


def whose(report: Report) -> str:
    """Return the subject of the report: the project with its version,
    its controller name, or the control plane.
    """
    implementation = report.implementation
    name = str(
        implementation.get("project")
        or implementation.get("controllerName")
        or implementation.get("subject")
        or "Kueue"
    )
    version = str(implementation.get("version", ""))
    return " ".join(
        filter(
            None,
            [
                str(implementation.get("organization", "")) if implementation.get("project") else "",
                name,
                version,
            ],
        )
    )


def verdict_line(report: Report, causes: Sequence[FailureCause]) -> str:
    """Return the verdict in one line, such as `2 rules broken, 1 must`."""
    broken = [cause for cause in causes if not cause.is_error()]
    must = sum(cause.level is Level.MUST for cause in broken)
    errors = sum(cause.is_error() for cause in causes)
    rules = "rule" if len(broken) == 1 else "rules"
    phrases = [f"{len(broken)} {rules} broken, {must} must"] if broken else []
    phrases += (
        [f"{errors} {'reason' if errors == 1 else 'reasons'} why scenarios could not be judged"]
        if errors
        else []
    )
    if phrases:
        return "; ".join(phrases)
    shown = sum(scenario.outcome in _GOOD for scenario in report.scenarios)
    return (
        f"no rule broken in {shown} {'scenario' if shown == 1 else 'scenarios'}"
        if shown
        else "nothing was judged"
    )


def bar(report: Report) -> list[BarSegment]:
    """Return the parts of the bar: passed, failed at must and at lower levels, errors, and the rest."""
    counts = Counter(map(_sort, report.scenarios))
    every = sum(counts.values()) or 1
    names = {
        "passed": "passed",
        "must": "failed at must",
        "should": "failed at should or may",
        "error": "not judged to an end",
        "aside": "unsupported or left out",
    }
    return [
        BarSegment(name, sort, counts[sort], round(100 * counts[sort] / every, 2))
        for sort, name in names.items()
        if counts[sort]
    ]


def _sort(result: ScenarioResult) -> str:
    if result.outcome in _GOOD:
        return "passed"
    if result.outcome in _ASIDE:
        return "aside"
    if result.outcome is Outcome.ERROR:
        return "error"
    return "must" if result.scenario.level is Level.MUST else "should"
