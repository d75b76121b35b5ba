"""Wrong about an eviction that is under way: another reason takes the place of the first (AC-294, AC-434)."""

from reference_impl.kueue.workload import activity, conditions, queue_state, verdicts
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.rules import Eviction

from ...killing.planes import wrong


def _again(reason, workload, current_time, rules):
    """Evict for another reason unless that is the one of the eviction already."""
    evicted = workload.condition(conditions.EVICTED)
    if not workload.is_evicted or not workload.has_quota_reservation or evicted["reason"] == reason:
        return None
    return rules.evict(workload, StatusDraft.of(workload, current_time), Eviction(reason, "again"), rules)


@wrong((activity, "evict_inactive"))
def evicts_again_what_is_deactivated(right, workload, world, current_time, rules):
    """Breaks AC-434: gives an eviction another reason when
    its Workload is deactivated; ADM-453 must catch it.
    """
    repeated = None if workload.is_active else _again("Deactivated", workload, current_time, rules)
    return repeated or right(workload, world, current_time, rules)


@wrong((verdicts, "evict_retried"))
def evicts_again_for_a_retry(right, workload, world, current_time, rules):
    """Breaks AC-434: gives an eviction another reason when a check says Retry;
    ADM-453[drained-retried] must catch it.
    """
    repeated = (
        _again("AdmissionCheck", workload, current_time, rules) if workload.checks.in_state("Retry") else None
    )
    return repeated or right(workload, world, current_time, rules)


@wrong((queue_state, "cluster_queue_state"))
def evicts_again_for_a_drain(right, workload, world, current_time, rules):
    """Breaks AC-434: gives an eviction another reason when its queue drains;
    ADM-453[retried-drained] must catch it.
    """
    drains = world.cluster_queue is not None and world.cluster_queue.is_draining
    repeated = _again("ClusterQueueStopped", workload, current_time, rules) if drains else None
    return repeated or right(workload, world, current_time, rules)
