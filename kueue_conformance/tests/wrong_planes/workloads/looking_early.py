"""Wrong when it looks at a Workload before its time:
what is over in a minute is taken for over (AC-288, AC-315, AC-317).
"""

from dataclasses import replace

from reference_impl.kueue.workload import activity, metrics, timeouts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.decision import ApplyStatus
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong

MINUTE = 60.0


@wrong((timeouts, "execution_timeout"))
def ends_the_time_of_a_workload_a_minute_early(right, workload, world, current_time, rules):
    """Breaks AC-317: deactivates a Workload that it looks at
    in the last minute of its time; ADM-069 must catch it.
    """
    return right(workload, world, current_time + MINUTE, rules)


@wrong((timeouts, "execution_left"))
def counts_only_the_time_of_this_attempt_in_the_end(right, workload, current_time):
    """Breaks AC-129: forgets what ran before when less than a minute is left; ADM-371 must catch it."""
    result = right(workload, current_time)
    return result if result is None or result > MINUTE else result - MINUTE


@wrong((timeouts, "pods_ready_timeout"))
def gives_pods_a_minute_less(right, workload, world, current_time, rules):
    """Breaks AC-315: evicts a Workload that it looks at in the last minute of the time for its pods; ADM-130
    must catch it.
    """
    return right(workload, world, current_time + MINUTE, rules)


@wrong((activity, "backoff_running"))
def ends_a_wait_a_minute_early(right, workload, world, current_time, rules):
    """Breaks AC-322: queues a Workload that it looks at in
    the last minute of its wait; ADM-364 must catch it.
    """
    return (
        right(workload, world, current_time, rules)
        if (workload.requeue_at or 0) > current_time + MINUTE
        else None
    )


@wrong((timeouts, "execution_timeout"))
def remembers_what_ran_before(right, workload, world, current_time, rules):
    """Breaks AC-317: keeps the time of earlier attempts when all of it is over; ADM-557 may catch it."""
    done = right(workload, world, current_time, rules)
    past = workload.status.get("accumulatedPastExecutionTimeSeconds")
    if done is None or past is None:
        return done
    return replace(
        done, write=ApplyStatus({**done.write.status, "accumulatedPastExecutionTimeSeconds": past})
    )


@wrong((timeouts, "pods_ready_left"))
def waits_for_pods_of_what_is_evicted(right, workload, current_time, rules):
    """Breaks AC-341: evicts an evicted Workload again whose pods do not come; ADM-558 should catch it."""
    conditions = [condition for condition in workload.conditions if condition["type"] != c.EVICTED]
    return right(
        Workload({**workload.object, "status": {**workload.status, "conditions": conditions}}),
        current_time,
        rules,
    )


@wrong((activity, "requeue_after_backoff"))
def queues_what_is_switched_off(right, workload, world, current_time, rules):
    """Breaks AC-290: calls a deactivated Workload queued again; ADM-131 should catch it."""
    active = Workload({**workload.object, "spec": {**workload.spec, "active": True}})
    return right(active, world, current_time, rules)


@wrong((metrics, "admission"))
def measures_the_wait_for_checks_from_the_beginning(right, workload, current_time, checks_waited):
    """Breaks AC-392: counts the wait for quota as one for checks; ADM-559 should catch it."""
    return right(workload, current_time, None if checks_waited is None else current_time - workload.created)
