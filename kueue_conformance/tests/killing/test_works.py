"""The pauses of the zoo's right controller, which on real servers alone are met by events (CC-076)."""

import asyncio

import pytest

from fakecluster.base.clock import VirtualClock
from kueue_conformance.tests.zoo.api import ApiError
from kueue_conformance.tests.zoo.works import Works

KEY = "team-a/a-workload"
TOO_MANY, FAILED = ApiError(429, {}, wait=7.0), ApiError(503, {})


async def attempts(problem, event_after):
    """Return when a key was worked on that meets the problem at first, and later an event."""
    clock, observed = VirtualClock(0.0), []

    async def step(_):
        observed.append(clock.now())
        if len(observed) == 1:
            raise problem

    async with asyncio.TaskGroup() as tasks:
        works = Works(clock, step, tasks)
        clock.call_at(0.0, lambda: works.mark(KEY))
        clock.call_at(event_after, lambda: works.mark(KEY))
        while (due := clock.next_due()) is not None:
            clock.advance_to(due)
            await asyncio.sleep(0)  # what was marked is worked on, without a wait of its own
    return observed


@pytest.mark.parametrize(
    ("problem", "event_after", "expected"),
    [
        (TOO_MANY, 0.1, [0.0, 7.0]),
        (TOO_MANY, 8.0, [0.0, 7.0, 8.0]),
        (FAILED, 0.1, [0.0, 0.1]),
        (FAILED, 0.6, [0.0, 0.5, 0.6]),
    ],
    ids=["retry-after", "after-retry-after", "failure", "after-failure"],
)
def test_an_event_cuts_a_pause_of_its_own_choice_only(problem, event_after, expected):
    assert asyncio.run(attempts(problem, event_after)) == expected
