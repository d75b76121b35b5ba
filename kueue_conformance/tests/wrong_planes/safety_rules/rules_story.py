"""Wrong about what follows from what: delays, events,
and what is finished (AC-275, AC-288, AC-320, AC-380).
"""

from dataclasses import replace

from reference_impl.kueue.workload import activity, verdicts
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong

MINUTE = 60


@wrong((activity, "retry_delay"))
def corrects_a_delay_downwards(_, workload, world, current_time, rules):
    """Breaks AC-275: asks for a minute too much, and takes it back;
    rule AC-275 in ADM-041 should catch it.
    """
    deadline = workload.checks.retry_deadline()
    if deadline is None or deadline <= current_time or workload.requeue_at == deadline:
        return None
    first = deadline + MINUTE if workload.requeue_at is None else deadline
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).requeue_at(first).status))


@wrong((StatusDraft, "requeue_at"), (Workload, "requeue_at"))
def promises_a_longer_wait_than_it_keeps(right, self, *when):
    """Breaks AC-288: says requeueAt a minute too late,
    and reserves before it; rule AC-288 in ADM-041 must catch it.
    """
    if not when:
        return right(self) and right(self) - MINUTE
    return self if when[0] is None else right(self, when[0] + MINUTE)


@wrong((activity, "rest_when_finished"))
def counts_on_when_it_is_finished(finished, workload, world, current_time, rules):
    """Breaks AC-320: writes the statistics of a finished Workload when a check objects; rule AC-320 in
    ADM-036 should catch it.
    """
    if not workload.is_finished or not workload.checks.has_negative or workload.status.get("schedulingStats"):
        return finished(workload, world, current_time, rules)
    counted = {"evictions": [{"reason": "AdmissionCheck", "underlyingCause": "", "count": 1}]}
    return Decision(
        write=ApplyStatus(StatusDraft.of(workload, current_time).put("schedulingStats", counted).status)
    )


@wrong((verdicts, "admit"))
def tells_an_admission_twice(admit, *args):
    """Breaks AC-380: emits each event of an admission twice; rule AC-380 in ADM-201 must catch it."""
    decision = admit(*args)
    return decision and replace(decision, events=decision.events * 2)
