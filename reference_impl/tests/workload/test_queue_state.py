"""Rules about the queues around a Workload, one by one (AC-253…256, AC-281, AC-299…307)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.workload import queue_state
from reference_impl.kueue.workload.decision import NORMAL, ApplyStatus, Decision
from reference_impl.kueue.workload.transitions import V0_19
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import QueueView, WorkloadContext

from .objects import ADMITTED, NOW, RESERVED, condition, workload, world

GATES: Any = {"annotations": {"kueue.x-k8s.io/admission-gated-by": "x/y"}}
SAID_GATED = condition("QuotaReserved", False, "AdmissionGated", "Admission is gated by: x/y")
HOLD, DRAIN, LEAVING = (
    QueueView("q", "Hold"),
    QueueView("q", "HoldAndDrain"),
    QueueView("q", is_deleting=True),
)


def condition_of(decision: Decision | None, kind: str) -> tuple[str, str, str]:
    """Return what a decision writes into a condition."""
    assert decision is not None
    assert isinstance(decision.write, ApplyStatus)
    written = Workload({"status": decision.write.status}).condition(kind)
    return written["status"], written["reason"], written["message"]


BLOCKERS = {
    "AC-253 no LocalQueue": (world(local_queue=None), "LocalQueue lq doesn't exist"),
    "AC-253 a stopped LocalQueue": (world(local_queue=HOLD), "LocalQueue lq is inactive"),
    "Q-320 a LocalQueue that drains": (world(local_queue=DRAIN), "LocalQueue lq is inactive"),
    "AC-253 no ClusterQueue": (world(is_queue_known=False), "ClusterQueue cq doesn't exist"),
    "AC-253 an inactive ClusterQueue": (world(is_cluster_queue_active=False), "ClusterQueue cq is inactive"),
}


@pytest.mark.parametrize(("around", "message"), BLOCKERS.values(), ids=BLOCKERS)
def test_it_is_said_why_no_queue_can_take_a_workload(around: WorkloadContext, message: str) -> None:
    decision = queue_state.explain_block(workload(), around, NOW, V0_19)

    assert condition_of(decision, "QuotaReserved") == ("False", "Inadmissible", message)


UNBLOCKED = {
    "reserved": (workload(RESERVED), world(local_queue=None)),
    "admitted": (workload(ADMITTED), world(local_queue=None)),
    "gated": (workload(metadata=GATES), world(local_queue=None)),
    "its queues run": (workload(), world()),
    "it was said": (
        workload(condition("QuotaReserved", False, "Inadmissible", "LocalQueue lq doesn't exist")),
        world(local_queue=None),
    ),
}


@pytest.mark.parametrize(("subject", "around"), UNBLOCKED.values(), ids=UNBLOCKED)
def test_nothing_is_said_where_nothing_is_in_the_way_or_all_is_said(
    subject: Workload, around: WorkloadContext
) -> None:
    assert queue_state.explain_block(subject, around, NOW, V0_19) is None


def test_a_gate_takes_the_reservation_and_is_told_ac_299() -> None:
    decision = queue_state.give_back_gated(workload(RESERVED, metadata=GATES), world(), NOW, V0_19)

    assert condition_of(decision, "QuotaReserved")[:2] == ("False", "AdmissionGated")
    assert decision is not None
    assert [(note.type, note.reason) for note in decision.events] == [(NORMAL, "AdmissionGated")]


def test_an_open_gate_is_told_once_ac_256() -> None:
    decision = queue_state.gate_cleared(workload(SAID_GATED), world(), NOW, V0_19)

    assert condition_of(decision, "QuotaReserved")[:2] == ("False", "Pending")
    assert decision is not None
    assert [(note.type, note.reason) for note in decision.events] == [(NORMAL, "AdmissionGateCleared")]


GATED = {
    "said already": (queue_state.give_back_gated, workload(SAID_GATED, metadata=GATES)),
    "no gate": (queue_state.give_back_gated, workload()),
    "still gated": (queue_state.gate_cleared, workload(SAID_GATED, metadata=GATES)),
    "never gated": (queue_state.gate_cleared, workload()),
}


@pytest.mark.parametrize(("rule", "subject"), GATED.values(), ids=GATED)
def test_a_gate_is_told_when_it_comes_or_goes_ac_299(rule: Any, subject: Workload) -> None:
    assert rule(subject, world(), NOW, V0_19) is None


def drain(by: str) -> Workload:
    return workload(condition("Requeued", False, f"{by}Stopped"))


RESTARTS = {
    "AC-307 the LocalQueue runs": (queue_state.local_queue_restarted, "LocalQueue", world(), True),
    "still stopped": (queue_state.local_queue_restarted, "LocalQueue", world(local_queue=HOLD), False),
    "gone": (queue_state.local_queue_restarted, "LocalQueue", world(local_queue=None), False),
    "another one drained it": (queue_state.local_queue_restarted, "ClusterQueue", world(), False),
    "AC-306 the ClusterQueue runs": (queue_state.cluster_queue_restarted, "ClusterQueue", world(), True),
    "ClusterQueue still stopped": (
        queue_state.cluster_queue_restarted,
        "ClusterQueue",
        world(cluster_queue=HOLD),
        False,
    ),
    "ClusterQueue gone": (
        queue_state.cluster_queue_restarted,
        "ClusterQueue",
        world(cluster_queue=None),
        False,
    ),
    "the LocalQueue drained it": (queue_state.cluster_queue_restarted, "LocalQueue", world(), False),
}


@pytest.mark.parametrize(("rule", "by", "around", "is_queued"), RESTARTS.values(), ids=RESTARTS)
def test_what_a_queue_drained_is_queued_once_it_runs_again(
    rule: Any, by: str, around: WorkloadContext, is_queued: bool
) -> None:
    decision = rule(drain(by), around, NOW, V0_19)

    assert (decision is not None) is is_queued
    if decision is not None:
        assert condition_of(decision, "Requeued")[:2] == ("True", f"{by}Restarted")


EVICTED = condition("Evicted")
STATES = {
    "AC-301 reserved, it is stopped": ((RESERVED,), HOLD, "{} is stopped", None),
    "reserved, it drains": ((RESERVED,), DRAIN, "{} is stopped", None),
    "AC-305 reserved, it is deleted": ((RESERVED,), LEAVING, "{} is terminating or missing", None),
    "AC-305 reserved, it is gone": ((RESERVED,), None, "{} is terminating or missing", None),
    "reserved, it runs": ((RESERVED,), QueueView("q"), None, None),
    "AC-303 admitted, it drains": ((RESERVED, ADMITTED), DRAIN, None, True),
    "AC-302 admitted, it is stopped": ((RESERVED, ADMITTED), HOLD, None, None),
    "admitted, it is gone": ((RESERVED, ADMITTED), None, None, None),
    "admitted and evicted, it drains": ((RESERVED, ADMITTED, EVICTED), DRAIN, None, None),
    "not reserved, it is stopped": ((), HOLD, None, None),
}
RULES = {
    "LocalQueue": (queue_state.local_queue_state, "local_queue", "LocalQueue lq"),
    "ClusterQueue": (queue_state.cluster_queue_state, "cluster_queue", "ClusterQueue cq"),
}


@pytest.mark.parametrize(("rule", "which", "name"), RULES.values(), ids=RULES)
@pytest.mark.parametrize(("conditions", "queue", "message", "is_evicted"), STATES.values(), ids=STATES)
def test_what_a_queue_that_stops_does_to_what_is_reserved_or_admitted(
    rule: Any,
    which: str,
    name: str,
    conditions: Any,
    queue: Any,
    message: str | None,
    is_evicted: bool | None,
) -> None:
    decision = rule(workload(*conditions), world(**{which: queue}), NOW, V0_19)

    if message is not None:
        assert condition_of(decision, "QuotaReserved") == ("False", "Inadmissible", message.format(name))
        assert "admission" not in decision.write.status
    elif is_evicted:
        assert condition_of(decision, "Evicted")[:2] == ("True", f"{name.split()[0]}Stopped")
    else:
        assert decision is None


def test_an_eviction_that_a_stopped_queue_cuts_short_is_measured_ac_394() -> None:
    decision = queue_state.cluster_queue_state(
        workload(RESERVED, EVICTED), world(cluster_queue=HOLD), NOW, V0_19
    )

    assert decision is not None
    assert [(metric.name, metric.value) for metric in decision.metrics] == [
        ("workload_eviction_latency_seconds", 100.0)
    ]
