"""What the answers of the check controllers lead to, one rule at a time (AC-285, AC-287, AC-291, AC-357)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import verdicts
from reference_impl.kueue.workload.transitions import V0_19

from .objects import ADMISSION, ADMITTED, NOW, RESERVED, check, condition, workload, world

EVICTED = condition("Evicted")
REST = {
    "admit waits for every check": (verdicts.admit, workload(RESERVED, checks=[check("a"), check("b", "Ready")])),
    "admit leaves what is admitted": (verdicts.admit, workload(RESERVED, ADMITTED, checks=[check("a", "Ready")])),
    "admit needs quota": (verdicts.admit, workload(checks=[check("a", "Ready")])),
    "rejected needs a Rejected": (verdicts.mark_rejected, workload(RESERVED, checks=[check("a", "Retry")])),
    "rejected needs quota": (verdicts.mark_rejected, workload(checks=[check("a", "Rejected")])),
    "rejected leaves what is evicted": (verdicts.mark_rejected, workload(RESERVED, EVICTED, checks=[check("a", "Rejected")])),
    "retried needs a Retry": (verdicts.evict_retried, workload(RESERVED, checks=[check("a", "Ready")])),
    "retried needs quota": (verdicts.evict_retried, workload(checks=[check("a", "Retry")])),
    "retried leaves what is evicted": (verdicts.evict_retried, workload(RESERVED, EVICTED, checks=[check("a", "Retry")])),
    "sync leaves a list that fits": (verdicts.sync_checks, workload(RESERVED, checks=[check("a", "Ready")])),
}  # fmt: skip


def condition_of(decision: Any, name: str) -> Any:
    return next(condition for condition in decision.write.status["conditions"] if condition["type"] == name)


@pytest.mark.parametrize(("rule", "subject"), REST.values(), ids=REST.keys())
def test_nothing_to_do(rule: Any, subject: Any) -> None:
    assert rule(subject, world("a"), NOW, V0_19) is None


def test_every_check_ready_admits() -> None:
    decision = verdicts.admit(workload(RESERVED, checks=[check("a", "Ready")]), world("a"), NOW, V0_19)

    assert condition_of(decision, c.ADMITTED)["status"] == "True"
    assert [note.reason for note in decision.events] == ["Admitted"]


def test_the_wait_for_checks_counts_from_the_reservation_ac_392() -> None:
    reserved = {**RESERVED, "lastTransitionTime": instants.render(NOW - 7)}
    subject = workload(reserved, checks=[check("a", "Ready")], admission=ADMISSION)

    decision = verdicts.admit(subject, world("a"), NOW, V0_19)

    assert decision is not None
    assert {metric.name: metric.value for metric in decision.metrics}[
        "admission_checks_wait_time_seconds"
    ] == 7
    assert "7s" in decision.events[0].note


def test_no_check_at_all_admits() -> None:
    assert verdicts.admit(workload(RESERVED), world(), NOW, V0_19) is not None


def test_rejected_marks_for_deactivation() -> None:
    subject = workload(RESERVED, checks=[check("a", "Ready"), check("b", "Rejected", "no")])

    decision = verdicts.mark_rejected(subject, world("a", "b"), NOW, V0_19)

    assert condition_of(decision, c.DEACTIVATION_TARGET)["reason"] == "AdmissionCheck"
    assert [note.reason for note in decision.events] == ["AdmissionCheckRejected"]


def test_retry_evicts_because_of_the_check() -> None:
    decision = verdicts.evict_retried(
        workload(RESERVED, checks=[check("a", "Retry")]), world("a"), NOW, V0_19
    )

    assert condition_of(decision, c.EVICTED)["reason"] == "AdmissionCheck"


def test_entries_come_and_go_with_what_the_queue_asks() -> None:
    subject = workload(RESERVED, checks=[check("a", "Ready"), check("old", "Ready")])

    decision = verdicts.sync_checks(subject, world("a", "new"), NOW, V0_19)

    states = {condition["name"]: condition["state"] for condition in decision.write.status["admissionChecks"]}
    assert states == {"a": "Ready", "new": "Pending"}


def test_entries_are_written_as_a_whole_status_so_that_kueue_itself_owns_them() -> None:
    """C-07: the list comes by PUT, and the manager of applies gets no share of it."""
    decision = verdicts.sync_checks(workload(RESERVED), world("a"), NOW, V0_19)

    assert type(decision.write).__name__ == "ReplaceStatus"


MARKED = condition(c.DEACTIVATION_TARGET, reason="AdmissionCheck")
INACTIVE = {"active": False}
DURING = {
    "a Rejected during an eviction": (workload(RESERVED, EVICTED, checks=[check("a", "Rejected")]), True),
    "a Retry during an eviction": (workload(RESERVED, EVICTED, checks=[check("a", "Retry")]), False),
    "a Rejected without quota": (workload(EVICTED, checks=[check("a", "Rejected")]), False),
    "marked already": (
        workload(RESERVED, EVICTED, MARKED, spec=INACTIVE, checks=[check("a", "Rejected")]),
        False,
    ),
    "inactive during an eviction": (
        workload(RESERVED, EVICTED, spec=INACTIVE, checks=[check("a", "Rejected")]),
        True,
    ),
}


@pytest.mark.parametrize(("subject", "is_marked"), DURING.values(), ids=DURING)
def test_a_rejected_during_an_eviction_marks_without_the_defect_bug_157(
    subject: Any, is_marked: bool
) -> None:
    decision = verdicts.mark_rejected_during_eviction(subject, world("a"), NOW, V0_19)

    assert (decision is not None) is is_marked
    if decision is not None:
        status: Any = getattr(decision.write, "status")  # noqa: B009 any write of a status
        types = [condition["type"] for condition in status["conditions"]]
        assert (types.count(c.DEACTIVATION_TARGET), status["admissionChecks"][0]["state"]) == (1, "Rejected")
