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
    BadInput("a template goes while its request waits, or while its capacity is kept", "PRQ-026 PRQ-024 PRQ-025"),
    BadInput("a template asks for what no node has", "PRQ-004 PRQ-106 PRQ-125"),
    BadInput("a template asks for nothing, or has only limits", "PRQ-232 PRQ-007"),
    BadInput(
        "a template changes after its request was taken up: while it waits, while nodes boot, while capacity is kept",
        "PRQ-027 PRQ-029 PRQ-028",
    ),
    BadInput("counts at the limits of the API and one past them", "PRQ-230 PRQ-232"),
    BadInput(
        "pods and nodes at the limits of a group, a step, the cluster, and one past them",
        "PRQ-002 PRQ-113 PRQ-122 PRQ-126 PRQ-127 PRQ-128 PRQ-282",
    ),
    BadInput("a class that nobody knows", "PRQ-090"),
    BadInput("too many parameters, parameters that are too long", "PRQ-230 PRQ-232"),
    BadInput("parameters that mean nothing, or have a value that means nothing", "PRQ-013 PRQ-014 PRQ-094 PRQ-246"),
    BadInput("a status that comes with the creation, unheard conditions, null, foreign finalizers", "PRQ-234 PRQ-233"),
    BadInput("a change of what cannot be changed", "PRQ-231"),
    BadInput("deleted when new, or while it waits", "PRQ-201 PRQ-208"),
    BadInput("deleted when taken up, when its answer could not be written, when given up, when over", "PRQ-208"),
    BadInput("deleted while its capacity is kept, or while its nodes boot", "PRQ-200 PRQ-202 PRQ-171 PRQ-250"),
    BadInput("deleted and made anew under its name", "PRQ-203 PRQ-034"),
    BadInput("a Job that is deleted at any step", "PRQ-266"),
    BadInput(
        "an end of the autoscaler at every step of a request",
        "PRQ-209 PRQ-204 PRQ-205 PRQ-206 PRQ-207 PRQ-058 PRQ-035 PRQ-175 PRQ-263", (_SCHEDULES,),
    ),
    BadInput("409, 422, 429, 500, 504 or no answer when a request is taken up or answered", "PRQ-210 PRQ-211 PRQ-212"),
    BadInput("the same when a booking is ended", "PRQ-213"),
    BadInput("the same when an old request is deleted", "PRQ-214"),
    BadInput("the same when a Node, the status ConfigMap or an Event is written", "PRQ-219 PRQ-218"),
    BadInput("nothing can be written, a watch breaks, the API server starts again", "PRQ-217 PRQ-215 PRQ-216"),
    BadInput(
        "a cloud that lies: wrong sizes, machines that there are not, machines that it does not list",
        "PRQ-157 PRQ-160", ("reference_impl/tests/cloud/test_failures.py:test_a_cloud_may_lie",),
    ),
    BadInput("machines that never come, come late, fail, stay unready or vanish", "PRQ-150 PRQ-153 PRQ-154 PRQ-158 PRQ-160 PRQ-243 PRQ-264"),
    BadInput("a cloud that refuses", "PRQ-121 PRQ-129 PRQ-143 PRQ-151 PRQ-152 PRQ-160 PRQ-174"),
    BadInput("a cloud that hangs, with the call carried out or not", "PRQ-155 PRQ-156 PRQ-160"),
    BadInput("a cloud that is away", "PRQ-155 PRQ-160"),
    BadInput("no node is left that nothing needs", "PRQ-160 PRQ-209 PRQ-219 PRQ-260 PRQ-263 PRQ-264 PRQ-266 PRQ-267", (_SCHEDULES,)),
)  # fmt: skip
_HEAD = """
## What was not promised

Each case with the scenarios that say what comes of it, and the tests that do so beside them.

| case | scenarios | tests |
|---|---|---|"""


def lines() -> Iterator[str]:
    """Yield the section of docs/autoscaler-coverage.md."""
    yield from _HEAD.splitlines()
    for row in BAD_INPUT:
        yield f"| {row.words} | {', '.join(row.scenarios.split())} | {', '.join(f'`{test}`' for test in row.tests)} |"
