"""Steps of a story besides writes: faults, answers of 400 and more,
questions for verdicts, and reads (harness/H-21).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ...history.story import SUBJECT, Question, Request

Step: TypeAlias = dict[str, Any]
FAULTS, REFUSALS, QUESTIONS, READS = "faults", "answers of 400 and more", "questions for verdicts", "reads"
LANES = (FAULTS, REFUSALS, QUESTIONS, READS)
"""The lanes of these steps, in the order in which they are drawn."""
_BAD_REQUEST = 400
_HARNESS = "kueue-conformance"
_LONGEST = 60
"""The most steps of one lane."""


def traffic(
    requests: Iterable[Request],
    questions: Iterable[Question],
    faults: Iterable[Mapping[str, Any]],
    judged: str = SUBJECT,
) -> list[Step]:
    """Return the steps besides writes, in order of time in seconds;
    those of one lane that repeat each other are one.

    `requests` are those of `judged`, without the writes that are steps already.
    """
    found = [
        *(_step(_at(one), _HARNESS, FAULTS, _fault(one)) for one in faults),
        *(_step(one.at, judged, REFUSALS, str(one)) for one in requests if refused(one)),
        *(_step(one.at, judged, READS, str(one)) for one in requests if not one.writes and not refused(one)),
        *(_step(one.at, judged, QUESTIONS, _question(one)) for one in questions),
    ]
    return sorted(found, key=lambda step: step["at"])


def refused(one: Request) -> bool:
    """Tell whether a request was answered with an error."""
    return one.code >= _BAD_REQUEST


def joined(steps: Sequence[Step]) -> list[Step]:
    """Return steps in which those of one lane that say the same with no write between are one, with their
    number; no lane is endless.
    """
    told: list[tuple[Step, list[Step]]] = []
    latest: dict[tuple[str, ...], list[Step]] = {}
    amounts = dict.fromkeys(LANES, 0)
    for step in steps:
        lane = step.get("lane", "")
        key = lane, step["kind"], step["name"], step["what"]
        if not lane:
            latest.clear()
        elif key in latest and not step.get("broke"):
            latest[key].append(step)
            continue
        elif amounts[lane] >= _LONGEST:
            continue
        else:
            amounts[lane] += 1
        told.append((step, same := [step]))
        if lane:
            latest[key] = same
    return [_counted(step, len(same)) for step, same in told]


def _counted(step: Step, times: int) -> Step:
    return step if times == 1 else {**step, "what": f"{step['what']}, {times} times"}


def _step(at: float, actor: str, lane: str, what: str) -> Step:
    return {"at": at, "kind": "", "name": "", "revision": 0, "actor": actor, "lane": lane, "what": what}


def _at(fault: Mapping[str, Any]) -> float:
    return float(fault["at"])


def _fault(one: Mapping[str, Any]) -> str:
    more = [f"{key}={value}" for key, value in one.items() if key not in ("at", "fault", "values")]
    return " ".join([str(one["fault"]), *map(str, one.get("values", ())), *more])


def _question(one: Question) -> str:
    answer = one.answer.get("state", "") if one.code < _BAD_REQUEST else ""
    return f"asks about {one.check} of {one.workload}: {answer or f'HTTP {one.code}'}"
