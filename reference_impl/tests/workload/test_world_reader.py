"""What a decision knows of the world around a Workload (AC-449, AC-451, AC-480)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.workload.context_reader import WorldReader
from reference_impl.kueue.workload.workload_context import QueueView, ReservationState, WorkloadContext
from reference_impl.runtime.store import Store

from .objects import RESERVED, check, workload


class Queues:
    """The queue side: LocalQueue lq feeds ClusterQueue cq."""

    def __init__(self, is_known: bool) -> None:
        self.known = is_known

    def cluster_queue_for(self, namespace: str, local_queue: str) -> tuple[str, bool]:
        return ("cq" if (namespace, local_queue) == ("ns", "lq") else "", self.known)

    def is_active(self, cluster_queue: str) -> bool:
        return cluster_queue == "cq"

    def requeue(self, workload: Any) -> None:
        raise AssertionError("nothing is queued")


class NoneIsValid:
    """Reservations of a dialect that looks at them again."""

    def reservation_state(self, workload: Any) -> ReservationState:
        return ReservationState(f"{workload.key} holds too much")

    def preempt(self, workload: Any) -> None:
        raise AssertionError("nothing is preempted")


def around(subject: Any, *, is_known: bool = True, rechecks: bool = False, **checks: Any) -> WorkloadContext:
    local_queues, cluster_queues, admission_checks = Store(), Store(), Store()
    local_queues.put(Key("ns", "lq"), {"metadata": {"name": "lq"}, "spec": {"stopPolicy": "Hold"}})
    cluster_queues.put(Key("", "cq"), {"metadata": {"name": "cq"}, "spec": {"stopPolicy": "HoldAndDrain"}})
    for name, spec in checks.items():
        admission_checks.put(Key("", name), {"metadata": {"name": name}, **spec})
    return WorldReader(
        local_queues=local_queues,
        cluster_queues=cluster_queues,
        admission_checks=admission_checks,
        queues=Queues(is_known),
        reservations=NoneIsValid() if rechecks else None,
    ).of(subject)


def test_queues_of_a_workload_are_found_by_its_queue_name() -> None:
    world = around(workload(RESERVED))

    assert (world.local_queue.name, world.cluster_queue.name) == ("lq", "cq")
    assert (world.local_queue.is_stopped, world.local_queue.is_draining, world.cluster_queue.is_draining) == (
        True,
        False,
        True,
    )
    assert (world.cluster_queue_name, world.is_queue_known, world.is_cluster_queue_active) == (
        "cq",
        True,
        True,
    )


def test_a_cluster_queue_that_the_queue_side_does_not_know_is_not_there() -> None:
    world = around(workload(RESERVED), is_known=False)

    assert (world.cluster_queue, world.is_queue_known, world.is_cluster_queue_active) == (None, False, False)


@pytest.mark.parametrize(
    ("rechecks", "why"), [(True, "ns/w holds too much"), (False, "")], ids=["asked", "not asked"]
)
def test_only_a_dialect_that_rechecks_asks_if_a_reservation_is_valid_ac_449(rechecks: bool, why: str) -> None:
    assert around(workload(RESERVED), rechecks=rechecks).outlook.objection == why


def test_nothing_is_asked_about_what_is_not_reserved_ac_474() -> None:
    assert around(workload(), rechecks=True).outlook == ReservationState()


DELAYS = {
    "AC-451 as long as it says": ({"a": {"spec": {"retryDelayMinutes": 3}}}, 180),
    "AC-451 none": ({"a": {"spec": {"retryDelayMinutes": 0}}}, 0),
    "AC-480 it says nothing": ({"a": {"spec": {}}}, 900),
    "AC-480 no spec": ({"a": {}}, 900),
    "AC-480 the check is gone": ({}, 900),
}


@pytest.mark.parametrize(("checks", "seconds"), DELAYS.values(), ids=DELAYS)
def test_a_retry_is_delayed_by_its_check(checks: Any, seconds: float) -> None:
    assert around(workload(checks=[check("a", "Retry")]), **checks).retry_delays == {"a": seconds}


POLICIES = {
    "AC-442 what it says": (
        {"a": {"spec": {"preemptionPolicy": "AfterCheckPassedOrOnDemand"}}},
        {"a": "AfterCheckPassedOrOnDemand"},
    ),
    "it says nothing": ({"a": {"spec": {}}}, {"a": "Anytime"}),
    "AC-488 the check is gone": ({}, {}),
    "one that is not listed": ({"b": {"spec": {}}}, {}),
}


@pytest.mark.parametrize(("checks", "policies"), POLICIES.values(), ids=POLICIES)
def test_when_a_check_lets_preemptions_be_issued(checks: Any, policies: dict[str, str]) -> None:
    assert around(workload(checks=[check("a")]), **checks).preemption_policies == policies


POLICIES_OF_STOPPING = {
    "None": ("None", False, False),
    "nothing is said": ("", False, False),
    "Hold": ("Hold", True, False),
    "HoldAndDrain": ("HoldAndDrain", True, True),
}


@pytest.mark.parametrize(
    ("policy", "stopped", "draining"), POLICIES_OF_STOPPING.values(), ids=POLICIES_OF_STOPPING
)
def test_how_a_queue_is_stopped(policy: str, stopped: bool, draining: bool) -> None:
    queue_view = QueueView.of({"metadata": {"name": "q"}, "spec": {"stopPolicy": policy} if policy else None})

    assert (queue_view.name, queue_view.is_stopped, queue_view.is_draining, queue_view.is_deleting) == (
        "q",
        stopped,
        draining,
        False,
    )
    assert QueueView.of({"metadata": {"name": "q", "deletionTimestamp": "x"}}).is_deleting
