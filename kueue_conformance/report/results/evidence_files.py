"""Chooses the cases that leave evidence, and writes the first line of each file (harness/N-08, N-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ...base.errors import EnvironmentProblem
from ...base.files.saving import make_folder, save
from ...case.context import CaseContext
from ...case.failure_text import subject_output
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
    story: Story,
) -> str:
    """Write the story of a case where it is wanted;
    return the file as the report names it, empty where there is none.
    """
    if settings.report_dir is None or not _is_wanted(settings.evidence, Outcome(note["outcome"])):
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
        "controller": story.controller,
        "seed": settings.seed,
        "options": dict(settings.changed_options),
        "fingerprint": note["clause"] or note["code"],
        "text": note["text"],
        "faults": list(context.disturbed),
        "skew": story.skew,
        "timeoutScale": story.timeout_scale,
        **(
            {"settled": list(story.settled), "kinds": sorted(story.kinds or ())}
            if context.kueue_works and (story.job_fields or not context.subject)
            else {}
        ),
        **({"job": story.job_fields.to_dict()} if story.job_fields else {}),
    }
    evidence = Evidence(
        about=about,
        changes=story.changes,
        requests=story.requests,
        questions=story.questions,
        unreleased_work=story.unreleased_work,
        attempts=story.attempts,
    )
    try:
        return Folder(settings.report_dir).write(file_name(scenario.id, item.name), write(evidence))
    except EnvironmentProblem as problem:
        item.warn(pytest.PytestWarning(f"no evidence of {scenario.id}: {problem}"))
        return ""


def keep_log(
    item: pytest.Item,
    scenario: Scenario,
    context: CaseContext,
    settings: Settings,
    note: Mapping[str, Any],
    story: Story,
) -> str:
    """Write the subject's log of a case whose story is kept;
    return the file, empty where it printed nothing.
    """
    if settings.report_dir is None or not _is_wanted(settings.evidence, Outcome(note["outcome"])):
        return ""
    lines = [f"{line}\n" for line in subject_output(context)]
    name = f"{Path(file_name(scenario.id, item.name)).stem}.log"
    text = Redaction.of(story.changes, story.requests).text("".join(lines))
    try:
        return Folder(settings.report_dir, LOGS).write(name, text.encode()) if lines else ""
    except EnvironmentProblem as problem:
        item.warn(pytest.PytestWarning(f"no log of {scenario.id}: {problem}"))
        return ""


def _is_wanted(evidence: str, outcome: Outcome) -> bool:
    return evidence == "all" or (evidence == "failed" and outcome in _WRONG)


def _version() -> str:
    from ... import __version__

    return __version__


def write_evidence(folder: Path, results: Sequence[CaseResult]) -> None:
    """In the leading process: index the evidence of a run, and make a bundle of each failure."""
    with_evidence = [result for result in results if result.evidence]
    Folder(folder).close(
        [
            {
                "file": result.evidence,
                "scenario": result.id,
                "test": result.test,
                "outcome": str(result.outcome),
            }
            for result in with_evidence
        ]
    )
    Folder(folder, LOGS).keep(result.log for result in results if result.log)
    wrong = {
        f"{Path(result.evidence).stem}.zip": result for result in with_evidence if result.outcome in _WRONG
    }
    bundles = folder / bundle.FOLDER
    if wrong or bundles.exists():
        make_folder(bundles, ours=True)
    for stale in bundles.glob("*.zip"):
        if stale.name not in wrong:
            stale.unlink()
    for name, result in wrong.items():
        save(bundles / name, bundle.pack(name, folder / result.evidence, str(result.outcome)), private=True)
