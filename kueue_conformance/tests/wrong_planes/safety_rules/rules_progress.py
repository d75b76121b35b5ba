"""Wrong in what a scenario does not wait for:
the safety rules see what is owed at rest (AC-290, AC-381, Q-370).
"""

from dataclasses import replace

from reference_impl.kueue.queues import status
from reference_impl.kueue.workload import activity, verdicts

from ...killing.planes import wrong


@wrong((verdicts, "admit"))
def admits_silently(admit, *args):
    """Breaks AC-381: tells no admission by an event; rule AC-381 in ADM-201 must catch it."""
    decision = admit(*args)
    return decision and replace(decision, events=())


@wrong((activity, "requeue_after_backoff"))
def requeues_nothing(*_):
    """Breaks AC-290: does not let back into the queue what a check has sent back;
    rule AC-290 in ADM-050 must catch it.
    """


@wrong((status, "cluster_queue_status"))
def counts_one_that_waits_twice(right, *args):
    """Breaks Q-370: counts one more that waits where some do;
    rule Q-370 in ADM-434[priority] must catch it.
    """
    result = right(*args)
    return {**result, "pendingWorkloads": result["pendingWorkloads"] + bool(result["pendingWorkloads"])}
