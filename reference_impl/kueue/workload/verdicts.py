"""Rules about the answers of the check controllers: list them, admit, send back, give up.

Steps R9–R11 of admission.md §2.5: AC-280, AC-285, AC-287, AC-291, AC-350…359, Q-312…318, Q-328, Q-329.
"""

from __future__ import annotations

from reference_impl.kueue.checks.entries import REJECTED, RETRY

from . import conditions as c
from . import messages, metrics
from .conditions import Condition
from .decision import NORMAL, WARNING, ApplyStatus, Decision, RecordedEvent, ReplaceStatus
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .view import Workload
from .workload_context import WorkloadContext


def sync_checks(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Bring the list in line with what the ClusterQueue asks, also while admitted (AC-350…359, AC-376)."""
    # Without its ClusterQueue nothing says which checks are required: the list stays as
    # it is.
    if world.cluster_queue is None:
        return None
    # Before a reservation no flavor is known, so only checks for all flavors are
    # listed.
    used = None if workload.admission is None else workload.used_flavors
    checks = workload.checks
    synced = checks.sync(rules.required_checks(world.check_rules, world.flavors, used), current_time)
    # `sync` returns the same object when nothing changes: no write, hence no event and
    # no next pass.
    if synced is checks:
        return None
    # By PUT: an apply could not remove an entry that its controller owns too (AC-349).
    return Decision(write=ReplaceStatus(StatusDraft.of(workload, current_time).with_checks(synced).status))


def admit(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Admit a reserved Workload once every check is Ready; quota is not checked again (AC-285, R-01)."""
    if workload.is_admitted:
        return None
    draft = rules.sync_admitted(StatusDraft.of(workload, current_time), rules.admitted_reasons)
    if not draft.is_true(c.ADMITTED):
        return None
    waited = current_time - workload.since(c.QUOTA_RESERVED)
    note = RecordedEvent(
        NORMAL, "Admitted", messages.admission_note(metrics.cluster_queue_of(workload), waited)
    )
    samples = metrics.admission(workload, current_time, waited)
    return Decision(write=ApplyStatus(draft.status), events=(note,), metrics=samples)


def mark_rejected(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Mark a Workload with a Rejected check for deactivation; Rejected wins over any Retry (AC-291)."""
    # Without a reservation nothing is evicted: the Workload is only kept out of the
    # cycle (C-01).
    return _mark(workload, current_time, rules) if _may_leave(workload) else None


def mark_rejected_during_eviction(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Mark a Workload with a Rejected check for deactivation also during an eviction, as v0.19.3 does
    (BUG-157, fixed).
    """
    # The eviction began before the mark, and removes neither it nor the answer: Kueue deactivates such a
    # Workload again when a user activates it.
    if workload.is_true(c.DEACTIVATION_TARGET) or not workload.has_quota_reservation:
        return None
    return _mark(workload, current_time, rules)


def _mark(workload: Workload, current_time: float, rules: WorkloadRules) -> Decision | None:
    refused = workload.checks.in_state(REJECTED)
    if not refused:
        return None
    target = Condition(c.DEACTIVATION_TARGET, True, "AdmissionCheck", messages.checks_in_state(refused))
    note = RecordedEvent(WARNING, "AdmissionCheckRejected", rules.rejection_note(refused))
    return Decision(
        write=ApplyStatus(StatusDraft.of(workload, current_time).set(target).status), events=(note,)
    )


def evict_retried(
    workload: Workload, _world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Evict a Workload with a check in Retry (AC-287)."""
    retries = workload.checks.in_state(RETRY)
    if not retries or not _may_leave(workload):
        return None
    why = Eviction("AdmissionCheck", rules.retry_message(retries))
    return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)


def _may_leave(workload: Workload) -> bool:
    return workload.has_quota_reservation and not workload.is_evicted
