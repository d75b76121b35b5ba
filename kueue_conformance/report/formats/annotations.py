"""Failures as annotations of a pull request: a line of GitHub's workflow commands for each cause."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...base.printable import printable
from ...catalogue.inventory import inventory
from ...scenarios.outcome import Level, Outcome
from ..results import recount
from ..results.case import CaseResult
from ..results.causes import Cause, causes
from ..story.naming import by_role

_SHOWN = 10
"""The most annotations of a level that GitHub shows for a step."""
_NAMED = 20


def lines(report: Json) -> Iterator[str]:
    """Yield a line for each cause of a report file: errors for what decides, warnings for the rest, not more
    than are shown.
    """
    strict = recount.is_strict(report)
    found = causes(_cases(report), inventory(), strict=strict)
    for one in found[:_SHOWN]:
        advisory = one.level is not Level.MUST and not strict
        yield _line("warning" if advisory and not one.is_error() else "error", one)
    if not report["complete"]:
        yield "::error title=Kueue conformance::INCOMPLETE: the run ended before every case was judged"


def _line(word: str, one: Cause) -> str:
    more = f" and {len(one.others)} more" if one.others else ""
    title = f"{one.first.id}{more}: {one.rule} [{one.level}]"
    text = "\n".join(
        [
            one.title,
            f"expected: {by_role(one.expected)}",
            f"observed: {by_role(one.observed)}",
            f"scenarios: {', '.join(one.scenarios[:_NAMED])}",
        ]
    )
    return f"::{word} title={_escaped(title, ':', ',')}::{_escaped(text)}"


def _escaped(text: str, *more: str) -> str:
    """Escape a text for a workflow command."""
    for one in ("%", "\r", "\n", *more):
        text = text.replace(one, f"%{ord(one):02X}")
    return printable(text)


def _cases(report: Json) -> Iterator[CaseResult]:
    broken: dict[tuple[str, str], list[Json]] = {}
    for rule in report["safetyRules"]:
        for found in rule["violations"]:
            told = {"rule": rule["id"], "text": found["text"]}
            broken.setdefault((found["scenario"], found["test"]), []).append(told)
    for one in report["scenarios"]:
        for case in one["cases"]:
            yield CaseResult(
                id=one["id"],
                test=case["test"],
                dialect=case["dialect"],
                parameters=case["parameters"],
                outcome=Outcome(case["outcome"]),
                code=case.get("code", ""),
                text=case.get("text", ""),
                violations=tuple(broken.get((one["id"], case["test"]), ())),
            )
