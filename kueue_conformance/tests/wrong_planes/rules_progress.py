"""Wrong in what a scenario does not wait for: the safety rules see what is owed at rest (AC-287…292, AC-310, AC-357, AC-381, Q-053, Q-370)."""

from dataclasses import replace

from reference_impl.queueing.cluster_queue import ClusterQueue
from reference_impl.queues import status
from reference_impl.workload import activity, verdicts

from ..killing.planes import wrong


def seen_before(workload):
    """Tell whether a Workload was evicted before."""
    return bool(workload.status.get("schedulingStats"))


@wrong((verdicts, "admit"))
def admits_once(admit, workload, *args):
    """Breaks AC-310: does not admit again what was evicted; rule AC-310 in ADM-000 must catch it."""
    return None if seen_before(workload) else admit(workload, *args)


@wrong((verdicts, "admit"))
def admits_silently(admit, *args):
    """Breaks AC-381: tells no admission by an event; rule AC-381 in ADM-000 must catch it."""
    decision = admit(*args)
    return decision and replace(decision, events=())


@wrong((verdicts, "retried"))
def heeds_one_retry(retried, workload, *args):
    """Breaks AC-287: does not heed a second Retry; rule AC-287 in ADM-000 must catch it."""
    return None if seen_before(workload) else retried(workload, *args)


@wrong((verdicts, "rejected"))
def heeds_no_rejection_after_a_retry(rejected, workload, *args):
    """Breaks AC-291: does not heed the rejection of what was evicted before; rule AC-291 in ADM-000 must catch it."""
    return None if seen_before(workload) else rejected(workload, *args)


@wrong((activity, "deactivate"))
def forgets_to_deactivate(deactivate, workload, *args):
    """Breaks AC-292: leaves a Workload active that has no quota any more; rule AC-292 in ADM-000 must catch it."""
    return None if seen_before(workload) else deactivate(workload, *args)


@wrong((verdicts, "sync_checks"))
def keeps_lists_of_what_was_evicted(sync, workload, *args):
    """Breaks AC-357: keeps the list of a Workload that was evicted as it is; rule AC-357 in ADM-000 must catch it."""
    return None if seen_before(workload) else sync(workload, *args)


@wrong((activity, "requeued_after_backoff"))
def requeues_once(right, workload, *args):
    """Breaks AC-290: does not let back into the queue what was evicted; rule AC-290 in ADM-000 must catch it."""


@wrong((ClusterQueue, "wake"))
def wakes_what_is_new(wake, self, admits, now):
    """Breaks Q-053: does not let anything be tried again; rule Q-053 in QUE-000 must catch it."""
    return set()


@wrong((status, "cluster_queue_status"))
def counts_one_that_waits_twice(told, *args):
    """Breaks Q-370: counts one more that waits where some do; rule Q-370 in ADM-000 must catch it."""
    found = told(*args)
    return {**found, "pendingWorkloads": found["pendingWorkloads"] + bool(found["pendingWorkloads"])}
