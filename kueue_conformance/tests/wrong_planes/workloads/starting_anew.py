"""Wrong about what was there before the control plane: reservations, delays, and what changed without it
(AC-241, AC-288, AC-328).
"""

from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.workload import activity
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.triggers import Triggers

from ...killing.planes import wrong


@wrong((QueueManager, "workload"))
def counts_only_what_it_has_reserved_itself(right, queue_manager, old, new):
    """Breaks AC-241: does not count what held quota before it was there; ADM-551 must catch it."""
    if old is not None or new is None or not new.has_counted_quota:
        right(queue_manager, old, new)


@wrong((activity, "retry_delay"))
def begins_a_delay_with_each_look(_, workload, world, current_time, rules):
    """Breaks AC-288: counts a delay from when it was last looked at; ADM-552 must catch it."""
    requeue_after_secondses = [
        entry["requeueAfterSeconds"]
        for entry in workload.checks.in_state("Retry")
        if "requeueAfterSeconds" in entry
    ]
    if not requeue_after_secondses or (workload.requeue_at or 0) >= current_time + max(
        requeue_after_secondses
    ):
        return None
    return Decision(
        write=ApplyStatus(
            StatusDraft.of(workload, current_time)
            .requeue_at(current_time + max(requeue_after_secondses))
            .status
        )
    )


@wrong((Triggers, "on_workload"))
def looks_only_at_what_it_has_seen_change(right, triggers, old, new):
    """Breaks AC-328: does not look at a Workload that had conditions when it began; ADM-553 must catch it."""
    if old is not None or not (new.get("status") or {}).get("conditions"):
        right(triggers, old, new)
