"""Wrong about how long pods may take to be ready, and how long a Workload may run (AC-129, AC-315…317)."""

from dataclasses import replace

from reference_impl.kueue.workload import admitted, messages, timeouts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import instead, wrong


def _policy(workload, rules):
    waits = (
        rules.pods_ready is not None
        and workload.is_admitted
        and workload.is_active
        and not workload.is_evicted
    )
    return rules.pods_ready if waits else None


@wrong((timeouts, "pods_ready_left"))
def never_gives_up_on_pods(_, workload, current_time, rules):
    """Breaks AC-315: waits for pods for ever; ADM-130 must catch it."""
    return


@wrong((timeouts, "pods_ready_left"))
def waits_half_as_long_again_for_pods(right, workload, current_time, rules):
    """Breaks AC-315: pods have three quarters of an hour; ADM-130 must catch it."""
    seconds_left = right(workload, current_time, rules)
    return None if seconds_left is None else seconds_left + 900


@wrong((timeouts, "pods_ready_left"))
def waits_a_minute_less_for_pods(right, workload, current_time, rules):
    """Breaks AC-315: pods have a minute less than half an hour; ADM-130 must catch it."""
    seconds_left = right(workload, current_time, rules)
    return None if seconds_left is None else seconds_left - 60


@wrong((timeouts, "pods_ready_left"))
def waits_for_pods_from_the_reservation_on(right, workload, current_time, rules):
    """Breaks AC-315: the wait for a check counts as one for pods; ADM-130 must catch it."""
    seconds_left = right(workload, current_time, rules)
    return (
        None
        if seconds_left is None
        else seconds_left - workload.since(c.ADMITTED) + workload.since(c.QUOTA_RESERVED)
    )


@wrong((timeouts, "pods_ready_left"))
def waits_for_pods_from_the_creation_on(right, workload, current_time, rules):
    """Breaks AC-315: half an hour counts from the creation of the Workload; ADM-130 must catch it."""
    seconds_left = right(workload, current_time, rules)
    return None if seconds_left is None else seconds_left - workload.since(c.ADMITTED) + workload.created


@wrong((timeouts, "pods_ready_left"))
def waits_for_pods_from_when_they_were_told_of(right, workload, current_time, rules):
    """Breaks AC-315: half an hour counts from the condition PodsReady; ADM-130[job] must catch it."""
    seconds_left = right(workload, current_time, rules)
    if seconds_left is None or workload.condition(c.PODS_READY) is None:
        return seconds_left
    return workload.since(c.PODS_READY) + rules.pods_ready.timeout - current_time


@wrong((timeouts, "pods_ready_left"))
def waits_for_pods_that_are_not_told_of_for_ever(right, workload, current_time, rules):
    """Breaks AC-315: without the condition PodsReady nothing is counted; ADM-364 must catch it."""
    return right(workload, current_time, rules) if workload.condition(c.PODS_READY) else None


@wrong((timeouts, "pods_ready_left"))
def gives_up_on_pods_that_are_ready(right, workload, current_time, rules):
    """Breaks AC-315: the status of PodsReady is not read; ADM-366 must catch it."""
    policy = _policy(workload, rules)
    return policy and workload.since(c.ADMITTED) + policy.timeout - current_time


@wrong((timeouts, "pods_ready_left"))
def never_gives_up_on_pods_that_were_ready(right, workload, current_time, rules):
    """Breaks AC-315: pods that fail later are waited for for ever; ADM-367 must catch it."""
    ready = workload.condition(c.PODS_READY)
    return (
        right(workload, current_time, rules) if ready is None or ready["reason"] == "WaitForStart" else None
    )


@wrong((timeouts, "pods_ready_left"))
def counts_a_recovery_from_the_admission(right, workload, current_time, rules):
    """Breaks AC-315: pods that fail late have no time to recover; ADM-367 must catch it."""
    ready, policy = workload.condition(c.PODS_READY), _policy(workload, rules)
    if ready is None or policy is None or ready["reason"] != "WaitForRecovery":
        return right(workload, current_time, rules)
    return workload.since(c.ADMITTED) + policy.timeout - current_time


@wrong((timeouts, "is_exhausted"))
def gives_up_after_the_first_attempt(_, workload, policy):
    """Breaks AC-316: no limit is taken for none; ADM-130 must catch it."""
    return True


@wrong((timeouts, "pods_ready_timeout"))
def names_no_cause_of_missing_pods(right, *args):
    """Breaks AC-315: evictions for pods are counted without what they waited for; ADM-368 may catch it."""
    with_cause = timeouts.Eviction
    timeouts.Eviction = lambda reason, message, **_: with_cause(reason, message)
    try:
        return right(*args)
    finally:
        timeouts.Eviction = with_cause


@wrong((messages, "pods_ready_timeout"))
def does_not_name_the_workload_whose_pods_are_late(_, key):
    """Breaks AC-265: the message of the eviction lacks the Workload; ADM-368 may catch it."""
    return "Exceeded the PodsReady timeout"


@wrong((timeouts, "execution_left"))
def knows_no_execution_time(_, workload, current_time):
    """Breaks AC-317: a Workload may run as long as it likes; ADM-069 must catch it."""
    return


@wrong((timeouts, "execution_left"))
def lets_workloads_run_half_as_long_again(right, workload, current_time):
    """Breaks AC-317: half as much time is added to the limit; ADM-069 must catch it."""
    seconds_left = right(workload, current_time)
    return None if seconds_left is None else seconds_left + workload.spec["maximumExecutionTimeSeconds"] / 2


