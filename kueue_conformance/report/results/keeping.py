"""Chooses the cases that leave evidence, and writes the first line of each file (harness/N-08, N-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ...base.errors import EnvironmentProblem
from ...base.files.saving import make_folder, save
from ...case.context import CaseContext
from ...case.failure_text import printed_by_subject
from ...options import Settings
from ...rules import Story
from ...scenarios.outcome import Outcome
from ...scenarios.scenario import Scenario
from ..evidence import Evidence, Folder, file_name, write
from ..redaction import Redaction
from ..story import bundle
from .case import CaseResult

LOGS = "logs"
_WRONG = (Outcome.FAILED, Outcome.ERROR, Outcome.XFAILED, Outcome.FLAKY)


def keep(
    item: pytest.Item,
    scenario: Scenario,
    context: CaseContext,
    settings: Settings,
    note: Mapping[str, Any],
    told: Story,
) -> str:
    """Write the story of a case where it is wanted;
    return the file as the report names it, empty where there is none.
    """
    if settings.report_dir is None or not _wanted(settings.evidence, Outcome(note["outcome"])):
        return ""
    about = {
        "suite": _version(),
        "scenario": scenario.id,
        "revision": scenario.revision,
        "title": scenario.title,
        "test": note["test"],
        "node": note["node"],
        "dialect": context.dialect.name,
        "parameters": note["parameters"],
        "controller": told.controller,
        "seed": settings.seed,
        "options": dict(settings.given),
        "fingerprint": note["clause"] or note["code"],
        "text": note["text"],
        "faults": list(context.disturbed),
        "skew": told.skew,
        **(
            {"settled": list(told.settled), "kinds": sorted(told.kinds or ())}
            if context.kueue_works and not context.subject
            else {}
        ),
    }
    kept = Evidence(
        about=about,
        changes=told.changes,
        requests=told.requests,
        questions=told.questions,
        attempts=told.attempts,
    )
    try:
        return Folder(settings.report_dir).put(file_name(scenario.id, item.name), write(kept))
    except EnvironmentProblem as problem:
        item.warn(pytest.PytestWarning(f"no evidence of {scenario.id}: {problem}"))
        return ""


def keep_log(
    item: pytest.Item,
    scenario: Scenario,
    context: CaseContext,
    settings: Settings,
    note: Mapping[str, Any],
    told: Story,
) -> str:
    """Write the subject's log of a case whose story is kept; return the file, empty where it printed nothing."""
    if settings.report_dir is None or not _wanted(settings.evidence, Outcome(note["outcome"])):
        return ""
    lines = [f"{line}\n" for line in printed_by_subject(context)]
    name = f"{Path(file_name(scenario.id, item.name)).stem}.log"
    text = Redaction.of(told.changes, told.requests).text("".join(lines))
    try:
        return Folder(settings.report_dir, LOGS).put(name, text.encode()) if lines else ""
    except EnvironmentProblem as problem:
        item.warn(pytest.PytestWarning(f"no log of {scenario.id}: {problem}"))
        return ""


def _wanted(evidence: str, outcome: Outcome) -> bool:
    return evidence == "all" or (evidence == "failed" and outcome in _WRONG)


def _version() -> str:
    from ... import __version__

    return __version__


def put(folder: Path, results: Sequence[CaseResult]) -> None:
    """In the leading process: index the evidence of a run, and make a bundle of each failure."""
    kept = [one for one in results if one.evidence]
    Folder(folder).close(
        [
            {"file": one.evidence, "scenario": one.id, "test": one.test, "outcome": str(one.outcome)}
            for one in kept
        ]
    )
    Folder(folder, LOGS).keep(one.log for one in results if one.log)
    wrong = {f"{Path(one.evidence).stem}.zip": one for one in kept if one.outcome in _WRONG}
    bundles = folder / bundle.FOLDER
    if wrong or bundles.exists():
        make_folder(bundles, ours=True)
    for stale in bundles.glob("*.zip"):
        if stale.name not in wrong:
            stale.unlink()
    for name, one in wrong.items():
        save(bundles / name, bundle.pack(name, folder / one.evidence, str(one.outcome)), private=True)
