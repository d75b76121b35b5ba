"""Rules about being active: orphans, the delay of a Retry, deactivation, back-off and requeueing.

Steps R2–R6 of admission.md §2.5: AC-288…297, AC-320…323, Q-332, Q-340, Q-345.
"""

from __future__ import annotations

from typing import Final

from reference_impl.api import objects
from reference_impl.api.resource import Json
from reference_impl.kueue.checks.entries import RETRY

from . import conditions as c
from . import messages
from .conditions import Condition
from .decision import NORMAL, REST, ApplyStatus, Decision, Delete, MergeStatus, RecordedEvent, ReplaceObject
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .view import JOB_UID_LABEL, Workload
from .workload_context import WorkloadContext

FINALIZER: Final = "kueue.x-k8s.io/resource-in-use"
BACKING_OFF: Final = frozenset({"AdmissionCheck", "PodsReadyTimeout"})


def finish_orphan(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Finish a Workload that was made for a job which is gone, then let it go (AC-297)."""
    labels = workload.metadata.get("labels") or {}
    # A Workload that a user made for itself has no such label: it waits for nobody and
    # stays.
    if workload.metadata.get("ownerReferences") or JOB_UID_LABEL not in labels or workload.is_deleting:
        return None
    if not workload.is_finished:
        done = Condition(c.FINISHED, True, "OwnerNotFound", messages.OWNER_NOT_FOUND)
        return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(done).status))
    if FINALIZER in workload.metadata.get("finalizers", ()):
        return Decision(write=ReplaceObject(without_finalizer(workload.object)))
    return None


def without_finalizer(obj: Json) -> Json:
    """Return the object without Kueue's finalizer."""
    metadata = obj["metadata"]
    remaining = [name for name in metadata.get("finalizers") or () if name != FINALIZER]
    return {**obj, "metadata": {**metadata, "finalizers": remaining}}


def rest_when_finished(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Leave a finished Workload alone, until its time is over if it is kept for a time only (AC-320)."""
    if not workload.is_finished:
        return None
    if rules.retention is None or workload.is_deleting:
        return REST
    remaining_seconds = workload.since(c.FINISHED) + rules.retention - current_time
    if remaining_seconds > 0:
        return Decision(again_after=remaining_seconds)
    return Decision(write=Delete(), events=(RecordedEvent(NORMAL, "Deleted", messages.RETENTION_ELAPSED),))


def retry_delay(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Write until when a Retry asks to wait, if that is later than the known time (AC-288, AC-321, Q-340)."""
    deadline = workload.checks.retry_deadline()
    # Never earlier than what stands there: PodsReady back-off writes the same field,
    # and the longer wait wins.
    if deadline is None or deadline <= current_time or deadline <= (workload.requeue_at or 0):
        return None
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).requeue_at(deadline).status))


def deactivate(
    workload: Workload, _world: WorkloadContext, _current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Deactivate a Workload that is marked for it (AC-292)."""
    if not workload.is_active or not workload.is_true(c.DEACTIVATION_TARGET):
        return None
    return deactivation(workload)


def deactivation(workload: Workload) -> Decision:
    """Decide to write `spec.active: false`."""
    return Decision(write=ReplaceObject({**workload.object, "spec": {**workload.spec, "active": False}}))


def backoff_running(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Do nothing else until the back-off is over: this defers an eviction (AC-288, AC-322 b, T-22)."""
    if not workload.is_active or workload.requeue_at is None or workload.requeue_at <= current_time:
        return None
    # Kueue returns here before the eviction below it in the order: a Workload that is
    # deactivated during a back-off is evicted only when that is over (T-22).
    return Decision(again_after=workload.requeue_at - current_time)


def backoff_running_without_quota(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Wait only where quota was given back: a delay postpones the next reservation, and no eviction
    (D-07, fixed).
    """
    if workload.has_quota_reservation:
        return None
    return backoff_running(workload, world, current_time, rules)


def backoff_running_unless_ready(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Wait no longer once every check says Ready: nothing asks for the back-off any more (PC-04, fixed)."""
    if workload.has_quota_reservation and workload.checks.names and workload.checks.are_all_ready:
        return None
    return backoff_running(workload, world, current_time, rules)


def backoff_over(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Forget a back-off that is over and queue the Workload again (AC-322 c, C-24)."""
    if not workload.is_active or workload.requeue_at is None or workload.has_quota_reservation:
        return None
    # Queued before the write, as Kueue does: where the LocalQueue is gone, queueing
    # fails, and the write is never made (C-23).
    return Decision(write=ApplyStatus(_requeue(workload, current_time).status), requeue=True)


def backoff_over_or_withdrawn(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Forget it also when it kept a reservation because the Retry was withdrawn (C-24, fixed)."""
    due = workload.requeue_at is not None and workload.requeue_at <= current_time
    if due and workload.has_quota_reservation and workload.is_active and not workload.checks.in_state(RETRY):
        return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).requeue_at(None).status))
    return backoff_over(workload, world, current_time, rules)


