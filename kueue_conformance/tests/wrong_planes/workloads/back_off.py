"""Wrong about attempts whose pods were not ready in time: the delay after one, and how many there are
(AC-315, AC-316, AC-347).
"""

from reference_impl.kueue.workload import activity, backoff, eviction, messages, timeouts
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong


@wrong((backoff, "delay"))
def never_doubles_the_delay(_, attempt, *, base, limit):
    """Breaks AC-347: each attempt waits as long as the first; ADM-364[2-attempt] must catch it."""
    return float(base)


@wrong((backoff, "delay"))
def lengthens_the_delay_by_as_much_each_time(_, attempt, *, base, limit):
    """Breaks AC-347: the delay grows by its base; ADM-364[3-attempt] must catch it."""
    return float(min(base * attempt, limit))


@wrong((backoff, "delay"))
def doubles_the_first_delay(_, attempt, *, base, limit):
    """Breaks AC-347: the exponent is the attempt; ADM-130 must catch it."""
    return float(min(base * 2**attempt, limit))


@wrong((backoff, "delay"))
def triples_the_delay(_, attempt, *, base, limit):
    """Breaks AC-347: the delay grows threefold; ADM-364[2-attempt] must catch it."""
    return float(min(base * 3 ** (attempt - 1), limit))


@wrong((backoff, "delay"))
def lengthens_the_delay_by_half(_, attempt, *, base, limit):
    """Breaks AC-347: the delay is half as long again each time; ADM-364[2-attempt] must catch it."""
    return float(min(base * 1.5 ** (attempt - 1), limit))


@wrong((backoff, "delay"))
def doubles_without_a_limit(_, attempt, *, base, limit):
    """Breaks AC-347: the delay grows beyond an hour; ADM-364[7-attempt] must catch it."""
    return float(base * 2 ** (attempt - 1))


@wrong((backoff, "delay"))
def waits_for_the_limit_at_once(_, attempt, *, base, limit):
    """Breaks AC-347: the greater of delay and limit counts; ADM-130 must catch it."""
    return float(max(base * 2 ** (attempt - 1), limit))


@wrong((backoff, "delay"))
def stops_doubling_at_half_an_hour(_, attempt, *, base, limit):
    """Breaks AC-347: the limit is half of what it should be; ADM-364[7-attempt] must catch it."""
    return float(min(base * 2 ** (attempt - 1), limit / 2))


@wrong((backoff, "delay"))
def waits_for_half_the_base(right, attempt, *, base, limit):
    """Breaks AC-347: the first delay is half a minute; ADM-130 must catch it."""
    return right(attempt, base=base / 2, limit=limit)


@wrong((backoff, "delay"))
def falls_back_when_the_limit_is_reached(right, attempt, *, base, limit):
    """Breaks AC-347: beyond the limit the delay is the base again; ADM-364[7-attempt] must catch it."""
    grown = base * 2 ** (attempt - 1)
    return float(grown if grown < limit else base)


@wrong((timeouts, "is_exhausted"))
def tries_again_for_ever(_, workload, policy):
    """Breaks AC-316: limits no attempts; ADM-631 must catch it."""
    return False


@wrong((timeouts, "is_exhausted"))
def gives_up_before_the_last_attempt(_, workload, policy):
    """Breaks AC-316: tries once less than the configuration says; ADM-631 must catch it."""
    return policy.backoff_limit is not None and timeouts._attempts(workload) + 1 >= policy.backoff_limit


@wrong((messages, "deactivation_due_to"))
def says_only_that_attempts_have_ended(right, cause):
    """Breaks AC-316: reports too many attempts in words of its own; ADM-632 may catch it."""
    return "there were too many attempts" if cause == messages.REQUEUING_LIMIT_EXCEEDED else right(cause)


@wrong((timeouts, "_attempts"))
def counts_no_attempt(_, workload):
    """Breaks AC-315: every attempt is the first; ADM-364[2-attempt] must catch it."""
    return 0


