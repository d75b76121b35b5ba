"""Rules of releases before v0.10: a refusal ends a Workload directly (D-08, D-09, D-10, AC-337, AC-346)."""

from __future__ import annotations

from dataclasses import replace

from reference_impl.kueue.checks.entries import REJECTED, RETRY

from . import activity, messages, timeouts
from . import conditions as c
from .conditions import Condition
from .decision import NORMAL, WARNING, ApplyCondition, Decision, RecordedEvent
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .view import Workload
from .workload_context import WorkloadContext


def deactivate_rejected(
    workload: Workload, _world: WorkloadContext, _current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Deactivate a Workload with a Rejected check at once: v0.8 and v0.9 marked only what had no attempts
    or no time left.
    """
    refused = workload.checks.in_state(REJECTED)
    if not refused or not workload.has_quota_reservation or workload.is_evicted or not workload.is_active:
        return None
    note = RecordedEvent(WARNING, "AdmissionCheckRejected", rules.rejection_note(refused))
    return Decision(write=activity.deactivation(workload).write, events=(note,))


def deactivate_exhausted(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Deactivate a Workload after its last attempt at once: v0.7 and older had no mark for it (AC-316)."""
    policy = timeouts.pods_ready_expired(workload, current_time, rules)
    if policy is None or not timeouts.is_exhausted(workload, policy):
        return None
    note = RecordedEvent(NORMAL, "InactiveWorkload", messages.attempts_exhausted(workload.key))
    return Decision(write=activity.deactivation(workload).write, events=(note,))


def backoff_over_in_any_queue(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Forget a back-off that is over also where the LocalQueue is stopped or gone: v0.14 and older queued the
    Workload when they saw what was written (C-23).
    """
    decision = activity.backoff_over(workload, world, current_time, rules)
    return decision and replace(decision, requeue=False)


def negative(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Evict for any negative answer: v0.6 made no difference between Retry and Rejected."""
    checks = workload.checks
    negative = (*checks.in_state(RETRY), *checks.in_state(REJECTED))
    if not negative or not workload.has_quota_reservation or workload.is_evicted:
        return None
    why = Eviction("AdmissionCheck", rules.retry_message(negative))
    return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)


def finish_rejected(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Declare a refused Workload finished once it holds nothing: v0.6 (D-08)."""
    refused = workload.checks.in_state(REJECTED)
    if not refused or workload.has_quota_reservation:
        return None
    message = messages.checks_rejected(refused)
    done = Condition(c.FINISHED, True, "AdmissionChecksRejected", message)
    note = RecordedEvent(NORMAL, "WorkloadFinished", message, on="owners")
    return Decision(
        write=ApplyCondition(StatusDraft.of(workload, current_time).set(done).status, c.FINISHED),
        events=(note,),
    )


def backoff_of_evicted(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Wait for the end of a back-off only once the Workload has given its quota back:
    a Retry evicted at once (DK-47, AC-288).
    """
    if workload.requeue_reason not in activity.BACKING_OFF:
        return None
    return activity.backoff_running(workload, world, current_time, rules)
