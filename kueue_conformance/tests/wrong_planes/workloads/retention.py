"""Wrong about Workloads that are Finished and are kept for a time only (AC-320)."""

from dataclasses import replace

from reference_impl.kueue.workload import activity

from ...killing.planes import wrong


@wrong((activity, "rest_when_finished"))
def keeps_what_is_finished_for_ever(finished, workload, world, current_time, rules):
    """Breaks AC-320: deletes no Finished Workload when its time is over; ADM-633 must catch it."""
    return finished(workload, world, current_time, replace(rules, retention=None))


@wrong((activity, "rest_when_finished"))
def deletes_what_is_finished_at_once(finished, workload, world, current_time, rules):
    """Breaks AC-320: deletes a Finished Workload before its time is over; ADM-633 must catch it."""
    return finished(
        workload, world, current_time, rules if rules.retention is None else replace(rules, retention=0.0)
    )


@wrong((activity, "rest_when_finished"))
def deletes_what_is_finished_without_a_word(finished, workload, world, current_time, rules):
    """Breaks EV-024: emits no event when it deletes a Finished Workload; ADM-634 may catch it."""
    decision = finished(workload, world, current_time, rules)
    return decision and replace(decision, events=())
