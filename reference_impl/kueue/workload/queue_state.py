"""Rules about the queues around a Workload: missing, inactive, stopped, drained, started again, and the gate.

Steps R7–R11 of admission.md §2.5: AC-253, AC-254, AC-256, AC-281, AC-299…307, Q-320…327, Q-350.
"""

from __future__ import annotations

from typing import NamedTuple

from . import conditions as c
from . import messages, metrics, release
from .conditions import Condition
from .decision import NORMAL, ApplyStatus, Decision, RecordedEvent
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .unreserved import INADMISSIBLE, PENDING, UnreservedReason
from .view import GATED, Workload
from .workload_context import QueueView, WorkloadContext


def local_queue_restarted(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Let what the LocalQueue drained be queued once it runs again (AC-307)."""
    if workload.requeue_reason != "LocalQueueStopped" or _is_stopped(world.local_queue):
        return None
    return _restart(workload, current_time, "LocalQueueRestarted", messages.LOCAL_QUEUE_RESTARTED)


def cluster_queue_restarted(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Let what the ClusterQueue drained be queued once it runs again (AC-306)."""
    if workload.requeue_reason != "ClusterQueueStopped" or _is_stopped(world.cluster_queue):
        return None
    return _restart(workload, current_time, "ClusterQueueRestarted", messages.CLUSTER_QUEUE_RESTARTED)


def _is_stopped(queue: QueueView | None) -> bool:
    return queue is None or queue.is_stopped


def _restart(workload: Workload, current_time: float, reason: str, message: str) -> Decision:
    requeued = Condition(c.REQUEUED, True, reason, message)
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(requeued).status))


def give_back_gated(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Take the reservation from a gated Workload; a list that shrinks changes nothing (AC-299, R-14)."""
    if not workload.gates or workload.is_reported_gated:
        return None
    draft = release.give_back(
        StatusDraft.of(workload, current_time), GATED, messages.gates_message(workload.gates), rules
    )
    note = RecordedEvent(NORMAL, GATED, messages.gates_note(workload.gates))
    return Decision(write=ApplyStatus(draft.status), events=(note,))


def gate_cleared(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Say that the gate is open; from now on it may be queued (AC-256)."""
    if workload.gates or not workload.is_reported_gated:
        return None
    reason = rules.unreserved_reason(UnreservedReason.PENDING_EVALUATION, PENDING)
    draft = release.give_back(StatusDraft.of(workload, current_time), reason, messages.GATE_CLEARED, rules)
    note = RecordedEvent(NORMAL, "AdmissionGateCleared", messages.GATE_CLEARED_NOTE)
    return Decision(write=ApplyStatus(draft.status), events=(note,))


def explain_block(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Say why no queue can take it (AC-253, AC-281, Q-320); a gate has been named instead of a queue."""
    if workload.has_quota_reservation or workload.is_admitted or workload.gates:
        return None
    blocker = queue_blocker(workload, world)
    if blocker is None:
        return None
    draft = StatusDraft.of(workload, current_time).set(
        Condition(c.QUOTA_RESERVED, False, INADMISSIBLE, blocker.message)
    )
    # Compared before the write: an apply without a change brings no event, but costs a
    # request each pass.
    return None if draft.conditions == workload.conditions else Decision(write=ApplyStatus(draft.status))


class QueueBlocker(NamedTuple):
    """Why no queue can take a Workload."""

    cause: UnreservedReason
    message: str


def queue_blocker(workload: Workload, world: WorkloadContext) -> QueueBlocker | None:
    """Return why no queue can take it, None where one can (AC-253, KV-09, KV-10)."""
    missing, suspended = UnreservedReason.MISCONFIGURED, UnreservedReason.SUSPENDED
    if world.local_queue is None:
        return QueueBlocker(missing, f"LocalQueue {workload.queue_name} doesn't exist")
    if world.local_queue.is_stopped:
        return QueueBlocker(suspended, f"LocalQueue {workload.queue_name} is inactive")
    if not world.is_queue_known:
        return QueueBlocker(missing, f"ClusterQueue {world.cluster_queue_name} doesn't exist")
    if not world.is_cluster_queue_active:
        return QueueBlocker(suspended, f"ClusterQueue {world.cluster_queue_name} is inactive")
    return None


def local_queue_state(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """React to a stopped or vanishing LocalQueue (AC-304, AC-305)."""
    why = Eviction("LocalQueueStopped", messages.LOCAL_QUEUE_STOPPED)
    subject = f"LocalQueue {workload.queue_name}"
    return _queue_state(workload, world.local_queue, subject, why, current_time, rules)


def cluster_queue_state(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """React to a stopped or vanishing ClusterQueue (AC-301…303, AC-305)."""
    why = Eviction("ClusterQueueStopped", messages.CLUSTER_QUEUE_STOPPED)
    subject = f"ClusterQueue {world.cluster_queue_name}"
    return _queue_state(workload, world.cluster_queue, subject, why, current_time, rules)


def _queue_state(
    workload: Workload,
    queue: QueueView | None,
    subject: str,
    why: Eviction,
    current_time: float,
    rules: WorkloadRules,
) -> Decision | None:
    """Evict an admitted Workload; one that is only reserved returns at once, without an eviction."""
    if not workload.has_quota_reservation:
        return None
    if workload.is_admitted:
        drained = queue is not None and queue.is_draining and not workload.is_evicted
        return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules) if drained else None
    if queue is None or queue.is_deleting:
        # A reservation without running pods has nothing to stop: no eviction, no
        # back-off, no count.
        gone = QueueBlocker(UnreservedReason.MISCONFIGURED, f"{subject} is terminating or missing")
        return _cancel(workload, gone, current_time, rules)
    stopped = QueueBlocker(UnreservedReason.SUSPENDED, f"{subject} is stopped")
    return _cancel(workload, stopped, current_time, rules) if queue.is_stopped else None


def _cancel(workload: Workload, blocker: QueueBlocker, current_time: float, rules: WorkloadRules) -> Decision:
    reason = rules.unreserved_reason(blocker.cause, INADMISSIBLE)
    draft = release.give_back(StatusDraft.of(workload, current_time), reason, blocker.message, rules)
    return Decision(write=ApplyStatus(draft.status), metrics=metrics.eviction_latency(workload, current_time))
