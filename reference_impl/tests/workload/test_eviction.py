"""The eviction procedure and the release after it (AC-289, AC-340…345)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.workload import admitted
from reference_impl.kueue.workload.decision import NORMAL, ApplyStatus, RecordedEvent
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.eviction import evict
from reference_impl.kueue.workload.release import after_eviction, without_requeued
from reference_impl.kueue.workload.rules import Eviction
from reference_impl.kueue.workload.transitions import V0_19

from .objects import ADMITTED, NOW, RESERVED, check, condition, workload

WHY = Eviction("ClusterQueueStopped", "The ClusterQueue is stopped")
STAMP = instants.render(NOW)
UPDATES = [{"name": "main", "labels": {"a": "b"}}]


def reset(entry: Any) -> Any:
    return Checks((entry,)).reset(NOW).entries[0]


RESETS = {
    "Ready loses updates and count": (check("a", "Ready", "ok", retryCount=2, podSetUpdates=UPDATES), {}),
    "Rejected loses its count": (check("a", "Rejected", retryCount=2), {}),
    "Retry is counted": (check("a", "Retry", retryCount=1), {"retryCount": 2}),
    "first Retry": (check("a", "Retry"), {"retryCount": 1}),
    "delay stays": (check("a", "Retry", requeueAfterSeconds=5), {"requeueAfterSeconds": 5, "retryCount": 1}),
}


@pytest.mark.parametrize(("entry", "extra"), RESETS.values(), ids=RESETS.keys())
def test_answer_is_reset_to_pending(entry: Any, extra: Any) -> None:
    message = f"Reset to Pending after eviction. Previously: {entry['state']}"

    assert reset(entry) == {
        "name": "a",
        "state": "Pending",
        "message": message,
        "lastTransitionTime": STAMP,
        **extra,
    }


def test_pending_answer_stays_byte_for_byte() -> None:
    entry = check("a", "Pending", "eta 5m", retryCount=1, podSetUpdates=UPDATES)

    assert reset(entry) is entry


def test_eviction_keeps_the_reservation_and_is_told() -> None:
    """AC-341."""
    subject = workload(RESERVED, ADMITTED)

    decision = evict(subject, StatusDraft.of(subject, NOW), WHY, V0_19)

    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status["admission"] == subject.admission
    *before, evicted = decision.write.status["conditions"]
    assert before == [RESERVED, ADMITTED]
    assert (evicted["type"], evicted["status"], evicted["reason"]) == ("Evicted", "True", WHY.reason)
    assert decision.events == (RecordedEvent(NORMAL, "EvictedDueToClusterQueueStopped", WHY.message),)


def test_eviction_without_admission_is_counted_but_not_told() -> None:
    """AC-342."""
    subject = workload()

    decision = evict(subject, StatusDraft.of(subject, NOW), WHY, V0_19)

    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status["schedulingStats"]["evictions"][0]["count"] == 1
    assert (decision.events, decision.metrics) == ((), ())


def test_first_eviction_for_a_reason_counts_once() -> None:
    """AC-343."""
    stats = {"evictions": [{"reason": "ClusterQueueStopped", "underlyingCause": "", "count": 4}]}
    names = [
        [sample.name for sample in evict(subject, StatusDraft.of(subject, NOW), WHY, V0_19).metrics]
        for subject in (workload(RESERVED), workload(RESERVED, schedulingStats=stats))
    ]

    both = ["evicted_workloads_total", "local_queue_evicted_workloads_total"]
    assert names == [[*both, "evicted_workloads_once_total"], both]


def test_deactivation_is_counted_under_its_plain_reason() -> None:
    """AC-344."""
    target = condition("DeactivationTarget", reason="AdmissionCheck", message="why")
    subject = workload(RESERVED, target)

    decision = evict(subject, StatusDraft.of(subject, NOW), V0_19.deactivation(target), V0_19)

    assert isinstance(decision.write, ApplyStatus)
    line = {"reason": "Deactivated", "underlyingCause": "AdmissionCheck", "count": 1}
    assert decision.write.status["schedulingStats"] == {"evictions": [line]}


RELEASES = {
    "AC-268 a check's Retry waits": ("AdmissionCheck", "False"),
    "AC-269 a preempted one is queued at once": ("Preempted", "True"),
    "AC-269 so is one from a failed node": ("NodeFailures", "True"),
}


@pytest.mark.parametrize(("reason", "requeued"), RELEASES.values(), ids=RELEASES.keys())
def test_release_says_whether_it_may_be_queued(reason: str, requeued: str) -> None:
    evicted = condition("Evicted", reason=reason, message="m")

    draft = after_eviction(StatusDraft.of(workload(RESERVED, ADMITTED, evicted), NOW), evicted, V0_19)

    conditions = {
        condition["type"]: (condition["status"], condition["reason"]) for condition in draft.conditions
    }
    assert conditions["Requeued"] == (requeued, reason)
    assert conditions["QuotaReserved"] == ("False", "Pending")
    assert "admission" not in draft.status


LOST = {
    "AC-259 all Ready": ([check("a", "Ready")], "NoReservation"),
    "AC-260 one not Ready": ([check("a")], "NoReservationUnsatisfiedChecks"),
}


@pytest.mark.parametrize(("checks", "reason"), LOST.values(), ids=LOST.keys())
def test_release_ends_admitted_and_adds_up_its_time(checks: Any, reason: str) -> None:
    """AC-129."""
    evicted = condition("Evicted")
    subject = workload(RESERVED, ADMITTED, evicted, checks=checks, accumulatedPastExecutionTimeSeconds=5)

    draft = after_eviction(StatusDraft.of(subject, NOW), evicted, V0_19)

    admitted_condition = draft.condition("Admitted")
    assert admitted_condition is not None
    assert (admitted_condition["status"], admitted_condition["reason"]) == ("False", reason)
    assert draft.status["accumulatedPastExecutionTimeSeconds"] == 105


def test_an_eviction_is_counted_and_forgets_where_it_was_to_run() -> None:
    """AC-340: clusterName, nominatedClusterNames and unhealthyNodes go."""
    placed = {"clusterName": "a", "nominatedClusterNames": ["a"], "unhealthyNodes": [{"name": "n"}]}
    subject = workload(RESERVED, ADMITTED, **placed)

    write = evict(subject, StatusDraft.of(subject, NOW), WHY, V0_19).write

    assert isinstance(write, ApplyStatus)
    assert not placed.keys() & write.status.keys()
    assert write.status["schedulingStats"] == {
        "evictions": [{"reason": "ClusterQueueStopped", "underlyingCause": "", "count": 1}]
    }


def test_an_eviction_measures_how_long_pods_were_ready() -> None:
    """AC-394."""
    subject = workload(RESERVED, ADMITTED, condition("PodsReady", reason="Started"))

    samples = evict(subject, StatusDraft.of(subject, NOW), WHY, V0_19).metrics

    assert {sample.name: sample.value for sample in samples} == {
        "evicted_workloads_total": None,
        "local_queue_evicted_workloads_total": None,
        "evicted_workloads_once_total": None,
        "pods_ready_to_evicted_time_seconds": 100.0,
    }


def test_each_reason_and_cause_of_an_eviction_is_counted_by_itself_ac_343() -> None:
    other_conditions = [
        {"reason": "Preempted", "underlyingCause": "", "count": 2},
        {"reason": "ClusterQueueStopped", "underlyingCause": "other", "count": 3},
    ]
    line = {"reason": "ClusterQueueStopped", "underlyingCause": "", "count": 4}
    subject = workload(RESERVED, schedulingStats={"evictions": [*other_conditions, line]})

    write = evict(subject, StatusDraft.of(subject, NOW), WHY, V0_19).write

    assert isinstance(write, ApplyStatus)
    counted = write.status["schedulingStats"]["evictions"]
    assert sorted(counted, key=str) == sorted([*other_conditions, {**line, "count": 5}], key=str)


def test_admitted_ends_when_a_check_is_no_longer_ready_ac_261() -> None:
    subject = workload(RESERVED, ADMITTED, checks=[check("a")])

    draft = admitted.sync(StatusDraft.of(subject, NOW), V0_19.admitted_reasons)

    admitted_condition = draft.condition("Admitted")
    assert admitted_condition is not None
    assert (admitted_condition["status"], admitted_condition["reason"]) == ("False", "UnsatisfiedChecks")
    assert draft.status["accumulatedPastExecutionTimeSeconds"] == 100


def test_what_is_reserved_and_ready_is_admitted_ac_258() -> None:
    subject = workload(RESERVED, checks=[check("a", "Ready")])

    admitted_condition = admitted.sync(StatusDraft.of(subject, NOW), V0_19.admitted_reasons).condition(
        "Admitted"
    )

    assert admitted_condition is not None
    assert (admitted_condition["status"], admitted_condition["reason"]) == ("True", "Admitted")


AGREES = {
    "reserved and ready": workload(RESERVED, ADMITTED, checks=[check("a", "Ready")]),
    "reserved, not ready": workload(RESERVED, checks=[check("a")]),
    "not reserved": workload(checks=[check("a", "Ready")]),
}


@pytest.mark.parametrize("subject", AGREES.values(), ids=AGREES)
def test_admitted_is_not_written_while_it_agrees_ac_264(subject: Any) -> None:
    draft = StatusDraft.of(subject, NOW)

    assert admitted.sync(draft, V0_19) is draft


def test_what_v0_6_releases_says_what_it_was_evicted_for_ac_221() -> None:
    evicted = condition("Evicted", message="why")

    draft = without_requeued(StatusDraft.of(workload(RESERVED, evicted), NOW), evicted, V0_19)

    reserved_condition = draft.condition("QuotaReserved")
    assert reserved_condition is not None
    assert (reserved_condition["status"], reserved_condition["reason"], reserved_condition["message"]) == (
        "False",
        "Pending",
        "why",
    )
    assert draft.condition("Requeued") is None


SURVIVES = {
    "AC-481 a check": ("AdmissionCheck", "Retry"),
    "AC-481 a preemption": ("Preempted", "Pending"),
}


@pytest.mark.parametrize(("reason", "state"), SURVIVES.values(), ids=SURVIVES)
def test_a_retry_survives_only_an_eviction_by_a_check_in_the_kep(reason: str, state: str) -> None:
    subject = workload(RESERVED, checks=[check("a", "Retry")])

    write = evict(
        subject, StatusDraft.of(subject, NOW), Eviction(reason, "m"), dialect("kep993").workload
    ).write

    assert isinstance(write, ApplyStatus)
    assert [admission_check["state"] for admission_check in write.status["admissionChecks"]] == [state]


def test_an_empty_list_of_checks_is_absent_ac_358() -> None:
    draft = StatusDraft.of(workload(checks=[check("a")], requeueState={"count": 1}), NOW)

    assert draft.with_checks(Checks()).status == {"requeueState": {"count": 1}}
