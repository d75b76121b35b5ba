"""Rules about the queues around a Workload: missing, inactive, stopped, drained, started again, and the gate.

Steps R7–R11 of admission.md §2.5: AC-253, AC-254, AC-256, AC-281, AC-299…307, Q-320…327, Q-350.
"""

from __future__ import annotations

from typing import Final

from . import conditions as c
from . import messages, metrics, release
from .conditions import Condition
from .decision import NORMAL, ApplyStatus, Decision, RecordedEvent
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .view import GATED, Workload
from .workload_context import QueueView, WorkloadContext

INADMISSIBLE: Final = "Inadmissible"


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
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Say that the gate is open; from now on it may be queued (AC-256)."""
    if workload.gates or not workload.is_reported_gated:
        return None
    waiting = Condition(c.QUOTA_RESERVED, False, "Pending", messages.GATE_CLEARED)
    note = RecordedEvent(NORMAL, "AdmissionGateCleared", messages.GATE_CLEARED_NOTE)
    return Decision(
        write=ApplyStatus(StatusDraft.of(workload, current_time).set(waiting).status), events=(note,)
    )


def explain_block(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Say why no queue can take it (AC-253, AC-281, Q-320); a gate has been named instead of a queue."""
    if workload.has_quota_reservation or workload.is_admitted or workload.gates:
        return None
    message = _blocker(workload, world)
    if not message:
        return None
    draft = StatusDraft.of(workload, current_time).set(
        Condition(c.QUOTA_RESERVED, False, INADMISSIBLE, message)
    )
    # Compared before the write: an apply without a change brings no event, but costs a
    # request each pass.
    return None if draft.conditions == workload.conditions else Decision(write=ApplyStatus(draft.status))


def _blocker(workload: Workload, world: WorkloadContext) -> str:
    if world.local_queue is None:
        return f"LocalQueue {workload.queue_name} doesn't exist"
    if world.local_queue.is_stopped:
        return f"LocalQueue {workload.queue_name} is inactive"
    if not world.is_queue_known:
        return f"ClusterQueue {world.cluster_queue_name} doesn't exist"
    if not world.is_cluster_queue_active:
        return f"ClusterQueue {world.cluster_queue_name} is inactive"
    return ""


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
        return _cancel(workload, f"{subject} is terminating or missing", current_time, rules)
    return _cancel(workload, f"{subject} is stopped", current_time, rules) if queue.is_stopped else None


def _cancel(workload: Workload, message: str, current_time: float, rules: WorkloadRules) -> Decision:
    draft = release.give_back(StatusDraft.of(workload, current_time), INADMISSIBLE, message, rules)
    return Decision(write=ApplyStatus(draft.status), metrics=metrics.eviction_latency(workload, current_time))
