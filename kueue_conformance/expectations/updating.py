"""Updates an expectation file from a report: adds new failures, removes those that pass now (harness/H-18)."""

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
class Seen:
    """A case of the report: its name, circumstances, outcome and fingerprint."""

    scenario: str
    situation: Situation
    outcome: Outcome
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The reason, issue and expiry of new entries."""

    reason: str
    issue: str
    expires: date
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Updated:
    """The new text, and the changes made."""

    text: str
    added: Sequence[str]
    removed: Sequence[str]
    renewed: Sequence[str]


def unexpected(cases: Iterable[Seen], known: Sequence[Expectation], today: date) -> list[Seen]:
    """Return the failed cases without an entry."""
    return [
        case
        for case in cases
        if case.outcome in _WRONG
        and not any(
            one.is_about(case.scenario, case.situation, today)
            and one.expects(case.scenario, case.outcome, case.fingerprint)
            for one in known
        )
    ]


def update(file: Path, cases: Sequence[Seen], why: Why, today: date) -> Updated:
    """Return the updated file; nothing is written."""
    editor = Editor(file.read_text("utf-8") if file.exists() else "")
    known = list(read([file]).entries) if file.exists() else []
    removed, renewed = [], []
    for number, one in enumerate([one for one in known if Path(one.file) == file]):
        if _is_over(one, cases):
            editor.remove(number)
            removed.append(one.fingerprint)
        elif one.is_expired(today):
            editor.replace(number, "expires", why.expires.isoformat())
            known[known.index(one)] = replace(one, expires=why.expires)
            renewed.append(one.fingerprint)
    fresh = list(_entries(unexpected(cases, known, today), cases, why))
    editor.append(fresh)
    added = [fingerprint(one["id"], one.get("clause", "")) for one in fresh]
    return Updated(editor.text(), added, removed, renewed)


def _is_over(one: Expectation, cases: Sequence[Seen]) -> bool:
    """Tell whether all cases of an entry were run and none of them failed as expected."""
    ever = date.min
    meant = [case for case in cases if one.is_about(case.scenario, case.situation, ever)]
    return bool(meant) and not any(
        one.expects(case.scenario, case.outcome, case.fingerprint) for case in meant
    )


def _entries(wrong: Sequence[Seen], cases: Sequence[Seen], why: Why) -> Iterator[Mapping[str, Any]]:
    """Yield an entry for each fingerprint, limited to its dialects where other dialects ran without it."""
    for scenario, word, clause in sorted(
        {(one.scenario, _WRONG[one.outcome], one.fingerprint) for one in wrong}
    ):
        where = sorted(
            {one.situation.dialect for one in wrong if (one.scenario, one.fingerprint) == (scenario, clause)}
        )
        every = {one.situation.dialect for one in cases if one.scenario == scenario}
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
