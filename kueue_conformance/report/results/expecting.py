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
from ...expectations.updating import Seen
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


def excluded(scenario: Scenario, dialect: str, settings: Settings) -> str:
    """Return the reason for which an expectation excludes a selected case; empty when it is not."""
    if any(fnmatch.fnmatchcase(scenario.id, pattern) for pattern in settings.exclude):
        return "--exclude"
    known = settings.expectations.about(scenario.id, situation(settings, dialect), today())
    return next((one.told for one in known if one.outcome == SKIP), "")


def expected(
    known: Sequence[Expectation], scenario: str, outcome: Outcome, clause: str
) -> tuple[Outcome, str]:
    """Return the outcome of a case and the entry that expected it; without one the outcome is unchanged."""
    for one in known:
        if one.expects(scenario, outcome, clause):
            return Outcome.FLAKY if one.outcome == "flaky" else Outcome.XFAILED, one.told
    return outcome, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
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
            "matched": [dict(one) for one in self.matched],
            "stale": [dict(one) for one in self.stale],
        }


NOTHING_EXPECTED = Kept()


def with_unexpected_passes(
    results: Sequence[CaseResult],
    settings: Settings,
    inventory: Mapping[str, Scenario],
    day: date,
    *,
    complete: bool = True,
) -> tuple[list[CaseResult], Kept]:
    """Return the results with unexpected passes marked, and the state of each entry.

    Cases of a scenario in one dialect belong together: a pass is unexpected when all of them pass.
    """
    found, matched, known = list(results), [], settings.expectations
    for one in known.entries:
        meant = [each for each in results if one.is_about(each.id, situation(settings, each.dialect), day)]
        matched.append((one, sum(each.expectation == one.told for each in meant)))
        if one.outcome in _FAILING and complete:
            over = _passing(meant, inventory)
            found = [_unexpected(each, one) if (each.id, each.dialect) in over else each for each in found]
    return found, Kept(
        files=tuple(map(str, known.files)),
        digest=known.digest if known.files else "",
        matched=[
            {
                "id": one.id,
                **({"clause": one.clause} if one.clause else {}),
                "where": one.where,
                "cases": cases,
            }
            for one, cases in matched
            if cases
        ],
        stale=[
            {"id": one.id, "where": one.where, "why": why}
            for one, why in stale(known.entries, inventory, day)
        ],
    )


def _passing(meant: Sequence[CaseResult], inventory: Mapping[str, Scenario]) -> set[tuple[str, str]]:
    """Return scenario and dialect of the groups whose cases all ran and passed."""
    groups: dict[tuple[str, str], list[CaseResult]] = {}
    for each in meant:
        groups.setdefault((each.id, each.dialect), []).append(each)
    return {
        key
        for key, cases in groups.items()
        if all(each.outcome is Outcome.PASSED for each in cases)
        and len(cases) >= len(inventory[key[0]].cases.rows)
    }


def _unexpected(case: CaseResult, one: Expectation) -> CaseResult:
    text = f"{case.id}  passes, and {one.where} expects it to fail: remove this entry ({one.reason}; {one.issue})"
    return replace(case, outcome=Outcome.XPASSED, code="unexpected-pass", text=text, expectation=one.told)


def seen(report: Json) -> list[Seen]:
    """Return the cases of a report file as expectations look at them."""
    environment, subject = report["environment"], report["implementation"]
    return [
        Seen(
            scenario=one["id"],
            outcome=Outcome(case["outcome"]),
            fingerprint=case.get("clause") or case.get("code", ""),
            situation=Situation(
                dialect=case["dialect"],
                backend=environment["backend"],
                control_plane=environment["controlPlane"],
                subject=str(subject.get("version", "")),
            ),
        )
        for one in report["scenarios"]
        for case in one["cases"]
    ]