@wrong((timeouts, "_attempts"))
def counts_one_attempt_too_many(attempts, workload):
    """Breaks AC-315: the first attempt is counted as the second; ADM-130 must catch it."""
    return attempts(workload) + 1


@wrong((timeouts, "_one_more_attempt"))
def counts_attempts_in_pairs(right, workload, current_time, policy):
    """Breaks AC-315: an attempt counts as two; ADM-365 may catch it."""
    done = right(workload, current_time, policy)
    state = done.status["requeueState"]
    return done.put("requeueState", {**state, "count": state["count"] + 1})


@wrong((timeouts, "_one_more_attempt"))
def does_not_write_the_count_down(right, workload, current_time, policy):
    """Breaks AC-315: requeueState has a time and no count; ADM-365 may catch it."""
    done = right(workload, current_time, policy)
    return done.put("requeueState", {"requeueAt": done.status["requeueState"]["requeueAt"]})


@wrong((timeouts, "_one_more_attempt"))
def tries_again_without_a_delay(right, workload, current_time, policy):
    """Breaks AC-315: counts the attempt and does not wait; ADM-130 must catch it."""
    done = right(workload, current_time, policy)
    return done.put("requeueState", {"count": done.status["requeueState"]["count"]})


@wrong((timeouts, "_one_more_attempt"))
def counts_the_delay_from_the_admission(right, workload, current_time, policy):
    """Breaks AC-315: the delay is over when the pods are too late; ADM-130 must catch it."""
    return right(workload, workload.since("Admitted"), policy)


@wrong((timeouts, "_one_more_attempt"))
def moves_the_eviction_to_the_end_of_the_delay(right, workload, current_time, policy):
    """Breaks AC-315: the attempt is as old as its creation; ADM-130 must catch it."""
    return right(workload, workload.created, policy)


@wrong((StatusDraft, "requeue_at"))
def forgets_the_count_with_the_delay(requeue_at, draft, when):
    """Breaks AC-275: a finished attempt takes the count of attempts along; ADM-365 may catch it."""
    return draft.drop("requeueState") if when is None else requeue_at(draft, when)


@wrong((activity, "backoff_over"))
def keeps_a_delay_that_is_over(_, workload, world, current_time, rules):
    """Breaks AC-322: requeueAt of the past is not cleared, and nothing is queued; ADM-130 must catch it."""
    return None if workload.requeue_at is None else timeouts.Decision()


@wrong((activity, "backoff_running"))
def ends_a_delay_at_once(_, workload, world, current_time, rules):
    """Breaks AC-322: the back-off is over as soon as it has begun; ADM-130 must catch it."""
    return


@wrong((activity, "backoff_running"))
def looks_at_a_delay_again_an_hour_later(right, *args):
    """Breaks AC-322: wakes up long after the delay is over; ADM-130 must catch it."""
    done = right(*args)
    return done and timeouts.Decision(again_after=done.again_after + 3600)


@wrong((eviction, "evict"))
def counts_a_retry_as_a_failure_of_the_pods(evict, workload, draft, why, rules):
    """Breaks AC-275: evictions by checks raise the count of attempts; ADM-370 should catch it."""
    if why.reason == "AdmissionCheck":
        state = draft.status.get("requeueState") or {}
        draft = draft.put("requeueState", {**state, "count": state.get("count", 0) + 1})
    return evict(workload, draft, why, rules)


@wrong((activity, "evict_inactive"), (activity, "forget_backoff_of_inactive"))
def remembers_attempts_of_what_was_deactivated(_, workload, world, current_time, rules):
    """Breaks AC-294: requeueState survives a deactivation; ADM-369 must catch it."""
    if workload.is_active or workload.is_evicted:
        return None
    draft = StatusDraft.of(workload, current_time).remove("DeactivationTarget")
    return rules.evict(workload, draft, rules.deactivation(workload.condition("DeactivationTarget")), rules)
