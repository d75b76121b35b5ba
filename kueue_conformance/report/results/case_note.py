"""Notes from the process that ran a case for the leading process:
attached to pytest's report as plain data (PY-22).
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from ...base.errors import ConformanceError, Nonconformance
from ...base.printable import plain, printable
from ...case.context import CaseContext
from ...case.judgement import Judgement, story
from ...options import Settings
from ...rules import Story
from ...rules.check_controller.abilities import observe_capabilities
from ...run.parametrization import TURN, TURN_MARK
from ...scenarios.dialect import Dialect
from ...scenarios.outcome import Outcome
from ...scenarios.scenario import Scenario
from ..redaction import Redaction
from ..story.lists import tables
from ..story.timeline import timeline
from .case import clause_of
from .evidence_files import keep, keep_log
from .expectations import expected_outcome, situation, today
from .footprint import summarize_requests

_SKIPPED = (Outcome.UNSUPPORTED, Outcome.EXCLUDED, Outcome.DISABLED, Outcome.NOTRUN)

SHOWN = pytest.StashKey[set[str]]()
"""The scenarios of which this process has a good case with its steps."""


def note_case(
    item: pytest.Item,
    scenario: Scenario,
    context: CaseContext | None,
    call: pytest.CallInfo[None],
    report: pytest.TestReport,
    judged: Judgement | None,
    settings: Settings,
) -> None:
    """Attach the note of a case to a phase's report, as plain data; the timeline is one text."""
    outcome, code, text = _judge(call, report)
    over = report.when == "call" or outcome is not Outcome.PASSED
    note: dict[str, Any] = {
        **_case(item, scenario),
        "clause": clause_of(scenario.id, text),
        "code": code,
        "text": text,
        "seconds": round(call.duration, 3),
        "seen": dict(context.observed_behaviours) if context else {},
        "drawn": list(context.drawn_values) if context else [],
        **_nothing(),
    }
    note["outcome"], note["expectation"] = _foreseen(settings, note, outcome)
    if note["expectation"]:
        # pytest marks an expected failure so.
        report.outcome, report.wasxfail = "skipped", note["expectation"]
    if context and over:
        judged = judged or Judgement(story=story(context))
        note |= _story(item, scenario, context, settings, note, judged)
    note = plain(note)
    if report.failed and (text_ := printable(report.longreprtext)) != report.longreprtext:
        report.longrepr = text_
    if judged is not None:
        note = _without_secrets(report, note, judged.story)
    # pytest carries extra attributes of a report from a worker to the controller.
    setattr(report, "kueue", note)  # noqa: B010


def _without_secrets(report: pytest.TestReport, note: dict[str, Any], story: Story) -> dict[str, Any]:
    """Return a note without what Secrets of the story hold;
    pytest's own text of a failure loses it as well.
    """
    hidden = Redaction.of(story.changes, story.requests)
    if not hidden.values:
        return note
    if report.failed:
        report.longrepr = hidden.text(report.longreprtext)
    clean_note: dict[str, Any] = hidden.plain(note)
    return clean_note


def _case(item: pytest.Item, scenario: Scenario) -> dict[str, Any]:
    parameters = (
        dict(item.callspec.params) if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    dialect = parameters.pop("kueue_dialect", None)
    turn = parameters.pop(TURN, 0)
    mark = f"{TURN_MARK}{turn}]"
    return {
        "id": scenario.id,
        "test": item.name.replace(mark, "]"),
        "node": item.nodeid.replace(mark, "]"),
        "dialect": dialect.name if isinstance(dialect, Dialect) else "",
        "parameters": {name: str(value) for name, value in parameters.items()},
    }


def _nothing() -> dict[str, Any]:
    """Return the note of a phase without a story."""
    return {
        "waits": {},
        "timeline": "[]",
        "lists": "[]",
        "judged": False,
        "violations": [],
        "evidence": "",
        "log": "",
        "observed": [],
        "asked": {},
    }


def _story(
    item: pytest.Item,
    scenario: Scenario,
    context: CaseContext,
    settings: Settings,
    note: dict[str, Any],
    judged: Judgement,
) -> dict[str, Any]:
    broken = judged.broken
    return {
        "waits": dict(context.waits),
        "timeline": orjson.dumps(
            timeline(context, judged, strict=settings.strict)
            if _is_shown(item, scenario, settings, note, judged)
            else []
        ).decode(),
        "lists": orjson.dumps(tables([*context.lists])).decode(),
        "judged": broken is not None,
        "observed": sorted(map(str, observe_capabilities(judged.story)))
        if judged.story.controller and broken is not None
        else [],
        "violations": [
            {"rule": violation.rule, "text": f"{violation.object_name}: {violation.text}"}
            for violation in broken or ()
        ],
        "asked": summarize_requests(context),
        "evidence": keep(item, scenario, context, settings, note, judged.story),
        "log": keep_log(item, scenario, context, settings, note, judged.story),
    }


def _is_shown(
    item: pytest.Item, scenario: Scenario, settings: Settings, note: dict[str, Any], judged: Judgement
) -> bool:
    """Tell whether the page shows the steps of a case: of those that passed none, or with --stories all one
    of each scenario.
    """
    if settings.report_dir is None:
        return False
    if note["outcome"] != Outcome.PASSED:
        return True
    # What a case that passed has broken is no must: the page lists it with the rule.
    if settings.stories != "all":
        return False
    if judged.broken:
        return True
    shown = item.session.stash.setdefault(SHOWN, set())
    first = scenario.id not in shown
    shown.add(scenario.id)
    return first


def _foreseen(settings: Settings, note: dict[str, Any], outcome: Outcome) -> tuple[str, str]:
    """Return the outcome of a case, and its expectation."""
    entries = settings.expectations.about(note["id"], situation(settings, note["dialect"]), today())
    final, entry = expected_outcome(entries, note["id"], outcome, note["clause"] or note["code"])
    return str(final), entry


def _judge(call: pytest.CallInfo[None], report: pytest.TestReport) -> tuple[Outcome, str, str]:
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        word, _, code = reason.partition(": ")
        if word in _SKIPPED:
            return Outcome(word), code, ""
        return Outcome.ERROR, "skip", f"skipped without a reason code: {reason}"
    if report.passed or call.excinfo is None:
        return Outcome.PASSED, "", ""
    error = call.excinfo.value
    text = str(error) if isinstance(error, Nonconformance | ConformanceError) else call.excinfo.exconly()
    judged = report.when == "call" or isinstance(error, Nonconformance)
    failed = judged and isinstance(error, AssertionError)
    code = error.code if isinstance(error, Nonconformance) else "assertion"
    return (Outcome.FAILED, code, text) if failed else (Outcome.ERROR, type(error).__name__, text)
