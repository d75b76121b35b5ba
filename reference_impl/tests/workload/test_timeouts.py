"""Pods that are late, and jobs that run too long (AC-315…317, AC-347, C-02)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.workload import timeouts
from reference_impl.kueue.workload.backoff import delay
from reference_impl.kueue.workload.decision import ApplyStatus
from reference_impl.kueue.workload.rules import PodsReady, WorkloadRules
from reference_impl.kueue.workload.transitions import V0_19, decide
from reference_impl.kueue.workload.view import Workload

from .objects import ADMITTED, NOW, RESERVED, condition, workload, world


def waiting(policy: PodsReady | None) -> WorkloadRules:
    return replace(V0_19, pods_ready=policy)


FAILED = condition("PodsReady", False, "WaitForRecovery")
READY = condition("PodsReady", True, "Started")
LEFT = {
    "from admission": (workload(RESERVED, ADMITTED), PodsReady(timeout=130), 30),
    "recovery from the failure": (
        workload(RESERVED, ADMITTED, FAILED),
        PodsReady(recovery_timeout=101),
        1,
    ),
    "recovery without a limit": (
        workload(RESERVED, ADMITTED, FAILED),
        PodsReady(recovery_timeout=None),
        None,
    ),
    "AC-315 they wait for the start": (
        workload(RESERVED, ADMITTED, condition("PodsReady", False, "WaitForStart")),
        PodsReady(timeout=130, recovery_timeout=None),
        30,
    ),
    "ready": (workload(RESERVED, ADMITTED, READY), PodsReady(timeout=1), None),
    "not active": (workload(RESERVED, ADMITTED, spec={"active": False}), PodsReady(timeout=1), None),
    "not admitted": (workload(RESERVED), PodsReady(timeout=1), None),
    "evicted": (workload(RESERVED, ADMITTED, condition("Evicted")), PodsReady(timeout=1), None),
    "switched off": (workload(RESERVED, ADMITTED), None, None),
}


@pytest.mark.parametrize(("subject", "policy", "expected"), LEFT.values(), ids=LEFT.keys())
def test_time_left_for_pods(subject: Workload, policy: PodsReady | None, expected: float | None) -> None:
    assert timeouts.pods_ready_left(subject, NOW, waiting(policy)) == expected


def test_late_pods_evict_with_a_growing_delay() -> None:
    """AC-315."""
    subject = workload(RESERVED, ADMITTED, requeueState={"count": 1})

    write = decide(subject, world(), NOW, waiting(PodsReady(timeout=100))).write

    assert isinstance(write, ApplyStatus)
    assert write.status["requeueState"] == {"count": 2, "requeueAt": instants.render(NOW + 120)}
    assert write.status["schedulingStats"]["evictions"] == [
        {"reason": "PodsReadyTimeout", "underlyingCause": "WaitForStart", "count": 1}
    ]


FIRST = {
    "AC-347 the first": ({}, 1, 60),
    "a known time that is later": ({"count": 1, "requeueAt": instants.render(NOW + 500)}, 2, 500),
    "a known time that is sooner": ({"count": 1, "requeueAt": instants.render(NOW + 5)}, 2, 120),
}


@pytest.mark.parametrize(("state", "count", "seconds"), FIRST.values(), ids=FIRST)
def test_attempts_are_counted_and_the_later_time_holds_ac_315(state: Any, count: int, seconds: float) -> None:
    subject = workload(RESERVED, ADMITTED, **({"requeueState": state} if state else {}))

    decision = timeouts.pods_ready_timeout(subject, world(), NOW, waiting(PodsReady(timeout=1)))

    assert decision is not None
    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status["requeueState"] == {
        "count": count,
        "requeueAt": instants.render(NOW + seconds),
    }


DUE = {"half a second before": (100.5, False), "at this moment": (100, True), "after": (99.5, True)}


@pytest.mark.parametrize(("timeout", "evicts"), DUE.values(), ids=DUE)
def test_pods_are_late_from_the_very_moment_on_ac_315(timeout: float, evicts: bool) -> None:
    policy = waiting(PodsReady(timeout=timeout))

    decision = timeouts.pods_ready_timeout(workload(RESERVED, ADMITTED), world(), NOW, policy)

    assert (decision is not None) is evicts


LIMITS = {"below": (1, "Evicted"), "reached": (2, "DeactivationTarget"), "beyond": (3, "DeactivationTarget")}


@pytest.mark.parametrize(("attempts", "reason"), LIMITS.values(), ids=LIMITS)
def test_too_many_attempts_end_in_deactivation(attempts: int, reason: str) -> None:
    """AC-316."""
    subject = workload(RESERVED, ADMITTED, requeueState={"count": attempts})

    write = decide(subject, world(), NOW, waiting(PodsReady(timeout=1, backoff_limit=2))).write

    assert isinstance(write, ApplyStatus)
    [written] = [condition for condition in write.status["conditions"] if condition["type"] == reason]
    assert written["status"] == "True"
    assert written["reason"] == ("PodsReadyTimeout" if reason == "Evicted" else "RequeuingLimitExceeded")


DELAYS = {"first": (1, 60), "third": (3, 240), "capped": (9, 3600), "far beyond": (5000, 3600)}


@pytest.mark.parametrize(("attempt", "seconds"), DELAYS.values(), ids=DELAYS.keys())
def test_delay_doubles_up_to_a_limit(attempt: int, seconds: float) -> None:
    """AC-347."""
    assert delay(attempt, base=60, limit=3600) == seconds


def overdue(*conditions: Any) -> Workload:
    return workload(
        RESERVED,
        ADMITTED,
        *conditions,
        spec={"maximumExecutionTimeSeconds": 150},
        accumulatedPastExecutionTimeSeconds=50,
    )


def test_running_too_long_marks_for_deactivation_and_starts_counting_anew() -> None:
    """AC-317."""
    decision = decide(overdue(), world(), NOW, V0_19)

    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status["conditions"][-1]["reason"] == "MaximumExecutionTimeExceeded"
    assert "accumulatedPastExecutionTimeSeconds" not in decision.write.status
    assert decision.events[0].note == "The maximum execution time (150s) exceeded"


RAN = {
    "half a second is left": ({"maximumExecutionTimeSeconds": 100.5}, (), False),
    "AC-317 none is left": ({"maximumExecutionTimeSeconds": 100}, (), True),
    "it is marked already": ({"maximumExecutionTimeSeconds": 1}, (condition("DeactivationTarget"),), False),
    "it has no limit": ({}, (), False),
}


@pytest.mark.parametrize(("spec", "conditions", "is_marked"), RAN.values(), ids=RAN)
def test_a_workload_may_run_for_its_whole_time(spec: Any, conditions: Any, is_marked: bool) -> None:
    decision = timeouts.execution_timeout(
        workload(RESERVED, ADMITTED, *conditions, spec=spec), world(), NOW, V0_19
    )

    assert (decision is not None) is is_marked
    if decision is not None:
        assert isinstance(decision.write, ApplyStatus)
        (target,) = (
            condition
            for condition in decision.write.status["conditions"]
            if condition["type"] == "DeactivationTarget"
        )
        assert target["status"] == "True"


def test_one_that_is_not_admitted_runs_for_no_time_ac_317() -> None:
    assert timeouts.execution_left(workload(RESERVED, spec={"maximumExecutionTimeSeconds": 1}), NOW) is None


BOTH = {"as observed": (timeouts.execution_timeout, True), "fixed": (timeouts.execution_timeout_once, False)}


@pytest.mark.parametrize(("rule", "is_marked"), BOTH.values(), ids=BOTH.keys())
def test_evicted_one_is_marked_again_only_by_the_defect(rule: Any, is_marked: bool) -> None:
    """C-02."""
    decision = rule(overdue(condition("Evicted")), world(), NOW, V0_19)

    assert (decision is not None) == is_marked


def test_looks_again_at_the_nearest_of_both_times() -> None:
    subject = workload(RESERVED, ADMITTED, spec={"maximumExecutionTimeSeconds": 110})

    assert decide(subject, world(), NOW, waiting(PodsReady(timeout=130))).again_after == 10


LIMIT = {"maximumExecutionTimeSeconds": 103}
AHEAD = {
    "the sooner one": (workload(RESERVED, ADMITTED, spec=LIMIT), PodsReady(timeout=101), 1),
    "the other one": (workload(RESERVED, ADMITTED, spec=LIMIT), PodsReady(timeout=105), 3),
    "one of two": (workload(RESERVED, ADMITTED, spec=LIMIT), None, 3),
    "half a second": (workload(RESERVED, ADMITTED, spec={"maximumExecutionTimeSeconds": 100.5}), None, 0.5),
    "over": (workload(RESERVED, ADMITTED, spec={"maximumExecutionTimeSeconds": 100}), None, None),
    "no quota": (workload(ADMITTED, spec=LIMIT), None, None),
    "none": (workload(RESERVED, ADMITTED), None, None),
}


@pytest.mark.parametrize(("subject", "policy", "seconds"), AHEAD.values(), ids=AHEAD.keys())
def test_when_to_look_again(subject: Workload, policy: PodsReady | None, seconds: float | None) -> None:
    decision = timeouts.next_deadline(subject, world(), NOW, waiting(policy))

    assert (decision and decision.again_after) == seconds
