"""Orphans, the delay of a Retry, deactivation,
back-off and requeueing, rule by rule (AC-288…297, AC-320…323).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.workload import activity
from reference_impl.kueue.workload.decision import ApplyStatus, Decision, MergeStatus, ReplaceObject
from reference_impl.kueue.workload.transitions import V0_19
from reference_impl.kueue.workload.view import Workload

from .objects import NOW, RESERVED, check, condition, workload, world

FINISHED = condition("Finished")
FINALIZERS = ["kueue.x-k8s.io/resource-in-use", "own"]


def make_for_a_job(*conditions: Any, **metadata: Any) -> Workload:
    labels = {"kueue.x-k8s.io/job-uid": "j"}
    return workload(*conditions, metadata={"labels": labels, "finalizers": FINALIZERS, **metadata})


ORPHANS = {
    "its job is gone": (make_for_a_job(), ApplyStatus),
    "its job is gone and it is over": (make_for_a_job(FINISHED), ReplaceObject),
    "it was let go": (make_for_a_job(FINISHED, finalizers=["own"]), None),
    "it never had a finalizer": (
        workload(FINISHED, metadata={"labels": {"kueue.x-k8s.io/job-uid": "j"}}),
        None,
    ),
    "it has an owner": (make_for_a_job(ownerReferences=[{"uid": "j"}]), None),
    "it was made for no job": (workload(metadata={"labels": {"app": "x"}}), None),
    "it has no labels": (workload(), None),
    "it is being deleted": (make_for_a_job(deletionTimestamp="2026-01-01T00:00:00Z"), None),
}


@pytest.mark.parametrize(("subject", "write"), ORPHANS.values(), ids=ORPHANS)
def test_a_workload_whose_job_is_gone_is_finished_and_let_go_ac_297(subject: Workload, write: Any) -> None:
    decision = activity.finish_orphan(subject, world(), NOW, V0_19)

    assert (decision and type(decision.write)) == write


def test_letting_go_takes_one_finalizer_and_nothing_else_ac_297() -> None:
    subject = make_for_a_job(FINISHED)

    decision = activity.finish_orphan(subject, world(), NOW, V0_19)

    metadata = {**subject.metadata, "finalizers": ["own"]}
    assert decision == Decision(write=ReplaceObject({**subject.object, "metadata": metadata}))
    assert activity.without_finalizer({"metadata": {}}) == {"metadata": {"finalizers": []}}


def retry(seconds: float, requeue: float | None = None) -> Workload:
    """A Retry that asks to wait for so many seconds from now on, and the time that is known."""
    entry = {**check("a", "Retry", requeueAfterSeconds=100 + seconds)}
    status = {} if requeue is None else {"requeueState": {"requeueAt": instants.render(NOW + requeue)}}
    return workload(RESERVED, checks=[entry], **status)


DELAYS = {
    "AC-288 no time is known": (retry(10), True),
    "it is over in this second": (retry(0), False),
    "it is over": (retry(-1), False),
    "AC-321 later than the known time": (retry(10, 9), True),
    "the known time": (retry(10, 10), False),
    "sooner than the known time": (retry(10, 11), False),
    "no Retry": (workload(RESERVED, checks=[check("a", "Ready")]), False),
}


@pytest.mark.parametrize(("subject", "is_written"), DELAYS.values(), ids=DELAYS)
def test_the_latest_time_until_which_a_retry_asks_to_wait_is_written(
    subject: Workload, is_written: bool
) -> None:
    decision = activity.retry_delay(subject, world(), NOW, V0_19)

    assert (decision is not None) is is_written
    if decision is not None:
        assert isinstance(decision.write, ApplyStatus)
        assert decision.write.status["requeueState"]["requeueAt"] == instants.render(NOW + 10)


TARGET = condition("DeactivationTarget")
MARKED = {
    "AC-292 marked": (workload(TARGET, spec={"priority": 3}), True),
    "not active any more": (workload(TARGET, spec={"active": False}), False),
    "not marked": (workload(), False),
    "marked no more": (workload(condition("DeactivationTarget", False)), False),
}


@pytest.mark.parametrize(("subject", "is_deactivated"), MARKED.values(), ids=MARKED)
def test_what_is_marked_for_it_is_deactivated_and_keeps_its_spec_ac_292(
    subject: Workload, is_deactivated: bool
) -> None:
    new = ReplaceObject({**subject.object, "spec": {**subject.spec, "active": False}})

    assert activity.deactivate(subject, world(), NOW, V0_19) == (
        Decision(write=new) if is_deactivated else None
    )


def until(seconds: float) -> Any:
    return {"requeueAt": instants.render(NOW + seconds)}


ANSWERED = [check("a", "Ready")]
RUNNING = {
    "AC-288 it runs": (workload(requeueState=until(1)), 1, 1),
    "over in this second": (workload(requeueState=until(0)), None, None),
    "none": (workload(), None, None),
    "not active": (workload(requeueState=until(1), spec={"active": False}), None, None),
    "PC-04 reserved, every check is Ready": (
        workload(RESERVED, checks=ANSWERED, requeueState=until(1)),
        1,
        None,
    ),
    "reserved, a check is not Ready": (workload(RESERVED, checks=[check("a")], requeueState=until(1)), 1, 1),
    "reserved, no check was asked": (workload(RESERVED, requeueState=until(1)), 1, 1),
    "every check is Ready, not reserved": (workload(checks=ANSWERED, requeueState=until(1)), 1, 1),
}


@pytest.mark.parametrize(("subject", "seconds", "fixed"), RUNNING.values(), ids=RUNNING)
def test_nothing_else_is_done_until_a_backoff_is_over_ac_322(
    subject: Workload, seconds: float | None, fixed: float | None
) -> None:
    both = (activity.backoff_running, activity.backoff_running_unless_ready)

    decisions = [rule(subject, world(), NOW, V0_19) for rule in both]

    assert [decision and decision.again_after for decision in decisions] == [seconds, fixed]


def requeue(status: bool, reason: str) -> Any:
    return condition("Requeued", status, reason)


OVER = {
    "AC-322 after a time-out": (
        workload(requeue(False, "PodsReadyTimeout"), requeueState=until(-1)),
        "BackoffFinished",
    ),
    "after a Retry": (workload(requeue(False, "AdmissionCheck"), requeueState=until(-1)), "BackoffFinished"),
    "held back for another reason": (
        workload(requeue(False, "Deactivated"), requeueState=until(-1)),
        "Deactivated",
    ),
    "reserved": (workload(RESERVED, requeueState=until(-1)), None),
    "not active": (workload(requeueState=until(-1), spec={"active": False}), None),
    "no time is known": (workload(requeueState={"count": 1}), None),
}


@pytest.mark.parametrize("rule", [activity.backoff_over, activity.backoff_over_or_withdrawn])
@pytest.mark.parametrize(("subject", "reason"), OVER.values(), ids=OVER)
def test_a_backoff_that_is_over_is_forgotten_and_the_workload_queued_ac_322(
    rule: Any, subject: Workload, reason: str | None
) -> None:
    decision = rule(subject, world(), NOW - 2, V0_19)

    assert (decision is not None) is (reason is not None)
    if decision is not None:
        after = Workload({"status": decision.write.status})
        assert (decision.requeue, after.requeue_at, after.condition("Requeued")["reason"]) == (
            True,
            None,
            reason,
        )


HELD = {
    "AC-290 after a Retry": (workload(requeue(False, "AdmissionCheck")), True),
    "AC-290 after a time-out": (workload(requeue(False, "PodsReadyTimeout")), True),
    "for another reason": (workload(requeue(False, "Deactivated")), False),
    "queued already": (workload(requeue(True, "AdmissionCheck")), False),
    "not active": (workload(requeue(False, "AdmissionCheck"), spec={"active": False}), False),
}


@pytest.mark.parametrize(("subject", "is_queued"), HELD.values(), ids=HELD)
def test_an_evicted_workload_without_a_backoff_is_queued_ac_290(subject: Workload, is_queued: bool) -> None:
    decision = activity.requeue_after_backoff(subject, world(), NOW, V0_19)

    assert (decision is not None) is is_queued


ACTIVE_AGAIN = {
    "AC-295 it was deactivated": (workload(requeue(False, "Deactivated")), True),
    "it is not active": (workload(requeue(False, "Deactivated"), spec={"active": False}), False),
    "it waits for its delay": (workload(requeue(False, "AdmissionCheck")), False),
}


@pytest.mark.parametrize(("subject", "is_queued"), ACTIVE_AGAIN.values(), ids=ACTIVE_AGAIN)
def test_a_workload_that_is_active_again_is_queued_ac_295(subject: Workload, is_queued: bool) -> None:
    decision = activity.requeue_reactivated(subject, world(), NOW, V0_19)

    assert (decision is not None) is is_queued
    if decision is not None:
        assert isinstance(decision.write, ApplyStatus)
        after = Workload({"status": decision.write.status}).condition("Requeued")
        assert (after["status"], after["reason"]) == ("True", "Reactivated")


REASONS = {
    "Deactivated": (True, True, False),
    "DeactivatedDueToAdmissionCheck": (False, True, False),
    "InactiveWorkload": (False, False, True),
    "": (False, False, False),
}


@pytest.mark.parametrize(
    ("reason", "expected"), REASONS.items(), ids=[f"reason {reason!r}" for reason in REASONS]
)
def test_after_which_evictions_it_is_enough_to_be_active_ac_295(
    reason: str, expected: tuple[bool, ...]
) -> None:
    rules = (
        activity.is_deactivated_exactly,
        activity.is_deactivated_for_any_reason,
        activity.is_inactive_workload,
    )

    assert tuple(rule(reason) for rule in rules) == expected


INACTIVE: Any = {"active": False}
LEFT = {
    "AC-294 a back-off": (workload(spec=INACTIVE, requeueState={"count": 1}), True),
    "none": (workload(spec=INACTIVE), False),
    "active": (workload(requeueState={"count": 1}), False),
}


@pytest.mark.parametrize(("subject", "is_taken_away"), LEFT.values(), ids=LEFT)
def test_the_backoff_of_what_is_inactive_is_taken_away_ac_294(subject: Workload, is_taken_away: bool) -> None:
    decision = activity.forget_backoff_of_inactive(subject, world(), NOW, V0_19)

    patch = Decision(write=MergeStatus({"status": {"requeueState": None}}))
    assert decision == (patch if is_taken_away else None)


def test_what_is_kept_for_a_time_is_deleted_at_its_very_end_ac_320() -> None:
    ends = [
        activity.rest_when_finished(workload(FINISHED), world(), NOW, replace(V0_19, retention=ready_since))
        for ready_since in (100.0, 101.0)
    ]

    assert [end and end.again_after for end in ends] == [None, 1.0]


CAUSES = {
    "switched off": (None, ("Deactivated", "Deactivated", "")),
    "AC-344 marked": (
        condition("DeactivationTarget", reason="RequeuingLimitExceeded"),
        ("DeactivatedDueToRequeuingLimitExceeded", "Deactivated", "RequeuingLimitExceeded"),
    ),
}


@pytest.mark.parametrize(("target", "expected"), CAUSES.values(), ids=CAUSES)
def test_an_eviction_is_named_after_what_marked_it_ac_344(target: Any, expected: tuple[str, ...]) -> None:
    why = activity.due_to_target(target)

    assert (why.reason, why.group, why.cause) == expected


def test_an_eviction_of_what_is_inactive_takes_its_mark_and_backoff_away_ac_293() -> None:
    subject = workload(RESERVED, TARGET, spec=INACTIVE, requeueState={"count": 1})

    decision = activity.evict_inactive(subject, world(), NOW, V0_19)

    assert decision is not None
    assert isinstance(decision.write, ApplyStatus)
    after = Workload({"status": decision.write.status})
    assert (after.is_evicted, after.condition("DeactivationTarget"), "requeueState" in after.status) == (
        True,
        None,
        False,
    )


@pytest.mark.parametrize(
    "subject",
    [workload(RESERVED), workload(RESERVED, condition("Evicted"), spec=INACTIVE)],
    ids=["active", "evicted"],
)
def test_what_is_active_or_evicted_already_is_not_evicted_for_it_ac_293(subject: Workload) -> None:
    assert activity.evict_inactive(subject, world(), NOW, V0_19) is None