def _requeue(workload: Workload, current_time: float) -> StatusDraft:
    """Clear the back-off, in the same write as what waited for it (Q-345)."""
    draft = StatusDraft.of(workload, current_time).requeue_at(None)
    # Other reasons for Requeued=False have rules of their own, further down the order.
    if workload.requeue_reason not in BACKING_OFF:
        return draft
    return draft.set(Condition(c.REQUEUED, True, "BackoffFinished", messages.BACKOFF_FINISHED))


def requeue_after_backoff(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Let an evicted Workload be queued when it had no back-off to wait for (AC-290)."""
    if not workload.is_active or workload.requeue_reason not in BACKING_OFF:
        return None
    return Decision(write=ApplyStatus(_requeue(workload, current_time).status))


def requeue_reactivated(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Let a Workload be queued that was made active again (AC-295)."""
    if not workload.is_active or not rules.is_requeued_on_activation(workload.requeue_reason):
        return None
    requeued = Condition(c.REQUEUED, True, "Reactivated", messages.REACTIVATED)
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(requeued).status))


def evict_inactive(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Evict what was deactivated, with or without quota; an earlier eviction stands (AC-293, AC-434)."""
    if workload.is_active or workload.is_evicted:
        return None
    target = workload.condition(c.DEACTIVATION_TARGET)
    # The mark has done its work. Left there, it would deactivate again what a user
    # activates.
    draft = StatusDraft.of(workload, current_time).remove(c.DEACTIVATION_TARGET).drop("requeueState")
    return rules.evict(workload, draft, rules.deactivation(target), rules)


def forget_backoff_of_inactive(
    workload: Workload, _world: WorkloadContext, _current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Take `requeueState` away for good: an apply could leave it to another owner (AC-294, AC-349)."""
    if workload.is_active or "requeueState" not in workload.status:
        return None
    # A merge patch removes the field whoever owns it. An apply gives up only what it
    # owns.
    return Decision(write=MergeStatus({"status": {"requeueState": None}}))


def due_to_target(target: objects.Condition | None) -> Eviction:
    """Name the eviction after what marked it (D-10, AC-344)."""
    if target is None:
        return Eviction("Deactivated", messages.DEACTIVATED)
    cause = target["reason"]
    message = messages.deactivation_due_to(target["message"])
    return Eviction(f"DeactivatedDueTo{cause}", message, cause=cause, counted_as="Deactivated")


def inactive_workload(target: objects.Condition | None) -> Eviction:
    """Name it as v0.9 and older did (D-10)."""
    if target is None:
        return Eviction("InactiveWorkload", messages.DEACTIVATED)
    return Eviction(f"InactiveWorkload{target['reason']}", messages.deactivation_due_to(target["message"]))


def is_deactivated_exactly(reason: str) -> bool:
    """Tell whether activating it again is enough: v0.19.2 compares the whole reason (AC-295)."""
    # Go compares with ==, although every other reason has a suffix: `DeactivatedDueTo…`
    # never matches, and a Workload that a check rejected stays blocked.
    return reason == "Deactivated"


def is_deactivated_for_any_reason(reason: str) -> bool:
    """Tell the same by the beginning of the reason, as fixed after v0.19.2 (AC-295)."""
    return reason.startswith("Deactivated")


def is_inactive_workload(reason: str) -> bool:
    """Tell the same in v0.9 and older (D-10)."""
    return reason == "InactiveWorkload"
