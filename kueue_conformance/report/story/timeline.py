"""The story of a case as plain data, one step a write:
what the page draws and the matrix of states looks at (harness/H-21).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...case.context import CaseContext
from ...case.failure_text import between, printed_by_subject
from ...case.judgement import Judged
from ...history.story import SUBJECT, Change, Request, summary
from ...rules import Violation
from ...scenarios.outcome import binding
from ...states import entries_of, state_of
from .traffic import REFUSALS, joined, refused, traffic

KUEUE = "kueue"
"""The actor of a control plane's refused writes."""
_LONGEST = 150
_LONGEST_LINE = 200


def timeline(context: CaseContext, found: Judged, *, strict: bool) -> list[dict[str, Any]]:
    """Return the story of a case as steps; writes that broke a safety rule that binds say which."""
    told = found.story
    lines = between(told.changes, printed_by_subject(context), context.skew)
    levels = binding(strict=strict)
    broken = [one for one in found.broken or () if one.level in levels]
    judged = SUBJECT if told.controller else KUEUE
    written = {_key(one) for one in told.attempts}
    others = [one for one in told.requests if _key(one) not in written]
    beside = traffic(others, told.questions, context.disturbed, judged)
    return steps(told.changes, told.attempts, broken, lines, judged, beside)


def _key(one: Request) -> tuple[object, ...]:
    return one.at, one.verb, one.target, one.namespace, one.name, one.code


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
    vain = [one for one in attempts if not one.changed]
    every: list[Change | Request] = [*changes, *vain]
    found = sorted(every, key=lambda one: one.at)[:_LONGEST]
    start = found[0].at if found else min((one["at"] for one in beside), default=0.0)
    guilt: dict[tuple[float, str], list[str]] = {}
    for one in broken:
        guilt.setdefault((one.at, one.thing), []).append(one.rule)
    told = [_step(one, judged, start, guilt.get((one.at, f"{one.kind} {one.name}"), [])) for one in found]
    other = [{**one, "at": round(one["at"] - start, 3)} for one in beside]
    every_step = [*told, *(_print(at - start, text) for at, text in printed), *other]
    return joined(sorted(every_step, key=lambda step: step["at"]))


def _print(at: float, text: str) -> dict[str, Any]:
    said = f"prints {text[:_LONGEST_LINE]}"
    return {"at": round(at, 3), "kind": "", "name": "", "revision": 0, "actor": SUBJECT, "what": said}


def _step(one: Change | Request, judged: str, start: float, rules: list[str]) -> dict[str, Any]:
    said = _change(one) if isinstance(one, Change) else _vain(one, judged)
    blame = {"broke": list(dict.fromkeys(rules))} if rules else {}
    return {"at": round(one.at - start, 3), "kind": one.kind, "name": one.name, **said, **blame}


def _change(one: Change) -> dict[str, Any]:
    said = {"revision": one.revision, "actor": one.actor, "what": summary(one)}
    if one.kind != "Workload" or not one.after:
        return said
    return {**said, "state": state_of(one.after), "entries": entries_of(one.after)}


def _vain(one: Request, judged: str) -> dict[str, Any]:
    lane = {"lane": REFUSALS} if refused(one) else {}
    return {"revision": 0, "actor": judged, "what": f"{one.verb} changed nothing (HTTP {one.code})", **lane}
