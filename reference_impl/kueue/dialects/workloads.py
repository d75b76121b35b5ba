"""The rules of the Workload state machine, by release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ...api.crds.pruning import workload_status
from ...api.releases import Row, by_release, version_text
from ..checks import rules as checks
from ..checks.entries import Checks
from ..workload import (
    activity,
    admitted,
    eviction,
    kep,
    messages,
    metrics,
    notes,
    queue_state,
    release,
    timeouts,
    verdicts,
)
from ..workload import legacy_v0_6 as legacy_workload
from ..workload.rules import AdmittedReasons, PodsReady, TransitionRule, WorkloadRules, keep_status
from ..workload.transitions import ORDER

STATUS_CHANGES: Final = ((0, 6), (0, 7), (0, 9), (0, 12), (0, 13), (0, 15), (0, 17))
"""Lines whose schema of a Workload's status has fields that the one before lacks (AC-220)."""
V0_6_WORKLOAD_ORDER: Final[tuple[TransitionRule, ...]] = (
    activity.rest_when_finished,
    verdicts.sync_checks,
    verdicts.admit,
    legacy_workload.negative,
    queue_state.cluster_queue_state,
    legacy_workload.deactivate_exhausted,
    timeouts.pods_ready_timeout,
    activity.backoff_running,
    activity.backoff_over,
    legacy_workload.finish_rejected,
    queue_state.explain_block,
    timeouts.next_deadline,
)


def swap(
    order: tuple[TransitionRule, ...], swaps: Mapping[TransitionRule, tuple[TransitionRule, ...]]
) -> tuple[TransitionRule, ...]:
    """Return an order in which members are replaced, by none or by several."""
    return tuple(new for rule in order for new in swaps.get(rule, (rule,)))


def finishing(rules: WorkloadRules) -> WorkloadRules:
    """Return the rules under which a rejected Workload gives its
    quota back and is finished then, as in v0.6 (AC-483, D-08).
    """
    order = swap(
        rules.order,
        {
            activity.rest_when_finished: (activity.rest_when_finished, legacy_workload.finish_rejected),
            verdicts.mark_rejected: (legacy_workload.negative,),
            verdicts.mark_rejected_during_eviction: (legacy_workload.negative,),
        },
    )
    return replace(rules, order=order, reset_checks_on_retry=kep.keep_negative)


V0_14_WORKLOAD_ORDER: Final = swap(
    ORDER,
    {
        activity.backoff_running: (legacy_workload.backoff_of_evicted,),
        activity.backoff_over: (legacy_workload.backoff_over_in_any_queue,),
    },
)
V0_9_WORKLOAD_ORDER: Final = swap(
    V0_14_WORKLOAD_ORDER,
    {
        activity.retry_delay: (),
        verdicts.mark_rejected: (legacy_workload.deactivate_rejected,),
    },
)
V0_8_WORKLOAD_ORDER: Final = swap(V0_9_WORKLOAD_ORDER, {timeouts.execution_timeout: ()})


def _admitted_reasons(lacking: str) -> AdmittedReasons:
    return AdmittedReasons(
        no_reservation=("NoReservation", messages.NO_RESERVATION),
        unsatisfied=(lacking, messages.UNSATISFIED),
        no_reservation_unsatisfied=(f"NoReservation{lacking}", messages.NO_RESERVATION_UNSATISFIED),
    )


WORKLOAD: Final = WorkloadRules(
    order=by_release(
        Row("AC-280…346", (0, 6), V0_6_WORKLOAD_ORDER),
        Row("D-08", (0, 8), V0_8_WORKLOAD_ORDER),
        Row("AC-317", (0, 9), V0_9_WORKLOAD_ORDER),
        Row("AC-291", (0, 10), V0_14_WORKLOAD_ORDER),
        Row("C-23", (0, 15), ORDER),
    ),
    required_checks=by_release(
        Row("AC-355", (0, 6), checks.all_listed), Row("AC-350", (0, 7), checks.checks_for_flavors)
    ),
    reset_checks=by_release(Row("D-11", (0, 6), Checks.keep), Row("D-11", (0, 9), Checks.reset)),
    reset_checks_on_retry=by_release(Row("D-11", (0, 6), Checks.keep), Row("D-11", (0, 9), Checks.reset)),
    evict=by_release(Row("AC-346", (0, 6), eviction.evict_silently), Row("AC-342", (0, 8), eviction.evict)),
    release=by_release(
        Row("AC-221", (0, 6), release.without_requeued), Row("AC-268", (0, 7), release.after_eviction)
    ),
    retry_message=by_release(
        Row("D-06", (0, 6), messages.retry_unnamed), Row("D-06", (0, 18), messages.retry)
    ),
    rejection_note=by_release(
        Row("D-09", (0, 6), messages.rejection_note_of_first),
        Row("D-09", (0, 18), messages.rejection_note),
    ),
    deactivation=by_release(
        Row("D-10", (0, 6), activity.inactive_workload), Row("D-10", (0, 10), activity.due_to_target)
    ),
    is_requeued_on_activation=by_release(
        Row("D-10", (0, 6), activity.is_inactive_workload),
        Row("AC-295", (0, 10), activity.is_deactivated_exactly),
    ),
    pods_ready=by_release(Row("Q-517", (0, 6), None), Row("Q-517", (0, 19), PodsReady())),
    prune_status=by_release(
        *(Row("AC-220", line, workload_status(version_text((*line, 0)))) for line in STATUS_CHANGES),
        Row("AC-220", (0, 19), keep_status),
    ),
    measure_finished=by_release(
        Row("MT-014", (0, 6), metrics.count_finished),
        Row("KV-28", ("0.20.0-devel",), metrics.measure_finished),
    ),
    format_note=by_release(Row("AC-383", (0, 6), notes.print_without_operands)),
    sync_admitted=by_release(Row("AC-264", (0, 6), admitted.sync)),
    admitted_reasons=by_release(
        Row("D-18", (0, 6), _admitted_reasons("NoChecks")),
        Row("D-18", (0, 7), _admitted_reasons("UnsatisfiedChecks")),
    ),
)
"""The rules of the Workload state machine."""
