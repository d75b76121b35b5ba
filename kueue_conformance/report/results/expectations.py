"""Compares results with expectations: known failures,
unexpected passes, entries that must go (harness/H-16, H-17).
"""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from ...base.json_types import Json
from ...expectations import Expectation, Situation
from ...expectations.checking import stale
from ...expectations.entry import SKIP
from ...expectations.updating import CaseOutcome
from ...options import Settings
from ...scenarios.outcome import Outcome
from ...scenarios.scenario import Scenario
from .case import CaseResult

_FAILING = ("failed", "error")


def today() -> date:
    """Return the date for the expiry of expectations."""
    return datetime.fromtimestamp(time.time(), UTC).date()


def situation(settings: Settings, dialect: str) -> Situation:
    """Return the circumstances of cases of a dialect, for `when`."""
    version = str(settings.subject.implementation.get("version", "")) if settings.subject else ""
    return Situation(
        dialect=dialect, backend=settings.backend, control_plane=settings.control_plane, subject=version
    )


def reason_for_exclusion(scenario: Scenario, dialect: str, settings: Settings) -> str:
    """Return the reason for which an expectation excludes a selected case; empty when it is not."""
    if any(fnmatch.fnmatchcase(scenario.id, pattern) for pattern in settings.exclude):
        return "--exclude"
    entries = settings.expectations.about(scenario.id, situation(settings, dialect), today())
    return next((entry.description for entry in entries if entry.outcome == SKIP), "")


def expected_outcome(
    entries: Sequence[Expectation], scenario: str, outcome: Outcome, clause: str
) -> tuple[Outcome, str]:
    """Return the outcome of a case and the entry that expected it; without one the outcome is unchanged."""
    for entry in entries:
        if entry.expects(scenario, outcome, clause):
            return Outcome.FLAKY if entry.outcome == "flaky" else Outcome.XFAILED, entry.description
    return outcome, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectationResults:
    """The expectations of a run after it."""

    files: Sequence[str] = ()
    digest: str = ""
    matched: Sequence[Mapping[str, Any]] = ()
    stale: Sequence[Mapping[str, str]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        return {
            "files": list(self.files),
            "digest": self.digest,
            "matched": sorted(map(dict, self.matched), key=_place),
            "stale": sorted(map(dict, self.stale), key=_place),
        }


def _place(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["id"], row["where"]


NOTHING_EXPECTED = ExpectationResults()


def with_unexpected_passes(
    results: Sequence[CaseResult],
    settings: Settings,
    inventory: Mapping[str, Scenario],
    day: date,
    *,
    complete: bool = True,
) -> tuple[list[CaseResult], ExpectationResults]:
    """Return the results with unexpected passes marked, and the state of each entry.

    Cases of a scenario in one dialect belong together: a pass is unexpected when all of them pass.
    """
    marked, matched, expectations = list(results), [], settings.expectations
    for entry in expectations.entries:
        meant = [
            result
            for result in results
            if entry.is_about(result.id, situation(settings, result.dialect), day)
        ]
        matched.append((entry, sum(result.expectation == entry.description for result in meant)))
        if entry.outcome in _FAILING and complete:
            over = _passing(meant, inventory)
            marked = [
                _mark_unexpected_pass(result, entry) if (result.id, result.dialect) in over else result
                for result in marked
            ]
    return marked, ExpectationResults(
        files=tuple(map(str, expectations.files)),
        digest=expectations.digest if expectations.files else "",
        matched=[
            {
                "id": entry.id,
                **({"clause": entry.clause} if entry.clause else {}),
                "where": entry.where,
                "cases": cases,
            }
            for entry, cases in matched
            if cases
        ],
        stale=[
            {"id": entry.id, "where": entry.where, "why": why}
            for entry, why in stale(expectations.entries, inventory, day)
        ],
    )


def _passing(meant: Sequence[CaseResult], inventory: Mapping[str, Scenario]) -> set[tuple[str, str]]:
    """Return scenario and dialect of the groups whose cases all ran and passed."""
    groups: dict[tuple[str, str], list[CaseResult]] = {}
    for result in meant:
        groups.setdefault((result.id, result.dialect), []).append(result)
    return {
        key
        for key, cases in groups.items()
        if all(case.outcome is Outcome.PASSED for case in cases)
        and len(cases) >= len(inventory[key[0]].cases.rows)
    }


def _mark_unexpected_pass(case: CaseResult, entry: Expectation) -> CaseResult:
    text = f"{case.id}  passes, and {entry.where} expects it to fail: remove this entry ({entry.reason}; {entry.issue})"
    return replace(
        case, outcome=Outcome.XPASSED, code="unexpected-pass", text=text, expectation=entry.description
    )


def cases_of(report: Json) -> list[CaseOutcome]:
    """Return the cases of a report file as expectations look at them."""
    environment, subject = report["environment"], report["implementation"]
    return [
        CaseOutcome(
            scenario=scenario["id"],
            outcome=Outcome(case["outcome"]),
            fingerprint=case.get("clause") or case.get("code", ""),
            situation=Situation(
                dialect=case["dialect"],
                backend=environment["backend"],
                control_plane=environment["controlPlane"],
                subject=str(subject.get("version", "")),
            ),
        )
        for scenario in report["scenarios"]
        for case in scenario["cases"]
    ]
