"""Wrong about pods that are not ready: which time counts, and which attempts (AC-272, AC-294, AC-315,
Q-341).
"""

from dataclasses import replace

from reference_impl.kueue.jobs import pods_ready
from reference_impl.kueue.scheduling import reservation
from reference_impl.kueue.workload import activity, timeouts
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.decision import MergeStatus

from ...killing.planes import wrong


@wrong((pods_ready, "condition"))
def forgets_that_pods_recovered(condition, job, workload):
    """Breaks AC-272: says Started of pods that have recovered, at its next look; ADM-435 should catch it."""
    before, condition_of_job = workload.condition(c.PODS_READY), condition(job, workload)
    recovered = before is not None and before["reason"] == "Recovered"
    return pods_ready.STARTED if recovered and condition_of_job == pods_ready.RECOVERED else condition_of_job


@wrong((timeouts, "pods_ready_left"))
def waits_for_a_recovery_as_for_a_start(pods_ready_left, workload, current_time, rules):
    """Breaks AC-315: gives a recovery the time of a start; ADM-764 must catch it."""
    policy = rules.pods_ready
    if policy is not None:
        rules = replace(rules, pods_ready=replace(policy, recovery_timeout=policy.timeout))
    return pods_ready_left(workload, current_time, rules)


@wrong((reservation, "reserve"))
def forgets_attempts_with_a_reservation(reserve, *args):
    """Breaks AC-316: counts the attempts of a Workload anew after each reservation; ADM-364[2-attempt] must
    catch it.
    """
    return reserve(*args).drop("requeueState")


@wrong((activity, "evict_inactive"), (activity, "forget_backoff_of_inactive"))
def keeps_attempts_over_a_deactivation(rule, workload, *args):
    """Breaks AC-294: keeps the count of attempts of a Workload that is deactivated; ADM-369 must catch it."""
    decision, state = rule(workload, *args), workload.status.get("requeueState")
    if decision is None or isinstance(decision.write, MergeStatus):
        return None
    if state is None:
        return decision
    return replace(
        decision, write=replace(decision.write, status={**decision.write.status, "requeueState": state})
    )