@wrong((timeouts, "execution_left"))
def stops_workloads_a_minute_early(right, workload, current_time):
    """Breaks AC-317: the limit is a minute less; ADM-069 must catch it."""
    seconds_left = right(workload, current_time)
    return None if seconds_left is None else seconds_left - 60


@wrong((timeouts, "execution_left"))
def does_not_count_what_ran_before(_, workload, current_time):
    """Breaks AC-129: each attempt has the whole time; ADM-371 must catch it."""
    limit = workload.spec.get("maximumExecutionTimeSeconds")
    return limit - (current_time - workload.since(c.ADMITTED)) if limit and workload.is_admitted else None


@wrong((timeouts, "execution_left"))
def adds_what_ran_before_to_the_limit(right, workload, current_time):
    """Breaks AC-129: the time of earlier attempts has the wrong sign; ADM-371 must catch it."""
    remaining, past = (
        right(workload, current_time),
        workload.status.get("accumulatedPastExecutionTimeSeconds") or 0,
    )
    return None if remaining is None else remaining + 2 * past


@wrong((timeouts, "execution_left"))
def counts_the_wait_for_checks_as_execution(right, workload, current_time):
    """Breaks AC-317: time counts from the reservation; ADM-371 must catch it."""
    seconds_left = right(workload, current_time)
    return (
        None
        if seconds_left is None
        else seconds_left - workload.since(c.ADMITTED) + workload.since(c.QUOTA_RESERVED)
    )


@wrong((timeouts, "execution_left"))
def counts_from_the_creation_on(right, workload, current_time):
    """Breaks AC-317: time counts from the creation of the Workload; ADM-371 must catch it."""
    seconds_left = right(workload, current_time)
    return None if seconds_left is None else seconds_left - workload.since(c.ADMITTED) + workload.created


@wrong((timeouts, "execution_left"))
def stops_what_only_waits(_, workload, current_time):
    """Breaks AC-317: the time since the last change of Admitted counts,
    whatever it is; ADM-371 must catch it.
    """
    limit = workload.spec.get("maximumExecutionTimeSeconds")
    past = workload.status.get("accumulatedPastExecutionTimeSeconds") or 0
    return (
        limit - past - (current_time - workload.since(c.ADMITTED))
        if limit and workload.condition(c.ADMITTED)
        else None
    )


@wrong((timeouts, "execution_timeout"))
def limits_what_has_no_limit(right, workload, world, current_time, rules):
    """Breaks AC-317: no limit is taken for one of no seconds; ADM-374 must catch it."""
    if (
        not workload.is_admitted
        or workload.spec.get("maximumExecutionTimeSeconds")
        or workload.is_true(c.DEACTIVATION_TARGET)
    ):
        return right(workload, world, current_time, rules)
    target = Condition(
        c.DEACTIVATION_TARGET, True, "MaximumExecutionTimeExceeded", messages.EXECUTION_TIME_EXCEEDED
    )
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(target).status))


@wrong((admitted, "_with_past_time"))
def does_not_add_up_what_ran(_, draft):
    """Breaks AC-289: the time of an attempt is not written down; ADM-371[job] must catch it."""
    return draft


@wrong((admitted, "_with_past_time"))
def remembers_the_last_attempt_alone(right, draft):
    """Breaks AC-129: the time of an attempt replaces that of those before; ADM-371[job] must catch it."""
    return right(draft.drop("accumulatedPastExecutionTimeSeconds"))


@wrong((admitted, "_with_past_time"))
def forgets_what_ran_before(right, draft):
    """Breaks AC-129: the time of earlier attempts is dropped; ADM-372 may catch it."""
    return draft.drop("accumulatedPastExecutionTimeSeconds")


@wrong((admitted, "_with_past_time"))
def counts_what_ran_before_twice(right, draft):
    """Breaks AC-129: the sum is added to itself; ADM-372 may catch it."""
    done = right(draft)
    past = draft.status.get("accumulatedPastExecutionTimeSeconds") or 0
    ran = done.status.get("accumulatedPastExecutionTimeSeconds") or 0
    return done.put("accumulatedPastExecutionTimeSeconds", past + ran)


@wrong((timeouts, "execution_timeout"))
def tells_nothing_of_what_ran_too_long(right, *args):
    """Breaks AC-317: deactivates without an event; ADM-373 may catch it."""
    done = right(*args)
    return done and replace(done, events=())


@wrong((timeouts, "next_deadline"))
def does_not_wake_up_for_deadlines(_, workload, world, current_time, rules):
    """Breaks AC-327: looks at times only when something changes; ADM-130 must catch it."""
    return


@wrong((timeouts, "next_deadline"))
def wakes_up_for_the_last_deadline(_, workload, world, current_time, rules):
    """Breaks AC-327: of two deadlines the later one counts; ADM-069 must catch it."""
    if not workload.has_quota_reservation:
        return None
    lefts = (
        timeouts.pods_ready_left(workload, current_time, rules),
        timeouts.execution_left(workload, current_time),
    )
    ahead = [remaining for remaining in lefts if remaining is not None and remaining > 0]
    return Decision(again_after=max(ahead)) if ahead else None


@wrong((timeouts, "next_deadline"))
def wakes_up_for_pods_alone(_, workload, world, current_time, rules):
    """Breaks AC-327: the end of the execution time wakes nothing up; ADM-069 must catch it."""
    pods_ready_left = timeouts.pods_ready_left(workload, current_time, rules)
    return (
        Decision(again_after=pods_ready_left)
        if workload.has_quota_reservation and pods_ready_left and pods_ready_left > 0
        else None
    )


instead(
    messages,
    "EXECUTION_TIME_EXCEEDED",
    "too long",
    "Breaks AC-270: the message of the deactivation is another; ADM-373 may catch it.",
    called="says_too_long",
)
