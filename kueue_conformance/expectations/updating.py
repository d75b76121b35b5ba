"""Updates an expectation file from a report:
adds new failures, removes those that pass now (harness/H-18).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from ..scenarios.outcome import Outcome
from .editing import Editor
from .entry import Expectation, Situation, fingerprint
from .file import read

_WRONG = {Outcome.FAILED: "failed", Outcome.XFAILED: "failed", Outcome.ERROR: "error", Outcome.FLAKY: "flaky"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """A case of the report: its name, circumstances, outcome and fingerprint."""

    scenario: str
    situation: Situation
    outcome: Outcome
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReason:
    """The reason, issue and expiry of new entries."""

    reason: str
    issue: str
    expires: date
    owner: str = ""


@dataclass(frozen=True, slots=True)
class UpdateResult:
    """The new text, and the changes made."""

    text: str
    added: Sequence[str]
    removed: Sequence[str]
    renewed: Sequence[str]


def unexpected_failures(
    cases: Iterable[CaseOutcome], entries: Sequence[Expectation], today: date
) -> list[CaseOutcome]:
    """Return the failed cases without an entry."""
    return [
        case
        for case in cases
        if case.outcome in _WRONG
        and not any(
            entry.is_about(case.scenario, case.situation, today)
            and entry.expects(case.scenario, case.outcome, case.fingerprint)
            for entry in entries
        )
    ]


def update(file: Path, cases: Sequence[CaseOutcome], why: EntryReason, today: date) -> UpdateResult:
    """Return the updated file; nothing is written."""
    editor = Editor(file.read_text("utf-8") if file.exists() else "")
    entries = list(read([file]).entries) if file.exists() else []
    removed, renewed = [], []
    for number, entry in enumerate([entry for entry in entries if Path(entry.file) == file]):
        if _is_over(entry, cases):
            editor.remove(number)
            removed.append(entry.fingerprint)
        elif entry.is_expired(today):
            editor.replace(number, "expires", why.expires.isoformat())
            entries[entries.index(entry)] = replace(entry, expires=why.expires)
            renewed.append(entry.fingerprint)
    fresh = list(_entries(unexpected_failures(cases, entries, today), cases, why))
    editor.append(fresh)
    added = [fingerprint(fresh_entry["id"], fresh_entry.get("clause", "")) for fresh_entry in fresh]
    return UpdateResult(editor.text(), added, removed, renewed)


def _is_over(entry: Expectation, cases: Sequence[CaseOutcome]) -> bool:
    """Tell whether all cases of an entry were run and none of them failed as expected."""
    ever = date.min
    meant = [case for case in cases if entry.is_about(case.scenario, case.situation, ever)]
    return bool(meant) and not any(
        entry.expects(case.scenario, case.outcome, case.fingerprint) for case in meant
    )


def _entries(
    wrong: Sequence[CaseOutcome], cases: Sequence[CaseOutcome], why: EntryReason
) -> Iterator[Mapping[str, Any]]:
    """Yield an entry for each fingerprint, limited to its dialects where other dialects ran without it."""
    for scenario, word, clause in sorted(
        {(failure.scenario, _WRONG[failure.outcome], failure.fingerprint) for failure in wrong}
    ):
        where = sorted(
            {
                failure.situation.dialect
                for failure in wrong
                if (failure.scenario, failure.fingerprint) == (scenario, clause)
            }
        )
        every = {case.situation.dialect for case in cases if case.scenario == scenario}
        yield {
            "id": scenario,
            **({"outcome": word} if word != "failed" else {}),
            **({"clause": clause} if clause else {}),
            **({"when": {"dialect": where}} if set(where) != every else {}),
            "reason": why.reason,
            "issue": why.issue,
            **({"owner": why.owner} if why.owner else {}),
            "expires": why.expires,
        }
