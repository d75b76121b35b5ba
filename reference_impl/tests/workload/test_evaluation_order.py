"""What `decide` does next with a Workload, in dialect v0.19 (AC-280…327)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.workload.decision import (
    REST,
    ApplyStatus,
    Decision,
    MergeStatus,
    ReplaceObject,
    ReplaceStatus,
)
from reference_impl.kueue.workload.transitions import V0_19, decide
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import QueueView, WorkloadContext

from .objects import ADMITTED, NOW, RESERVED, check, condition, workload, world

HOLD = QueueView("q", "Hold")
DRAIN = QueueView("q", "HoldAndDrain")
LEAVING = QueueView("q", is_deleting=True)
EVICTED = condition("Evicted", reason="AdmissionCheck", message="m")
INACTIVE: Any = {"active": False}


def conditions_of(decision: Decision) -> dict[str, tuple[str, str, str]]:
    """The conditions that the decision writes."""
    assert isinstance(decision.write, ApplyStatus)
    return {
        condition["type"]: (condition["status"], condition["reason"], condition["message"])
        for condition in decision.write.status["conditions"]
    }


def requeue(reason: str) -> Any:
    return condition("Requeued", False, reason)


AT_REST = {
    "AC-264 waiting without a check": (workload(), world()),
    "AC-320 finished": (workload(condition("Finished"), RESERVED, checks=[check("a", "Retry")]), world("a")),
    "R-14 a gate of two is gone": (
        workload(
            condition("QuotaReserved", False, "AdmissionGated", "Admission is gated by: x/y,x/z"),
            metadata={"annotations": {"kueue.x-k8s.io/admission-gated-by": "x/z"}},
        ),
        world(),
    ),
    "C-01 Retry taken back": (
        workload(
            condition("QuotaReserved", False, "Pending", "The workload has failed admission checks"),
            checks=[check("a")],
        ),
        world("a"),
    ),
    "AC-485 a reason is not a state": (
        workload(RESERVED, checks=[check("a", reason="Reject")]),
        world("a"),
    ),
    "AC-309 admitted with a pending check": (workload(RESERVED, ADMITTED, checks=[check("a")]), world("a")),
    "AC-313 Retry without reservation": (workload(checks=[check("a", "Retry")]), world("a")),
    "AC-313 Rejected without reservation": (workload(checks=[check("a", "Rejected")]), world("a")),
    "AC-302 admitted on a held ClusterQueue": (workload(RESERVED, ADMITTED), world(cluster_queue=HOLD)),
    "AC-433 drained while evicted": (workload(RESERVED, ADMITTED, EVICTED), world(cluster_queue=DRAIN)),
    "AC-295 reactivated after a check's refusal": (
        workload(requeue("DeactivatedDueToAdmissionCheck")),
        world(),
    ),
    "AC-306 ClusterQueue still stopped": (
        workload(
            requeue("ClusterQueueStopped"),
            condition("QuotaReserved", False, "Inadmissible", "ClusterQueue cq is inactive"),
        ),
        world(cluster_queue=HOLD, is_cluster_queue_active=False),
    ),
}


@pytest.mark.parametrize(("subject", "around"), AT_REST.values(), ids=AT_REST.keys())
def test_stays_as_it_is(subject: Workload, around: WorkloadContext) -> None:
    assert decide(subject, around, NOW, V0_19).write is None


WRITES = {
    "R-13 LocalQueue deleted": (
        workload(condition("QuotaReserved", False, "Pending", "not enough")),
        world(local_queue=None, cluster_queue=None, cluster_queue_name="", is_queue_known=False),
        "QuotaReserved",
        ("False", "Inadmissible", "LocalQueue lq doesn't exist"),
    ),
    "C-22 ClusterQueue not known yet": (
        workload(),
        world(cluster_queue=None, cluster_queue_name="", is_queue_known=False),
        "QuotaReserved",
        ("False", "Inadmissible", "ClusterQueue  doesn't exist"),
    ),
    "C-09 looked at while a check is inactive": (
        workload(condition("QuotaReserved", False, "Pending", "not enough")),
        world(is_cluster_queue_active=False),
        "QuotaReserved",
        ("False", "Inadmissible", "ClusterQueue cq is inactive"),
    ),
    "AC-253 LocalQueue missing": (
        workload(),
        world(local_queue=None, cluster_queue=None, cluster_queue_name="", is_queue_known=False),
        "QuotaReserved",
        ("False", "Inadmissible", "LocalQueue lq doesn't exist"),
    ),
    "AC-253 LocalQueue stopped": (
        workload(),
        world(local_queue=HOLD, cluster_queue=None, is_queue_known=False),
        "QuotaReserved",
        ("False", "Inadmissible", "LocalQueue lq is inactive"),
    ),
    "AC-253 ClusterQueue missing": (
        workload(),
        world(cluster_queue=None, is_queue_known=False),
        "QuotaReserved",
        ("False", "Inadmissible", "ClusterQueue cq doesn't exist"),
    ),
    "AC-253 ClusterQueue inactive": (
        workload(),
        world(is_cluster_queue_active=False),
        "QuotaReserved",
        ("False", "Inadmissible", "ClusterQueue cq is inactive"),
    ),
    "AC-285 all Ready": (
        workload(RESERVED, checks=[check("a", "Ready")]),
        world("a"),
        "Admitted",
        ("True", "Admitted", "The workload is admitted"),
    ),
    "R-01 all Ready while evicted": (
        workload(RESERVED, EVICTED, checks=[check("a", "Ready")]),
        world("a"),
        "Admitted",
        ("True", "Admitted", "The workload is admitted"),
    ),
    "AC-287 one Retry": (
        workload(RESERVED, checks=[check("a", "Retry", "later"), check("b", "Ready")]),
        world("a", "b"),
        "Evicted",
        ("True", "AdmissionCheck", 'Evicted due to AdmissionCheck in Retry state: "a" (later)'),
    ),
    "AC-276 two Retry": (
        workload(RESERVED, ADMITTED, checks=[check("b", "Retry"), check("a", "Retry", "x")]),
        world("a", "b"),
        "Evicted",
        ("True", "AdmissionCheck", 'Evicted due to AdmissionChecks in Retry state: "a" (x); "b"'),
    ),
    "SC-223 Rejected wins over Retry": (
        workload(RESERVED, checks=[check("a", "Retry"), check("b", "Rejected", "no")]),
        world("a", "b"),
        "DeactivationTarget",
        ("True", "AdmissionCheck", 'AdmissionCheck in Rejected state: "b" (no)'),
    ),
    "AC-293 deactivated by hand": (
        workload(spec=INACTIVE),
        world(),
        "Evicted",
        ("True", "Deactivated", "The workload is deactivated"),
    ),
    "AC-293 deactivated by a check": (
        workload(
            RESERVED, condition("DeactivationTarget", reason="AdmissionCheck", message="why"), spec=INACTIVE
        ),
        world(),
        "Evicted",
        ("True", "DeactivatedDueToAdmissionCheck", "The workload is deactivated due to why"),
    ),
    "AC-295 reactivated": (
        workload(requeue("Deactivated")),
        world(),
        "Requeued",
        ("True", "Reactivated", "The workload was reactivated"),
    ),
    "AC-290 nothing to wait for": (
        workload(requeue("AdmissionCheck")),
        world(),
        "Requeued",
        ("True", "BackoffFinished", "The workload backoff was finished"),
    ),
    "AC-290 back-off over": (
        workload(requeue("PodsReadyTimeout"), requeueState={"count": 1, "requeueAt": instants.render(NOW)}),
        world(),
        "Requeued",
        ("True", "BackoffFinished", "The workload backoff was finished"),
    ),
    "AC-307 LocalQueue runs again": (
        workload(requeue("LocalQueueStopped")),
        world(),
        "Requeued",
        ("True", "LocalQueueRestarted", "The LocalQueue was restarted after being stopped"),
    ),
    "AC-306 ClusterQueue runs again": (
        workload(requeue("ClusterQueueStopped")),
        world(),
        "Requeued",
        ("True", "ClusterQueueRestarted", "The ClusterQueue was restarted after being stopped"),
    ),
    "AC-301 held while reserved": (
        workload(RESERVED, checks=[check("a")]),
        world("a", cluster_queue=HOLD),
        "QuotaReserved",
        ("False", "Inadmissible", "ClusterQueue cq is stopped"),
    ),
    "AC-304 LocalQueue comes first": (
        workload(RESERVED, checks=[check("a")]),
        world("a", cluster_queue=HOLD, local_queue=HOLD),
        "QuotaReserved",
        ("False", "Inadmissible", "LocalQueue lq is stopped"),
    ),
    "AC-305 ClusterQueue leaves": (
        workload(RESERVED, checks=[check("a")]),
        world("a", cluster_queue=LEAVING),
        "QuotaReserved",
        ("False", "Inadmissible", "ClusterQueue cq is terminating or missing"),
    ),
    "AC-305 LocalQueue gone": (
        workload(RESERVED, checks=[check("a")]),
        world(local_queue=None, cluster_queue=None, cluster_queue_name="", is_queue_known=False),
        "QuotaReserved",
        ("False", "Inadmissible", "LocalQueue lq is terminating or missing"),
    ),
    "AC-303 ClusterQueue drained": (
        workload(RESERVED, ADMITTED),
        world(cluster_queue=DRAIN),
        "Evicted",
        ("True", "ClusterQueueStopped", "The ClusterQueue is stopped"),
    ),
    "AC-304 LocalQueue drained": (
        workload(RESERVED, ADMITTED),
        world(local_queue=DRAIN),
        "Evicted",
        ("True", "LocalQueueStopped", "The LocalQueue is stopped"),
    ),
    "AC-299 gated": (
        workload(metadata={"annotations": {"kueue.x-k8s.io/admission-gated-by": "x/y"}}),
        world(),
        "QuotaReserved",
        ("False", "AdmissionGated", "Admission is gated by: x/y"),
    ),
    "AC-256 gate cleared": (
        workload(condition("QuotaReserved", False, "AdmissionGated", "m")),
        world(),
        "QuotaReserved",
        ("False", "Pending", "AdmissionGatedBy cleared, waiting for quota reservation"),
    ),
    "AC-297 owner gone": (
        workload(metadata={"labels": {"kueue.x-k8s.io/job-uid": "x"}}),
        world(),
        "Finished",
        ("True", "OwnerNotFound", "The workload's owner no longer exists"),
    ),
}


@pytest.mark.parametrize(("subject", "around", "kind", "expected"), WRITES.values(), ids=WRITES.keys())
def test_writes_condition(
    subject: Workload, around: WorkloadContext, kind: str, expected: tuple[str, str, str]
) -> None:
    assert conditions_of(decide(subject, around, NOW, V0_19))[kind] == expected


def test_target_switches_off_by_put_of_the_object() -> None:
    """AC-292."""
    write = decide(workload(RESERVED, condition("DeactivationTarget")), world(), NOW, V0_19).write

    assert isinstance(write, ReplaceObject)
    assert write.object["spec"] == {"active": False, "queueName": "lq"}


def test_leftover_backoff_of_inactive_goes_by_merge_patch() -> None:
    """AC-294: an apply could leave the field to another owner."""
    subject = workload(EVICTED, requeueState={"count": 2}, spec=INACTIVE)

    assert decide(subject, world(), NOW, V0_19).write == MergeStatus({"status": {"requeueState": None}})


def test_checks_are_listed_by_put_of_the_status() -> None:
    """AC-280, AC-359."""
    write = decide(workload(), world("b", "a"), NOW, V0_19).write

    current_time = instants.render(NOW)
    entry = {"state": "Pending", "message": "", "lastTransitionTime": current_time}
    assert write == ReplaceStatus({"admissionChecks": [{"name": "a", **entry}, {"name": "b", **entry}]})


def test_release_by_hold_keeps_answers_and_says_nothing() -> None:
    """AC-301: no Evicted, no event, a Ready check stays Ready."""
    decision = decide(
        workload(RESERVED, checks=[check("a"), check("b", "Ready")]),
        world("a", "b", cluster_queue=HOLD),
        NOW,
        V0_19,
    )

    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status["admissionChecks"] == [check("a"), check("b", "Ready")]
    assert "admission" not in decision.write.status
    assert decision.events == ()


def test_retry_with_delay_writes_the_latest_deadline() -> None:
    """AC-288, SC-045: time plus delay counts, not the longest delay."""
    late = {**check("b", "Retry", requeueAfterSeconds=150), "lastTransitionTime": instants.render(NOW - 10)}
    subject = workload(RESERVED, checks=[check("a", "Retry", requeueAfterSeconds=200), late])

    decision = decide(subject, world("a", "b"), NOW, V0_19)

    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status["requeueState"] == {"requeueAt": instants.render(NOW + 140)}


def test_running_delay_defers_everything_else() -> None:
    """AC-322 b, T-22: not even a Rejected check is looked at."""
    state = {"requeueAt": instants.render(NOW + 40)}
    subject = workload(RESERVED, checks=[check("a", "Rejected")], requeueState=state)

    assert decide(subject, world("a"), NOW, V0_19) == Decision(again_after=40.0)


def test_end_of_delay_evicts() -> None:
    """AC-288: the eviction comes when the delay is over, with requeueAt still in place."""
    subject = workload(
        RESERVED,
        checks=[check("a", "Retry", requeueAfterSeconds=100)],
        requeueState={"requeueAt": instants.render(NOW)},
    )

    assert conditions_of(decide(subject, world("a"), NOW, V0_19))["Evicted"][1] == "AdmissionCheck"


def test_gone_queue_asks_to_requeue_before_forgetting_the_backoff() -> None:
    """AC-322 c, C-23."""
    decision = decide(workload(requeueState={"requeueAt": instants.render(NOW - 1)}), world(), NOW, V0_19)

    assert decision.requeue
    assert isinstance(decision.write, ApplyStatus)
    assert decision.write.status == {}


def test_nothing_to_do_is_rest() -> None:
    assert decide(workload(), world(), NOW, V0_19) is REST
