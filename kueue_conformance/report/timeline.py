"""The story of a case as plain data, one step a write: what the page draws and the matrix of states looks at (harness/H-21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..bench import Bench
from ..history import SUBJECT, Change, Request, summary
from ..judgement import story
from ..rules import Violation
from ..states import entries_of, state_of

_LONGEST = 150


def timeline(bench: Bench, broken: Sequence[Violation]) -> list[dict[str, Any]]:
    """Return the story of a case; writes that broke a safety rule say which."""
    told = story(bench)
    return steps(told.changes, told.attempts, broken)


def steps(
    changes: Sequence[Change], attempts: Sequence[Request], broken: Sequence[Violation]
) -> list[dict[str, Any]]:
    """Return a step for each change, and for each write of the subject that changed nothing, in order of time."""
    vain = [one for one in attempts if not one.changed]
    every: list[Change | Request] = [*changes, *vain]
    found = sorted(every, key=lambda one: one.at)[:_LONGEST]
    start = found[0].at if found else 0.0
    guilt: dict[tuple[float, str], list[str]] = {}
    for one in broken:
        guilt.setdefault((one.at, one.thing), []).append(one.rule)
    return [_step(one, start, guilt.get((one.at, f"{one.kind} {one.name}"), [])) for one in found]


def _step(one: Change | Request, start: float, rules: list[str]) -> dict[str, Any]:
    said = _change(one) if isinstance(one, Change) else _vain(one)
    blame = {"broke": list(dict.fromkeys(rules))} if rules else {}
    return {"at": round(one.at - start, 3), "kind": one.kind, "name": one.name, **said, **blame}


def _change(one: Change) -> dict[str, Any]:
    said = {"revision": one.revision, "actor": one.actor, "what": summary(one)}
    if one.kind != "Workload" or not one.after:
        return said
    return {**said, "state": state_of(one.after), "entries": entries_of(one.after)}


def _vain(one: Request) -> dict[str, Any]:
    return {"revision": 0, "actor": SUBJECT, "what": f"{one.verb} changed nothing (HTTP {one.code})"}
