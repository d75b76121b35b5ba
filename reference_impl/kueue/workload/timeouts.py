"""Rules about time: pods that are not ready in time, and jobs that run too long.

The end of step R11 of admission.md §2.5: AC-315…317, AC-347, Q-341, Q-346.
"""

from __future__ import annotations

from . import backoff, messages
from . import conditions as c
from .conditions import Condition
from .decision import WARNING, ApplyStatus, Decision, RecordedEvent
from .draft import StatusDraft
from .rules import Eviction, PodsReady, WorkloadRules
from .view import Workload
from .workload_context import WorkloadContext


def pods_ready_left(workload: Workload, current_time: float, rules: WorkloadRules) -> float | None:
    """Return the seconds left for the pods to become ready, None when there is no time-out."""
    policy = rules.pods_ready_of(workload, rules.pods_ready)
    if policy is None or not workload.is_admitted or not workload.is_active or workload.is_evicted:
        return None
    ready = workload.condition(c.PODS_READY)
    # Kueue counts from admission until the pods were ready once; afterwards from when
    # they stopped being so.
    if ready is None or ready["reason"] == "WaitForStart":
        return workload.since(c.ADMITTED) + policy.timeout - current_time
    if ready["status"] == "True" or policy.recovery_timeout is None:
        return None
    return workload.since(c.PODS_READY) + policy.recovery_timeout - current_time


def pods_ready_expired(workload: Workload, current_time: float, rules: WorkloadRules) -> PodsReady | None:
    """Return the limits of a Workload whose pods have had their time; None while some is left."""
    remaining_seconds = pods_ready_left(workload, current_time, rules)
    if remaining_seconds is None or remaining_seconds > 0:
        return None
    return rules.pods_ready_of(workload, rules.pods_ready)


def pods_ready_timeout(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Evict with a growing delay, or give up after too many attempts (AC-315, AC-316)."""
    policy = pods_ready_expired(workload, current_time, rules)
    if policy is None:
        return None
    if is_exhausted(workload, policy):
        reason = "RequeuingLimitExceeded"
        target = Condition(c.DEACTIVATION_TARGET, True, reason, messages.REQUEUING_LIMIT_EXCEEDED)
        return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(target).status))
    ready = workload.condition(c.PODS_READY)
    cause = ready["reason"] if ready else "WaitForStart"
    why = Eviction("PodsReadyTimeout", messages.pods_ready_timeout(workload.key), cause=cause)
    return rules.evict(workload, _one_more_attempt(workload, current_time, policy), why, rules)


def _attempts(workload: Workload) -> int:
    return int((workload.status.get("requeueState") or {}).get("count") or 0)


def is_exhausted(workload: Workload, policy: PodsReady) -> bool:
    """Tell whether no attempt is left (AC-316)."""
    # The attempt that would begin now counts too.
    return policy.backoff_limit is not None and _attempts(workload) + 1 > policy.backoff_limit


def _one_more_attempt(workload: Workload, current_time: float, policy: PodsReady) -> StatusDraft:
    count = _attempts(workload) + 1
    due = current_time + backoff.delay(count, base=policy.backoff_base, limit=policy.backoff_max)
    # A check may have asked for a longer wait in the same moment.
    draft = StatusDraft.of(workload, current_time).requeue_at(max(due, workload.requeue_at or 0))
    return draft.put("requeueState", {**draft.status["requeueState"], "count": count})


def execution_left(workload: Workload, current_time: float) -> float | None:
    """Return the seconds it may still run, None when there is no limit."""
    limit = workload.spec.get("maximumExecutionTimeSeconds")
    if limit is None or not workload.is_admitted:
        return None
    past = workload.status.get("accumulatedPastExecutionTimeSeconds") or 0
    return float(limit - past - (current_time - workload.since(c.ADMITTED)))


def execution_timeout(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Mark for deactivation what ran too long, also while it is being evicted for that (AC-317, C-02)."""
    remaining_seconds = execution_left(workload, current_time)
    if remaining_seconds is None or remaining_seconds > 0 or workload.is_true(c.DEACTIVATION_TARGET):
        return None
    reason = "MaximumExecutionTimeExceeded"
    target = Condition(c.DEACTIVATION_TARGET, True, reason, messages.EXECUTION_TIME_EXCEEDED)
    # An activation by a user starts a new budget.
    draft = StatusDraft.of(workload, current_time).set(target).drop("accumulatedPastExecutionTimeSeconds")
    note = messages.execution_time_note(workload.spec["maximumExecutionTimeSeconds"])
    return Decision(write=ApplyStatus(draft.status), events=(RecordedEvent(WARNING, reason, note),))


def execution_timeout_once(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Mark it once only: an evicted Workload is on its way out already (C-02, fixed)."""
    return None if workload.is_evicted else execution_timeout(workload, world, current_time, rules)


def next_deadline(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Come back when the next of these times is up."""
    if not workload.has_quota_reservation:
        return None
    lefts = (pods_ready_left(workload, current_time, rules), execution_left(workload, current_time))
    # What is over already was decided by the rules before this one.
    ahead = [seconds for seconds in lefts if seconds is not None and seconds > 0]
    return Decision(again_after=min(ahead)) if ahead else None
