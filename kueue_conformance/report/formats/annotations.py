"""Failures as annotations of a pull request: a line of GitHub's workflow commands for each cause."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...base.printable import printable
from ...catalogue.inventory import inventory
from ...scenarios.outcome import Level, Outcome
from ..results import recount
from ..results.case import CaseResult
from ..results.causes import FailureCause, causes
from ..story.object_roles import by_role

_SHOWN = 10
"""The most annotations of a level that GitHub shows for a step."""
_NAMED = 20


def lines(report: Json) -> Iterator[str]:
    """Yield a line for each cause of a report file: errors for what decides, warnings for the rest, not more
    than are shown.
    """
    strict = recount.is_strict(report)
    all_causes = causes(cases_of(report), inventory(), strict=strict)
    for cause in all_causes[:_SHOWN]:
        advisory = cause.level is not Level.MUST and not strict
        yield _line("warning" if advisory and not cause.is_error() else "error", cause)
    if not report["complete"]:
        yield "::error title=Kueue conformance::INCOMPLETE: the run ended before every case was judged"


def _line(word: str, cause: FailureCause) -> str:
    suffix = f" and {len(cause.others)} more" if cause.others else ""
    title = f"{cause.first.id}{suffix}: {cause.rule} [{cause.level}]"
    text = "\n".join(
        [
            cause.title,
            f"expected: {by_role(cause.expected)}",
            f"observed: {by_role(cause.observed)}",
            f"scenarios: {', '.join(cause.scenarios[:_NAMED])}",
        ]
    )
    return f"::{word} title={_escape(title, ':', ',')}::{_escape(text)}"


def _escape(text: str, *characters: str) -> str:
    """Escape a text for a workflow command."""
    for character in ("%", "\r", "\n", *characters):
        text = text.replace(character, f"%{ord(character):02X}")
    return printable(text)


def cases_of(report: Json) -> Iterator[CaseResult]:
    """Yield the cases of a report file, with the safety rules that they broke."""
    broken: dict[tuple[str, str], list[Json]] = {}
    for rule in report["safetyRules"]:
        for violation in rule["violations"]:
            breach = {"rule": rule["id"], "text": violation["text"]}
            broken.setdefault((violation["scenario"], violation["test"]), []).append(breach)
    for scenario in report["scenarios"]:
        for case in scenario["cases"]:
            yield CaseResult(
                id=scenario["id"],
                test=case["test"],
                dialect=case["dialect"],
                parameters=case["parameters"],
                outcome=Outcome(case["outcome"]),
                code=case.get("code", ""),
                text=case.get("text", ""),
                violations=tuple(broken.get((scenario["id"], case["test"]), ())),
            )
