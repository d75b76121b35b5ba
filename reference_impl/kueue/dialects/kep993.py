"""KEP-993 as written: what replaces rules of the newest release (admission.md §5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...api import kinds
from ..jobs import ownership
from ..queueing import pending
from ..scheduling import entry
from ..workload import activity, kep, queue_state, timeouts, verdicts
from ..workload.transitions import ORDER
from .rules import Dialect
from .workloads import swap

KEP_ORDER: Final = swap(
    ORDER,
    {
        activity.retry_delay: (),
        activity.requeue_after_backoff: (kep.delay_over, kep.requeue),
        verdicts.sync_checks: (kep.recheck, verdicts.sync_checks, kep.report_preemptions),
        verdicts.admit: (kep.admit,),
        timeouts.pods_ready_timeout: (kep.preempt_victims, timeouts.pods_ready_timeout),
        queue_state.explain_block: (queue_state.explain_block, kep.set_suspended),
        timeouts.next_deadline: (timeouts.next_deadline, kep.next_delay),
    },
)


def replace_rules(dialect: Dialect) -> Dialect:
    """Return a release in which members are replaced by those of the document (admission.md §5)."""
    return replace(
        dialect,
        workload=replace(
            dialect.workload,
            order=KEP_ORDER,
            reset_checks=kep.reset,
            reset_checks_on_retry=kep.keep_retry,
            reserves_before_preemption=True,
            recheck_kinds=(
                kinds.CLUSTER_QUEUES,
                kinds.COHORTS,
                kinds.RESOURCE_FLAVORS,
                kinds.ADMISSION_CHECKS,
            ),
        ),
        # Quota is held for what runs, also while a Job is being deleted (BUG-164).
        jobs=replace(dialect.jobs, is_gone=ownership.is_never_gone),
        # A Retry that Kueue takes back must reach the queue (AC-478).
        pending=replace(dialect.pending, requeue_on_check_change=pending.requeue_on_check_change),
        # Quota is given once, whatever a release did.
        scheduling=replace(dialect.scheduling, process_entry=entry.process_entry_beside_targets),
    )
