"""Wrong about the write that changes the list of checks:
what else is in it, and what is told of it (AC-359).
"""

from dataclasses import replace

from reference_impl.kueue.workload import verdicts
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import RecordedEvent
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong


@wrong((verdicts, "sync_checks"))
def writes_more_than_the_list(sync_checks, workload, world, current_time, rules):
    """Breaks AC-359: says something else with a change of the list;
    ADM-449[admitted-workload] should catch it.
    """
    decided = sync_checks(workload, world, current_time, rules)
    if decided is None:
        return None
    condition = Condition("Requeued", True, "ChecksChanged", "The checks have changed")
    draft = StatusDraft(decided.write.status, workload.generation, current_time).set(condition)
    return replace(decided, write=replace(decided.write, status=draft.status))


@wrong((verdicts, "sync_checks"))
def tells_of_every_change_of_the_list(sync_checks, *args):
    """Breaks AC-359: emits an event for a change of the list; ADM-449 should catch it."""
    decided = sync_checks(*args)
    return decided and replace(
        decided, events=(RecordedEvent("Normal", "ChecksChanged", "The checks have changed"),)
    )


@wrong((verdicts, "sync_checks"))
def words_the_reservation_anew_with_the_list(sync_checks, workload, world, current_time, rules):
    """Breaks AC-359: writes the text of the reservation again
    with a change of the list; ADM-449 should catch it.
    """
    decided = sync_checks(workload, world, current_time, rules)
    if decided is None or not workload.has_quota_reservation:
        return decided
    condition = Condition("QuotaReserved", True, "QuotaReserved", "The checks have changed")
    draft = StatusDraft(decided.write.status, workload.generation, current_time).set(condition)
    return replace(decided, write=replace(decided.write, status=draft.status))
