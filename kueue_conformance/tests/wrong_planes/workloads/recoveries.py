"""Wrong about pods that fail after they were ready, once or several times (AC-272, AC-315, AC-316)."""

from reference_impl.kueue.jobs import pods_ready
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import timeouts
from reference_impl.kueue.workload.rules import Eviction

from ...killing.planes import wrong

FIRST: dict[str, float] = {}
"""When the pods of a Workload failed first, by its uid."""
FAILED: dict[str, set[float]] = {}
"""When the pods of a Workload failed, by its uid."""
RECOVERED: set[str] = set()
"""The Workloads whose pods have recovered, by their uids."""


def _is_failing(workload):
    ready = workload.condition(c.PODS_READY)
    return ready is not None and ready["reason"] == "WaitForRecovery"


@wrong((timeouts, "pods_ready_left"))
def counts_from_the_first_failure(right, workload, current_time, rules):
    """Breaks AC-315: time counts from when pods failed first, though they were ready since;
    ADM-740 should catch it.
    """
    remaining_seconds = right(workload, current_time, rules)
    if remaining_seconds is None or not _is_failing(workload):
        return remaining_seconds
    last = workload.since(c.PODS_READY)
    return remaining_seconds - last + FIRST.setdefault(workload.uid, last)


@wrong((timeouts, "pods_ready_left"))
def lets_pods_recover_once(right, workload, current_time, rules):
    """Breaks AC-315: pods that fail a second time have no time to recover; ADM-740 should catch it."""
    remaining_seconds = right(workload, current_time, rules)
    if remaining_seconds is None or not _is_failing(workload):
        return remaining_seconds
    failures = FAILED.setdefault(workload.uid, set())
    failures.add(workload.since(c.PODS_READY))
    return remaining_seconds if len(failures) == 1 else 0


@wrong((timeouts, "pods_ready_left"))
def waits_for_ever_for_pods_that_recovered(right, workload, current_time, rules):
    """Breaks AC-315: pods that have recovered once may fail for ever; ADM-740 should catch it."""
    ready = workload.condition(c.PODS_READY) or {}
    if ready.get("reason") == "Recovered":
        RECOVERED.add(workload.uid)
    return None if workload.uid in RECOVERED else right(workload, current_time, rules)


@wrong((timeouts, "pods_ready_left"))
def waits_for_pods_that_recovered(right, workload, current_time, rules):
    """Breaks AC-315: takes Recovered for another word for failing; ADM-740 should catch it."""
    ready = workload.condition(c.PODS_READY) or {}
    if ready.get("reason") != "Recovered" or not workload.is_admitted or workload.is_evicted:
        return right(workload, current_time, rules)
    return workload.since(c.PODS_READY) + rules.pods_ready.recovery_timeout - current_time


@wrong((timeouts, "_attempts"))
def begins_to_count_anew_with_ready_pods(right, workload):
    """Breaks AC-315: an attempt whose pods were ready forgets those before it; ADM-741 should catch it."""
    return 0 if _is_failing(workload) else right(workload)


@wrong((timeouts, "_one_more_attempt"))
def counts_attempts_that_do_not_start(right, workload, current_time, policy):
    """Breaks AC-315: pods that do not recover lengthen no delay; ADM-741 should catch it."""
    draft = right(workload, current_time, policy)
    if not _is_failing(workload):
        return draft
    count = (workload.status.get("requeueState") or {}).get("count") or 0
    return draft.put("requeueState", {**draft.status["requeueState"], "count": count})


@wrong((timeouts, "pods_ready_timeout"))
def takes_every_late_pod_for_one_that_did_not_start(right, *args):
    """Breaks AC-344: evictions of pods that do not recover are counted as of ones that do not start;
    ADM-741 should catch it.
    """
    timeouts.Eviction = lambda reason, message, **_: Eviction(reason, message, cause="WaitForStart")
    try:
        return right(*args)
    finally:
        timeouts.Eviction = Eviction


@wrong((pods_ready, "condition"))
def takes_the_next_start_for_a_recovery(right, job, workload):
    """Breaks AC-272: pods of the next attempt are those that failed; ADM-742 should catch it."""
    before = workload.condition(c.PODS_READY)
    was_failing = before is not None and before["reason"] in ("WaitForRecovery", "Recovered")
    if was_failing and before["status"] == "False" and not job.has_ready_pods:
        return pods_ready.WAITS_FOR_RECOVERY
    return right(job, workload)


@wrong((pods_ready, "condition"))
def leaves_the_pods_of_the_last_attempt_ready(right, job, workload):
    """Breaks AC-272: what was said of an attempt stays when it is over; ADM-742 should catch it."""
    before = workload.condition(c.PODS_READY)
    condition = right(job, workload)
    if before is None or condition.reason != "WaitForStart" or before["reason"] == "WaitForStart":
        return condition
    return c.Condition(c.PODS_READY, before["status"] == "True", before["reason"], before["message"])


@wrong((timeouts, "is_exhausted"))
def limits_attempts_that_do_not_start(right, workload, policy):
    """Breaks AC-316: pods that do not recover are tried without end; ADM-743 should catch it."""
    return not _is_failing(workload) and right(workload, policy)
