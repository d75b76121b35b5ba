"""Wrong about two preemptors of one cycle that need the same victim (KV-21): a 0.20 that still skips one of
them, and a 0.19.2 that already assigns it anew.
"""

from dataclasses import replace

from reference_impl.kueue.scheduling import entry as entries
from reference_impl.kueue.scheduling import texts
from reference_impl.kueue.scheduling.booking import Booking
from reference_impl.kueue.scheduling.cycle import Cycle
from reference_impl.kueue.scheduling.scheduler import Scheduler

from ...killing.planes import instead, wrong


@wrong((Cycle, "_assign_anew"), dialect="v0.20")
def still_skips_overlapping_preemptors(_, cycle, entry, *rest):
    """Breaks KV-21: a 0.20 that still skips a Workload whose victims another one has;
    QUE-368 should catch it.
    """
    return entry


@wrong((Cycle, "_assign_anew"), dialect="v0.19")
def assigns_overlapping_preemptors_anew_early(right, cycle, *rest):
    """Breaks KV-21: a 0.19.2 that already assigns such a Workload anew; QUE-074 must catch it."""
    return right(replace(cycle, recomputes_overlaps=True), *rest)


@wrong((Booking, "victims"), dialect="v0.20")
def counts_on_victims_twice(right, booking):
    """Breaks KV-21: counts what the victims of others leave twice, and waits for it;
    QUE-368 should catch it.
    """
    return right(booking) * 2


@wrong((Cycle, "_assign_anew"), dialect="v0.20")
def preempts_more_though_there_is_room(right, cycle, entry, node, booking):
    """Breaks KV-21: preempts others although the victims of the first leave enough; QUE-369 must catch it."""
    assigned = right(cycle, entry, node, booking)
    if not assigned.is_deferred:
        return assigned
    gone = [target.holding.workload.key for target in booking.victims()]
    with cycle.ledger.leaving_out(gone):
        return replace(cycle._assign(entry.head, entry.spec, node), displaced=entry.displaced)


@wrong((Booking, "claim"), dialect="v0.20")
def gives_away_what_is_waited_for(right, booking, node, usage, targets):
    """Breaks KV-21: gives away what a Workload waits for whose victims another one has;
    QUE-370 should catch it.
    """
    if targets:
        right(booking, node, usage, targets)


@wrong((Cycle, "_judge"), dialect="v0.20")
def goes_on_with_the_next_flavor(right, cycle, entry, node, booking):
    """Breaks KV-21: remembers the flavor of a Workload whose victims another one has, and tries the next;
    QUE-372 should catch it.
    """
    verdict = right(cycle, entry, node, booking)
    if not entry.is_deferred:
        return verdict
    return replace(verdict, last_assignment=entry.last_assignment(node.generation))


instead(
    texts,
    "FITS_AFTER_PREEMPTIONS",
    texts.OVERLAPPING_TARGETS,
    "Breaks KV-21: does not say that a Workload will fit when the victims have left; QUE-371 may catch it.",
    called="does_not_say_that_it_will_fit",
    dialect="v0.20",
)


@wrong((Scheduler, "_count_recomputations"), dialect="v0.20")
def still_counts_no_new_assignments(_, _scheduler, _verdicts):
    """Breaks KV-28: a 0.20 that still counts no heads that are assigned anew; QUE-373 may catch it."""


@wrong((entries, "with_recomputation"), dialect="v0.20")
def counts_what_waits_for_the_victims_of_others_as_skipped(right, verdict, entry):
    """Breaks KV-28: counts as skipped what will fit when the victims of others have left;
    QUE-373 may catch it.
    """
    return right(verdict, replace(entry, is_deferred=False))


@wrong((Cycle, "_assign_anew"), dialect="v0.20")
def counts_every_preemptor_as_assigned_anew(right, cycle, entry, *rest):
    """Breaks KV-28: counts heads as assigned anew that share no victim; QUE-373 may catch it."""
    assigned = right(cycle, entry, *rest)
    return replace(assigned) if assigned.targets else assigned
