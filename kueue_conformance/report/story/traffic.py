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
    steps = [
        *(_step(_at(fault), _HARNESS, FAULTS, _fault(fault)) for fault in faults),
        *(_step(request.at, judged, REFUSALS, str(request)) for request in requests if request.is_refused),
        *(
            _step(request.at, judged, READS, str(request))
            for request in requests
            if not request.writes and not request.is_refused
        ),
        *(_step(question.at, judged, QUESTIONS, _question(question)) for question in questions),
    ]
    return sorted(steps, key=lambda step: step["at"])


def join(steps: Sequence[Step]) -> list[Step]:
    """Return steps in which those of one lane that say the same with no write between are one, with their
    number; no lane is endless.
    """
    rows: list[tuple[Step, list[Step]]] = []
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
        rows.append((step, same := [step]))
        if lane:
            latest[key] = same
    return [_with_count(step, len(same)) for step, same in rows]


def _with_count(step: Step, times: int) -> Step:
    return step if times == 1 else {**step, "what": f"{step['what']}, {times} times"}


def _step(at: float, actor: str, lane: str, text: str) -> Step:
    return {"at": at, "kind": "", "name": "", "revision": 0, "actor": actor, "lane": lane, "what": text}


def _at(fault: Mapping[str, Any]) -> float:
    return float(fault["at"])


def _fault(fault: Mapping[str, Any]) -> str:
    details = [f"{key}={value}" for key, value in fault.items() if key not in ("at", "fault", "values")]
    return " ".join([str(fault["fault"]), *map(str, fault.get("values", ())), *details])


def _question(question: Question) -> str:
    answer = question.answer.get("state", "") if question.code < _BAD_REQUEST else ""
    return f"asks about {question.check} of {question.workload}: {answer or f'HTTP {question.code}'}"
