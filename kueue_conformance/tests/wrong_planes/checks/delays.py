"""Wrong about how long a Retry keeps a Workload out of the queue (AC-275, AC-288, AC-348)."""

from reference_impl.api import instants
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.workload import activity
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft

from ...killing.planes import wrong


def entries_with_delay(checks, *states):
    return [
        entry
        for entry in checks.entries
        if entry["state"] in (states or ("Retry",)) and "requeueAfterSeconds" in entry
    ]


def _end(entry, factor=1.0):
    return instants.parse(entry["lastTransitionTime"]) + entry["requeueAfterSeconds"] * factor


@wrong((Checks, "retry_deadline"))
def waits_for_the_earlier_of_two_delays(_, checks):
    """Breaks AC-275: the first delay that ends counts; ADM-045 must catch it."""
    return min(map(_end, entries_with_delay(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def waits_for_the_longer_of_two_delays(_, checks):
    """Breaks AC-275: the longest delay counts, though another ends later; ADM-355 must catch it."""
    return max(
        map(_end, sorted(entries_with_delay(checks), key=lambda entry: entry["requeueAfterSeconds"])[-1:]),
        default=None,
    )


@wrong((Checks, "retry_deadline"))
def waits_for_the_first_delay_alone(_, checks):
    """Breaks AC-275: the delay of the first check in the list counts; ADM-045 must catch it."""
    return max(map(_end, entries_with_delay(checks)[:1]), default=None)


@wrong((Checks, "retry_deadline"))
def waits_for_the_last_delay_alone(_, checks):
    """Breaks AC-275: the delay of the last check in the list counts; ADM-355[1-place] must catch it."""
    return max(map(_end, entries_with_delay(checks)[-1:]), default=None)


@wrong((Checks, "retry_deadline"))
def adds_delays_up(_, checks):
    """Breaks AC-275: two delays follow each other; ADM-045 must catch it."""
    request = entries_with_delay(checks)
    arguments = sum(item["requeueAfterSeconds"] for item in request) - max(
        (item["requeueAfterSeconds"] for item in request), default=0
    )
    return max(map(_end, request)) + arguments if request else None


@wrong((Checks, "retry_deadline"))
def knows_no_delay(_, checks):
    """Breaks AC-288: requeueAfterSeconds is not read; ADM-041 must catch it."""
    return


@wrong((Checks, "retry_deadline"))
def waits_half_as_long_again(_, checks):
    """Breaks AC-288: a delay is half as long again; ADM-041 must catch it."""
    return max((_end(entry, 1.5) for entry in entries_with_delay(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def waits_a_minute_less(_, checks):
    """Breaks AC-288: a delay ends a minute early; ADM-041 must catch it."""
    return max((_end(entry) - 60 for entry in entries_with_delay(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def takes_seconds_for_minutes(_, checks):
    """Breaks AC-121: requeueAfterSeconds counts minutes; ADM-041 must catch it."""
    return max((_end(entry, 60) for entry in entries_with_delay(checks)), default=None)


@wrong((Checks, "retry_deadline"))
def doubles_the_delay_of_a_check(_, checks):
    """Breaks AC-348: the delay grows with each retry; ADM-361 must catch it."""
    return max(
        (_end(entry, 2 ** entry.get("retryCount", 0)) for entry in entries_with_delay(checks)), default=None
    )


@wrong((activity, "retry_delay"))
def counts_a_delay_from_now(_, workload, world, current_time, rules):
    """Breaks AC-348: a delay begins when the verdict is read; ADM-358 must catch it."""
    delays = [entry["requeueAfterSeconds"] for entry in entries_with_delay(workload.checks)]
    if not delays or workload.requeue_at is not None:
        return None
    return Decision(
        write=ApplyStatus(
            StatusDraft.of(workload, current_time).requeue_at(current_time + max(delays)).status
        )
    )


@wrong((activity, "retry_delay"))
def waits_though_the_delay_is_over(right, workload, world, current_time, rules):
    """Breaks AC-348: a delay that is over when it is read is counted from now; ADM-357 must catch it."""
    deadline = workload.checks.retry_deadline()
    if deadline is None or deadline > current_time or workload.requeue_at is not None:
        return right(workload, world, current_time, rules)
    repeated = current_time + max(
        entry["requeueAfterSeconds"] for entry in entries_with_delay(workload.checks)
    )
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).requeue_at(repeated).status))


@wrong((Checks, "retry_deadline"))
def waits_for_what_a_passed_check_asked(_, checks):
    """Breaks AC-121: requeueAfterSeconds counts for Ready as well; ADM-360 must catch it."""
    return max(map(_end, entries_with_delay(checks, "Retry", "Ready")), default=None)


@wrong((Checks, "retry_deadline"))
def waits_for_what_any_check_asked(_, checks):
    """Breaks AC-121: requeueAfterSeconds counts whatever the state; ADM-360 must catch it."""
    return max(map(_end, entries_with_delay(checks, "Retry", "Ready", "Pending")), default=None)


@wrong((Checks, "retry_deadline"))
def takes_no_seconds_for_a_minute(right, checks):
    """Breaks AC-348: requeueAfterSeconds 0 means the default; ADM-356 must catch it."""
    return max(
        (_end(entry) + (0 if entry["requeueAfterSeconds"] else 60) for entry in entries_with_delay(checks)),
        default=None,
    )


@wrong((Checks, "retry_deadline"))
def waits_a_minute_without_being_asked(right, checks):
    """Breaks AC-348: a Retry without a delay has one; ADM-361 must catch it."""
    ends = [
        instants.parse(entry["lastTransitionTime"]) + entry.get("requeueAfterSeconds", 60)
        for entry in checks.in_state("Retry")
    ]
    return max(ends, default=None)


@wrong((activity, "retry_delay"))
def takes_a_delay_back(_, workload, world, current_time, rules):
    """Breaks AC-275: requeueAt follows the verdicts also to an earlier time; ADM-359 may catch it."""
    deadline = workload.checks.retry_deadline()
    if deadline is None or deadline <= current_time or deadline == workload.requeue_at:
        return None
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).requeue_at(deadline).status))


@wrong((activity, "retry_delay"))
def keeps_the_first_delay(right, workload, *arguments):
    """Breaks AC-275: once requeueAt is there, a later one is not heard; ADM-355 must catch it."""
    return right(workload, *arguments) if workload.requeue_at is None else None


@wrong((activity, "backoff_running"))
def evicts_before_a_delay_is_over(right, workload, *arguments):
    """Breaks D-07: the eviction waits for a part of the delay alone; ADM-220 may catch it."""
    waits = right(workload, *arguments)
    early = None if waits is None else waits.again_after - 5
    return Decision(again_after=early) if early is not None and early > 0 else None


@wrong((activity, "backoff_running"))
def keeps_waiting_for_a_delay_of_the_past(right, workload, world, current_time, rules):
    """Breaks AC-288: what has waited long enough goes on waiting; ADM-041 must catch it."""
    return (
        None
        if workload.requeue_at is None
        else Decision(again_after=max(workload.requeue_at - current_time, 3600))
    )


@wrong((activity, "backoff_running"))
def does_not_wake_up_when_a_delay_is_over(right, *args):
    """Breaks AC-322: looks at requeueAt only when something changes; ADM-041 must catch it."""
    done = right(*args)
    return done and Decision()


@wrong((activity, "backoff_running"))
def gives_up_during_a_delay(right, workload, *arguments):
    """Breaks AC-322: a rejection does not wait for the delay
    that another check asked for; ADM-348 may catch it.
    """
    return None if workload.checks.in_state("Rejected") else right(workload, *arguments)


@wrong((activity, "backoff_over"))
def evicts_though_the_retry_was_taken_back(right, workload, world, current_time, rules):
    """Breaks AC-322: the end of a delay evicts,
    whether or not a check still says Retry; ADM-362 may catch it.
    """
    due = workload.requeue_at is not None and workload.requeue_at <= current_time
    if due and workload.has_quota_reservation and not workload.is_evicted:
        draft = StatusDraft.of(workload, current_time).requeue_at(None)
        return rules.evict(workload, draft, activity.Eviction("AdmissionCheck", "the delay is over"), rules)
    return right(workload, world, current_time, rules)
