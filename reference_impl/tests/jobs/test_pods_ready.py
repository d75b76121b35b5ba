"""What is told of the pods of a Job, and when it is told already (AC-272)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.jobs import pods_ready
from reference_impl.kueue.workload.conditions import Condition

from .objects import ADMITTED, RESERVED, condition, job, workload

RUNNING = job(suspend=False)
READY = "All pods reached readiness and the workload is running"
NOT_READY = "Not all pods are ready or succeeded"
FAILED = "At least one pod has failed, waiting for recovery"
HOLDS: dict[str, tuple[tuple[Any, ...], int, tuple[bool, str, str]]] = {
    "starts": ((ADMITTED,), 0, (False, "WaitForStart", NOT_READY)),
    "started": ((ADMITTED,), 1, (True, "Started", READY)),
    "stays started": ((ADMITTED, condition("PodsReady", True, "Started")), 1, (True, "Started", READY)),
    "lost a pod": ((ADMITTED, condition("PodsReady", True, "Started")), 0, (False, "WaitForRecovery", FAILED)),
    "recovers": ((ADMITTED, condition("PodsReady", False, "WaitForRecovery")), 0, (False, "WaitForRecovery", FAILED)),
    "recovered": ((ADMITTED, condition("PodsReady", False, "WaitForRecovery")), 1, (True, "Recovered", READY)),
    "stays recovered": ((ADMITTED, condition("PodsReady", True, "Recovered")), 1, (True, "Recovered", READY)),
    "is not admitted": ((condition("PodsReady", True, "Started"),), 1, (False, "WaitForStart", NOT_READY)),
}  # fmt: skip


@pytest.mark.parametrize(("before", "ready", "expected"), HOLDS.values(), ids=HOLDS)
def test_a_start_is_told_from_a_recovery(before: Any, ready: int, expected: tuple[bool, str, str]) -> None:
    written = pods_ready.condition(
        job(suspend=False, status={"ready": ready}), workload(RUNNING, conditions=[RESERVED, *before])
    )

    assert written == Condition("PodsReady", *expected)


SAID = {
    "the same": (condition("PodsReady", True, "Started", READY), True),
    "nothing": (ADMITTED, False),
    "another status": (condition("PodsReady", False, "Started", READY), False),
    "another reason": (condition("PodsReady", True, "Recovered", READY), False),
    "another message": (condition("PodsReady", True, "Started", NOT_READY), False),
}


@pytest.mark.parametrize(("before", "is_told"), SAID.values(), ids=SAID)
def test_what_is_said_already_is_not_said_again(before: Any, is_told: bool) -> None:
    assert pods_ready.has_condition(workload(RUNNING, conditions=[before]), pods_ready.STARTED) == is_told


def test_that_pods_are_not_ready_is_not_said_again_either() -> None:
    waits = condition("PodsReady", False, "WaitForStart", NOT_READY)

    assert pods_ready.has_condition(workload(RUNNING, conditions=[waits]), pods_ready.WAITS_FOR_START)
