"""What was not promised to an autoscaler, case by case,
with the scenarios and tests that say what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_SCHEDULES = "reference_impl/tests/autoscaler/test_schedules.py:test_nothing_is_broken"


@dataclass(frozen=True, slots=True)
class BadInput:
    """A case in the words of those who use an autoscaler."""

    words: str
    scenarios: str
    """Their ids, separated by blanks."""
    tests: tuple[str, ...] = ()
    """Tests of the project besides, as `file:name`."""


BAD_INPUT = (
    BadInput("a template is missing", "PRQ-020 PRQ-021 PRQ-022 PRQ-023 PRQ-196 PRQ-249"),
    BadInput("a template is deleted before the next attempt, or while its capacity is booked", "PRQ-026 PRQ-024 PRQ-025"),
    BadInput("a template requests resources that no node has", "PRQ-004 PRQ-106 PRQ-125"),
    BadInput("a template has no requests, or only limits", "PRQ-232 PRQ-007"),
    BadInput(
        "a template changes after its request was Accepted: before the next attempt, while nodes boot, while capacity is booked",
        "PRQ-027 PRQ-029 PRQ-028",
    ),
    BadInput("counts at the limits of the API and one past them", "PRQ-230 PRQ-232"),
    BadInput(
        "pods and nodes at the limits of a group, a step, the cluster, and one past them",
        "PRQ-002 PRQ-113 PRQ-122 PRQ-126 PRQ-127 PRQ-128 PRQ-282",
    ),
    BadInput("an unknown class", "PRQ-090"),
    BadInput("too many parameters, parameters that are too long", "PRQ-230 PRQ-232"),
    BadInput("unknown parameters, and unknown values of known ones", "PRQ-013 PRQ-014 PRQ-094 PRQ-246"),
    BadInput("a status in the creation, unknown conditions, null, foreign finalizers", "PRQ-234 PRQ-233"),
    BadInput("a change of an immutable field", "PRQ-231"),
    BadInput("deleted when new, or while it waits", "PRQ-201 PRQ-208"),
    BadInput("deleted when Accepted, when its condition could not be written, when Failed, when BookingExpired", "PRQ-208"),
    BadInput("deleted while its capacity is booked, or while its nodes boot", "PRQ-200 PRQ-202 PRQ-171 PRQ-250"),
    BadInput("deleted and recreated", "PRQ-203 PRQ-034"),
    BadInput("a Job that is deleted at any step", "PRQ-266"),
    BadInput(
        "an end of the autoscaler at every step of a request",
        "PRQ-209 PRQ-204 PRQ-205 PRQ-206 PRQ-207 PRQ-058 PRQ-035 PRQ-175 PRQ-263", (_SCHEDULES,),
    ),
    BadInput("409, 422, 429, 500, 504 or no answer when a condition of a request is written", "PRQ-210 PRQ-211 PRQ-212"),
    BadInput("the same when a booking is ended", "PRQ-213"),
    BadInput("the same when an old request is deleted", "PRQ-214"),
    BadInput("the same when a Node, the status ConfigMap or an Event is written", "PRQ-219 PRQ-218"),
    BadInput("no write succeeds, a watch breaks, the API server restarts", "PRQ-217 PRQ-215 PRQ-216"),
    BadInput(
        "a cloud that lies: wrong sizes, machines that do not exist, machines that it does not list",
        "PRQ-157 PRQ-160", ("reference_impl/tests/cloud/test_failures.py:test_a_cloud_may_lie",),
    ),
    BadInput("machines that never register, register late, fail, stay unready or vanish", "PRQ-150 PRQ-153 PRQ-154 PRQ-158 PRQ-160 PRQ-243 PRQ-264"),
    BadInput("a cloud that refuses", "PRQ-121 PRQ-129 PRQ-143 PRQ-151 PRQ-152 PRQ-160 PRQ-174"),
    BadInput("a cloud that hangs, with the call carried out or not", "PRQ-155 PRQ-156 PRQ-160"),
    BadInput("a cloud that is unreachable", "PRQ-155 PRQ-160"),
    BadInput("no unneeded node remains", "PRQ-160 PRQ-209 PRQ-219 PRQ-260 PRQ-263 PRQ-264 PRQ-266 PRQ-267", (_SCHEDULES,)),
)  # fmt: skip
_HEAD = """
## What was not promised

Each case with the scenarios and the tests that show its outcome.

| case | scenarios | tests |
|---|---|---|"""


def lines() -> Iterator[str]:
    """Yield the section of docs/autoscaler-coverage.md."""
    yield from _HEAD.splitlines()
    for row in BAD_INPUT:
        yield f"| {row.words} | {', '.join(row.scenarios.split())} | {', '.join(f'`{test}`' for test in row.tests)} |"
