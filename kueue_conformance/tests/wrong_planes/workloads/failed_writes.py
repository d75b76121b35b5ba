"""Wrong about writes that fail or come late: who is told of them,
and what is tried again (Q-234, Q-290, Q-292).
"""

from reference_impl.kueue.scheduling import texts
from reference_impl.kueue.scheduling.evictions import Evictions, SchedulerWrites
from reference_impl.kueue.scheduling.outcomes import OutcomeWriter

from ...killing.planes import instead, wrong


@wrong((OutcomeWriter, "_handle_failure"))
async def counts_vain_reservations(right, writer, outcome, error):
    """Breaks S-014: counts and reports a reservation whose write failed; QUE-262 should catch it."""
    if outcome.is_reservation:
        writer._report(outcome, outcome.workload.object)
    return await right(writer, outcome, error)


@wrong((OutcomeWriter, "_read_back"))
async def gives_up_what_was_not_written(_, writer, outcome, *, refused=False):
    """Breaks Q-234: takes a reservation whose write failed for written; QUE-262 should catch it."""


@wrong((Evictions, "_evict"))
async def takes_evictions_for_written(right, evictions, issued, newest):
    """Breaks Q-290: waits for a victim whose eviction could not be written; QUE-263 must catch it."""
    try:
        await right(evictions, issued, newest)
    except Exception:  # noqa: BLE001 - that is what is wrong with it
        return


@wrong((SchedulerWrites, "reconcile"))
async def loses_evictions_behind_a_reservation(right, writes, key):
    """Breaks Q-292: drops the eviction of a Workload whose
    reservation is still being written; QUE-264 must catch it.
    """
    outcome = writes.writer._outcomes.get(key)
    if outcome is None or not outcome.is_reservation:
        return await right(writes, key)
    reconcile = await writes.writer.reconcile(key)
    writes.evictions._issued.pop(key, None)
    return reconcile


instead(
    texts,
    "preemption_failed",
    texts.pending_preemption,
    "Breaks M-027: says that it waits for victims that were not evicted; QUE-265 may catch it.",
    called="waits_for_victims_nobody_told",
)
