"""The story of a case as plain data, one step a write:
what the page draws and the matrix of states looks at (harness/H-21).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...case.context import CaseContext
from ...case.failure_text import between, subject_output
from ...case.judgement import Judgement
from ...history.story import KUEUE, SUBJECT, Change, Request
from ...history.story_lines import refusal, summary
from ...rules import Violation
from ...scenarios.outcome import binding
from ...states import entries_of, state_of
from .traffic import REFUSALS, join, traffic

_LONGEST = 150
_LONGEST_LINE = 200


def timeline(context: CaseContext, judged_case: Judgement, *, strict: bool) -> list[dict[str, Any]]:
    """Return the story of a case as steps; writes that broke a safety rule that binds say which."""
    story = judged_case.story
    lines = between(story.changes, subject_output(context), context.skew)
    levels = binding(strict=strict)
    broken = [violation for violation in judged_case.broken or () if violation.level in levels]
    judged = SUBJECT if story.controller else KUEUE
    written = {_key(attempt) for attempt in story.attempts}
    other_requests = [request for request in story.requests if _key(request) not in written]
    beside = traffic(other_requests, story.questions, context.disturbed, judged)
    return steps(story.changes, story.attempts, broken, lines, judged, beside)


def _key(request: Request) -> tuple[object, ...]:
    return request.at, request.verb, request.target, request.namespace, request.name, request.code


def steps(
    changes: Sequence[Change],
    attempts: Sequence[Request],
    broken: Sequence[Violation],
    printed: Sequence[tuple[float, str]] = (),
    judged: str = SUBJECT,
    beside: Sequence[dict[str, Any]] = (),
) -> list[dict[str, Any]]:
    """Return a step for each change, for each write of the subject that changed nothing, what it printed and
    what was beside, in order of time.
    """
    vain = [attempt for attempt in attempts if not attempt.changed]
    every: list[Change | Request] = [*changes, *vain]
    shown = sorted(every, key=lambda record: record.at)[:_LONGEST]
    start = shown[0].at if shown else min((step["at"] for step in beside), default=0.0)
    guilt: dict[tuple[float, str], list[str]] = {}
    for violation in broken:
        guilt.setdefault((violation.at, violation.object_name), []).append(violation.rule)
    record_steps = [
        _step(record, judged, start, guilt.get((record.at, f"{record.kind} {record.name}"), []))
        for record in shown
    ]
    other = [{**step, "at": round(step["at"] - start, 3)} for step in beside]
    every_step = [*record_steps, *(_print(at - start, text) for at, text in printed), *other]
    return join(sorted(every_step, key=lambda step: step["at"]))


def _print(at: float, text: str) -> dict[str, Any]:
    text_ = f"prints {text[:_LONGEST_LINE]}"
    return {"at": round(at, 3), "kind": "", "name": "", "revision": 0, "actor": SUBJECT, "what": text_}


def _step(record: Change | Request, judged: str, start: float, rules: list[str]) -> dict[str, Any]:
    fields = _change(record) if isinstance(record, Change) else _vain(record, judged)
    blame = {"broke": list(dict.fromkeys(rules))} if rules else {}
    return {"at": round(record.at - start, 3), "kind": record.kind, "name": record.name, **fields, **blame}


def _change(change: Change) -> dict[str, Any]:
    fields = {"revision": change.revision, "actor": change.actor, "what": summary(change)}
    if change.kind != "Workload" or not change.after:
        return fields
    return {**fields, "state": state_of(change.after), "entries": entries_of(change.after)}


def _vain(request: Request, judged: str) -> dict[str, Any]:
    if request.is_refused:
        fields = {"what": f"refused {refusal(request)}", "lane": REFUSALS}
    else:
        fields = {"what": f"{request.verb} changed nothing (HTTP {request.code})"}
    return {"revision": 0, "actor": judged, **fields}
