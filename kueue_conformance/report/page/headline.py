"""The top of a report page: its subject, the verdict in a line, and a bar of outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...scenarios.outcome import Level, Outcome
from ..results.causes import Cause
from ..results.model import Report
from ..results.profile import ScenarioResult

_GOOD = (Outcome.PASSED, Outcome.XPASSED)
_ASIDE = (Outcome.UNSUPPORTED, Outcome.EXCLUDED, Outcome.DISABLED, Outcome.NOTRUN, Outcome.PROVISIONAL)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the bar: what it counts, how many scenarios that are, and their share in percent."""

    name: str
    sort: str
    amount: int
    share: float


def whose(report: Report) -> str:
    """Return the subject of the report: the project with its version,
    its controller name, or the control plane.
    """
    said = report.implementation
    name = str(said.get("project") or said.get("controllerName") or said.get("subject") or "Kueue")
    version = str(said.get("version", ""))
    return " ".join(
        filter(None, [str(said.get("organization", "")) if said.get("project") else "", name, version])
    )


def verdict_line(report: Report, found: Sequence[Cause]) -> str:
    """Return the verdict in one line, such as `2 rules broken, 1 must`."""
    broken = [one for one in found if not one.is_error()]
    must = sum(one.level is Level.MUST for one in broken)
    errors = sum(one.is_error() for one in found)
    rules = "rule" if len(broken) == 1 else "rules"
    said = [f"{len(broken)} {rules} broken, {must} must"] if broken else []
    said += (
        [f"{errors} {'reason' if errors == 1 else 'reasons'} why scenarios could not be judged"]
        if errors
        else []
    )
    if said:
        return "; ".join(said)
    shown = sum(one.outcome in _GOOD for one in report.scenarios)
    return (
        f"no rule broken in {shown} {'scenario' if shown == 1 else 'scenarios'}"
        if shown
        else "nothing was judged"
    )


def bar(report: Report) -> list[Part]:
    """Return the parts of the bar: passed, failed at must and at lower levels, errors, and the rest."""
    found = Counter(map(_sort, report.scenarios))
    every = sum(found.values()) or 1
    names = {
        "passed": "passed",
        "must": "failed at must",
        "should": "failed at should or may",
        "error": "not judged to an end",
        "aside": "unsupported or left out",
    }
    return [
        Part(name, sort, found[sort], round(100 * found[sort] / every, 2))
        for sort, name in names.items()
        if found[sort]
    ]


def _sort(one: ScenarioResult) -> str:
    if one.outcome in _GOOD:
        return "passed"
    if one.outcome in _ASIDE:
        return "aside"
    if one.outcome is Outcome.ERROR:
        return "error"
    return "must" if one.scenario.level is Level.MUST else "should"
