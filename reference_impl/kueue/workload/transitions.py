"""The evaluation order of the Workload reconciler: the first rule with something to do ends the pass.

AC-320…327 with scheduling.md Q-310 for v0.19. At most one write per pass; its event starts the next one.
"""

from __future__ import annotations

from typing import Final

from reference_impl.kueue.checks import rules as checks
from reference_impl.kueue.checks.entries import Checks

from . import activity, admitted, eviction, messages, metrics, notes, queue_state, release, timeouts, verdicts
from .decision import REST, Decision
from .rules import AdmittedReasons, TransitionRule, WorkloadRules
from .view import Workload
from .workload_context import WorkloadContext

# The order is Kueue's reconcile, top to bottom: it returns after its first write, so
# each rule sees a Workload for which no rule above it had anything to do. AC-320…327
# name the places where that shows.
ORDER: Final[tuple[TransitionRule, ...]] = (
    activity.finish_orphan,
    activity.rest_when_finished,
    activity.retry_delay,
    activity.deactivate,
    activity.backoff_running,
    activity.backoff_over,
    activity.requeue_reactivated,
    activity.requeue_after_backoff,
    activity.evict_inactive,
    activity.forget_backoff_of_inactive,
    queue_state.local_queue_restarted,
    queue_state.give_back_gated,
    queue_state.gate_cleared,
    queue_state.cluster_queue_restarted,
    verdicts.sync_checks,
    queue_state.explain_block,
    verdicts.admit,
    verdicts.mark_rejected,
    verdicts.evict_retried,
    queue_state.local_queue_state,
    queue_state.cluster_queue_state,
    timeouts.pods_ready_timeout,
    timeouts.execution_timeout,
    timeouts.next_deadline,
)

V0_19: Final = WorkloadRules(
    order=ORDER,
    required_checks=checks.checks_for_flavors,
    reset_checks=Checks.reset,
    reset_checks_on_retry=Checks.reset,
    evict=eviction.evict,
    release=release.after_eviction,
    retry_message=messages.retry,
    rejection_note=messages.rejection_note,
    deactivation=activity.due_to_target,
    is_requeued_on_activation=activity.is_deactivated_exactly,
    measure_finished=metrics.count_finished,
    format_note=notes.print_without_operands,
    sync_admitted=admitted.sync,
    admitted_reasons=AdmittedReasons(
        no_reservation=("NoReservation", messages.NO_RESERVATION),
        unsatisfied=("UnsatisfiedChecks", messages.UNSATISFIED),
        no_reservation_unsatisfied=("NoReservationUnsatisfiedChecks", messages.NO_RESERVATION_UNSATISFIED),
    ),
)


def decide(workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules) -> Decision:
    """Return the one thing to do next with a Workload."""
    for rule in rules.order:
        decision = rule(workload, world, current_time, rules)
        if decision is not None:
            return decision
    return REST
