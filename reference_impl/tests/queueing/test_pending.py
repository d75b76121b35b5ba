"""What a queue derives from a Workload: its place, its shape, and which changes make it worth another look
(Q-006, Q-009, Q-021, Q-032, Q-037).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.queueing.last_assignment import LastAssignment
from reference_impl.kueue.queueing.pending import (
    PendingWorkload,
    requeue_on_check_change,
    requeue_on_spec_change,
)

from ..scheduling.queue_side import pod_set
from ..workload.objects import NOW, check, condition, workload

SCAN = LastAssignment({("main", "cpu"): 0}, 1, 1, (0, frozenset()))


def make_pending(
    *conditions: Any, pods: Any = None, sent_back: Any = (), spec: Any = None, **fields: Any
) -> PendingWorkload:
    workload_spec = {"podSets": [pods or pod_set(requests={"cpu": 2})], **(spec or {})}
    return PendingWorkload.of(workload(*conditions, spec=workload_spec, **fields), frozenset(sent_back))


EVICTED_AT = NOW - 7
EVICTED = {
    **condition("Evicted", reason="PodsReadyTimeout"),
    "lastTransitionTime": instants.render(EVICTED_AT),
}
CREATED_AT = NOW - 100
TIMES = {
    "created": ((), CREATED_AT),
    "evicted, and sent back for it": ((EVICTED,), EVICTED_AT),
    "Q-007 evicted for another reason": (({**EVICTED, "reason": "Preempted"},), CREATED_AT),
    "Q-007 no longer evicted": (({**EVICTED, "status": "False"},), CREATED_AT),
}


@pytest.mark.parametrize(("conditions", "since"), TIMES.values(), ids=TIMES)
def test_some_evictions_send_a_workload_behind_its_equals_q_006(conditions: Any, since: float) -> None:
    pending = make_pending(*conditions, sent_back={"PodsReadyTimeout"}, spec={"priority": 3})

    assert pending.rank == (True, -3, since, "u")


SHAPES = {
    "another name of the Workload": (make_pending(metadata={"name": "other", "uid": "other"}), True),
    "another LocalQueue": (make_pending(spec={"queueName": "other"}), True),
    "another image": (
        make_pending(pods=pod_set(containers=[{"name": "d", "image": "j", "resources": {"requests": {"cpu": "2"}}}])),
        True,
    ),
    "another priority": (make_pending(spec={"priority": 1}), False),
    "another name of the podSet": (make_pending(pods=pod_set("other", requests={"cpu": 2})), False),
    "more pods that ask for as much": (make_pending(pods=pod_set(count=2, requests={"cpu": 1})), False),
    "fewer pods would do": (make_pending(pods=pod_set(requests={"cpu": 2}, min_count=1)), False),
    "another request": (make_pending(pods=pod_set(requests={"cpu": 3})), False),
    "another resource": (make_pending(pods=pod_set(requests={"gpu": 2})), False),
    "as much in two containers": (
        make_pending(pods=pod_set(containers=2 * [{"name": "d", "resources": {"requests": {"cpu": "1"}}}])),
        False,
    ),
    "as much in other words": (
        make_pending(pods=pod_set(containers=[{"name": "d", "resources": {"requests": {"cpu": "2000m"}}}])),
        True,
    ),
    "as much with an overhead": (
        make_pending(pods=pod_set(requests={"cpu": 1}, overhead={"cpu": "1"})),
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("other", "is_the_same"), SHAPES.values(), ids=SHAPES)
def test_workloads_have_one_shape_if_they_would_be_treated_equally_q_009(
    other: PendingWorkload, is_the_same: bool
) -> None:
    assert (other.scheduling_hash == make_pending().scheduling_hash) is is_the_same


def test_a_copy_that_asks_for_the_same_goes_on_with_the_search_for_flavors_q_037() -> None:
    old, equal = make_pending().with_last_assignment(SCAN), make_pending(metadata={"labels": {"a": "b"}})

    new = equal.replacing(old)

    assert (new.last_assignment, new.workload) == (SCAN, equal.workload)


def test_a_copy_that_asks_for_something_else_begins_anew_q_037() -> None:
    assert (
        make_pending(spec={"priority": 1})
        .replacing(make_pending().with_last_assignment(SCAN))
        .last_assignment
        is None
    )


def test_what_has_this_record_already_is_the_same_pending_workload() -> None:
    pending = make_pending().with_last_assignment(SCAN)

    assert pending.with_last_assignment(SCAN) is pending
    assert pending.with_last_assignment(None).last_assignment is None


REACTIVATES = {
    "nothing": (make_pending(), False),
    "a label": (make_pending(metadata={"labels": {"a": "b"}}), False),
    "the spec": (make_pending(spec={"priority": 1}), True),
    "reclaimable pods": (make_pending(reclaimablePods=[{"name": "main", "count": 1}]), True),
    "it is evicted": (make_pending(EVICTED), True),
    "it is held back": (make_pending(condition("Requeued", False)), True),
    "what it waits for": (make_pending(condition("QuotaReserved", False, "Pending")), False),
    "an answer": (make_pending(checks=[check("a", "Ready")]), False),
}


@pytest.mark.parametrize(("new", "expected"), REACTIVATES.values(), ids=REACTIVATES)
def test_which_changes_make_a_parked_workload_worth_another_look_q_032(
    new: PendingWorkload, expected: bool
) -> None:
    assert requeue_on_spec_change(make_pending(), new, None) is expected
    assert requeue_on_check_change(make_pending(), new, None) is expected


EVALUATED = {"never": (None, False), "at this generation": (4, False), "at an earlier one": (3, True)}


@pytest.mark.parametrize(("evaluated", "expected"), EVALUATED.values(), ids=EVALUATED)
def test_another_generation_than_the_one_that_was_looked_at_counts_q_032(
    evaluated: int | None, expected: bool
) -> None:
    pending = make_pending(metadata={"generation": 4})

    assert requeue_on_spec_change(pending, pending, evaluated) is expected


ANSWERS = {
    "Retry is taken back": ("Retry", "Pending", True),
    "Rejected is taken back": ("Rejected", "Ready", True),
    "Retry stays": ("Retry", "Retry", False),
    "Retry comes": ("Ready", "Retry", False),
    "none is negative": ("Pending", "Ready", False),
}


@pytest.mark.parametrize(("before", "after", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_a_negative_answer_that_was_taken_back_counts_without_the_defect_c_01(
    before: str, after: str, expected: bool
) -> None:
    old, new = (make_pending(checks=[check("a", state)]) for state in (before, after))

    assert requeue_on_check_change(old, new, None) is expected
    assert not requeue_on_spec_change(old, new, None)
