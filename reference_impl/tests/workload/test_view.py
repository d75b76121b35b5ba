"""The fields that are read of a Workload (AC-240…246, Q-001…Q-008, Q-035, Q-342)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.api.resource import Key
from reference_impl.kueue.workload.view import Workload

from .objects import NOW, RESERVED, condition, workload

FINISHED = condition("Finished")


def hold_back(seconds: float) -> Any:
    return {"requeueAt": instants.render(NOW + seconds)}


BACKOFFS = {
    "none": (workload(), True),
    "an attempt without a time": (workload(requeueState={"count": 1}), True),
    "Q-035 still running": (workload(requeueState=hold_back(1)), False),
    "Q-342 over in this second": (workload(requeueState=hold_back(0)), True),
    "over": (workload(requeueState=hold_back(-1)), True),
    "Q-035 held back": (workload(condition("Requeued", False)), False),
    "held back, the time is over": (
        workload(condition("Requeued", False), requeueState=hold_back(-1)),
        False,
    ),
    "queued again": (workload(condition("Requeued")), True),
}


@pytest.mark.parametrize(("subject", "over"), BACKOFFS.values(), ids=BACKOFFS)
def test_a_workload_is_tried_again_once_its_backoff_is_over(subject: Any, over: bool) -> None:
    assert subject.is_backoff_over(NOW) is over


def gate(by: str) -> Any:
    return {"annotations": {"kueue.x-k8s.io/admission-gated-by": by}}


QUEUEABLE = {
    "pending": (workload(), True),
    "evicted and released": (workload(condition("Evicted"), condition("QuotaReserved", False)), True),
    "not active": (workload(spec={"active": False}), False),
    "active is not said": (workload(spec={"active": None}), True),
    "finished": (workload(FINISHED), False),
    "reserved": (workload(RESERVED), False),
    "AC-299 gated": (workload(metadata=gate("a")), False),
    "gates that are empty": (workload(metadata=gate("")), True),
    "AC-299 said to be gated": (workload(condition("QuotaReserved", False, "AdmissionGated")), False),
    "AC-257 on hold": (workload(condition("QuotaReserved", False, "OnHold")), False),
    "waits for quota": (workload(condition("QuotaReserved", False, "Pending")), True),
    "waits for pods to be replaced": (workload(condition("WaitingForReplacementPods")), False),
}


@pytest.mark.parametrize(("subject", "queueable"), QUEUEABLE.values(), ids=QUEUEABLE)
def test_what_may_wait_in_a_queue_q_003(subject: Any, queueable: bool) -> None:
    assert subject.is_queueable is queueable


HOLDS = {
    "reserved": (workload(RESERVED), True),
    "evicted": (workload(RESERVED, condition("Evicted")), True),
    "not reserved": (workload(), False),
    "not active": (workload(RESERVED, spec={"active": False}), False),
    "finished": (workload(RESERVED, FINISHED), False),
}


@pytest.mark.parametrize(("subject", "holds"), HOLDS.values(), ids=HOLDS)
def test_what_holds_quota_q_004(subject: Any, holds: bool) -> None:
    assert subject.has_counted_quota is holds


def test_flavors_of_all_pod_sets_are_used() -> None:
    assignments = [
        {"name": "a", "flavors": {"cpu": "one", "gpu": "two"}},
        {"name": "b", "flavors": {"cpu": "three"}},
        {"name": "c"},
    ]

    subject = workload(RESERVED, admission={"clusterQueue": "cq", "podSetAssignments": assignments})

    assert subject.used_flavors == {"one", "two", "three"}


def test_a_workload_that_says_nothing_has_defaults() -> None:
    subject = workload(spec={"queueName": None, "priority": None})

    assert (subject.queue_name, subject.priority, subject.priority_class, subject.is_deleting) == (
        "",
        0,
        "",
        False,
    )


def test_a_workload_is_deleted_once_it_says_when() -> None:
    assert workload(metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"}).is_deleting


def test_priority_class_is_known_by_its_name() -> None:
    assert workload(spec={"priorityClassRef": {"name": "high"}}).priority_class == "high"


def test_the_wait_counts_from_the_creation_or_from_the_last_return_to_the_queue_q_008() -> None:
    requeued = {**condition("Requeued"), "lastTransitionTime": instants.render(NOW - 5)}

    assert [workload(*conditions).queued_since for conditions in ((), (requeued,))] == [NOW - 100, NOW - 5]


def test_what_is_kept_of_a_workload_makes_it_no_other_one_vis_961() -> None:
    shown, other = workload(), workload()

    assert shown.encode_once(lambda conditions: conditions.name.encode()) == shown.name.encode()

    assert shown == other


def test_what_is_kept_of_a_workload_is_made_once_vis_961() -> None:
    shown, calls = workload(), []

    def encode(workload: Workload) -> bytes:
        calls.append(workload)
        return b"shown"

    texts = [shown.encode_once(encode) for _ in range(2)]

    assert (texts, calls) == ([b"shown"] * 2, [shown])


def test_a_failing_test_shows_a_workload_without_what_is_kept_of_it() -> None:
    shown = workload()
    before = repr(shown)

    shown.encode_once(lambda _: b"shown")

    assert repr(shown) == before
    assert str(shown.object) in before


REASONS = {
    "held back": (condition("Requeued", False, "AdmissionCheck"), "AdmissionCheck"),
    "queued": (condition("Requeued", True, "Preempted"), ""),
    "never written": (condition("Evicted"), ""),
}


@pytest.mark.parametrize(("conditions", "reason"), REASONS.values(), ids=REASONS)
def test_why_a_workload_may_not_be_queued(conditions: Any, reason: str) -> None:
    assert workload(conditions).requeue_reason == reason


def test_a_workload_without_status_and_spec_is_read_as_one_that_is_empty() -> None:
    bare = Workload({"metadata": {"namespace": "ns", "name": "w", "uid": "u"}})

    assert (bare.spec, bare.status, [*bare.conditions], bare.checks.entries) == ({}, {}, [], ())
    assert (bare.admission, bare.used_flavors, bare.requeue_at, bare.gates) == (None, frozenset(), None, "")
    assert (bare.is_active, bare.priority, bare.queue_name, bare.priority_class) == (True, 0, "", "")
    assert (bare.key, bare.api_key, bare.uid) == ("ns/w", Key("ns", "w"), "u")


WAITS = {
    "a reservation that counts on preemptions": (
        condition("QuotaReserved", message="m; waiting for 1 preemption(s)"),
        True,
    ),
    "one that counts on none": (RESERVED, False),
    "none any more": (condition("QuotaReserved", False, message="m; waiting for 1 preemption(s)"), False),
}


@pytest.mark.parametrize(("conditions", "waits"), WAITS.values(), ids=WAITS)
def test_which_reservations_wait_for_preemptions_ac_489(conditions: Any, waits: bool) -> None:
    assert workload(conditions).is_awaiting_victims is waits
