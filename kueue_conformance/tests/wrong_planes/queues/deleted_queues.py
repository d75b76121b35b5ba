"""Wrong about queues that were deleted: what waits in them, and what they have sent back (AC-253, AC-306,
AC-307, Q-061, Q-064).
"""

from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.workload import queue_state

from ...killing.planes import wrong


@wrong((EventHandlers, "local_queue"))
def takes_a_deleted_local_queue_for_present(right, self, old, new):
    """Breaks Q-061: goes on to admit what waits in a LocalQueue that was deleted; ADM-443 must catch it."""
    if new is not None:
        right(self, old, new)


@wrong((EventHandlers, "cluster_queue"))
def takes_a_deleted_cluster_queue_for_present(right, self, old, new):
    """Breaks Q-064: goes on to admit to a ClusterQueue that was deleted; ADM-444 must catch it."""
    if new is not None and "deletionTimestamp" not in new["metadata"]:
        right(self, old, new)


@wrong((Queues, "set_cluster_queue"))
def begins_a_cluster_queue_empty(right, self, name, *rest):
    """Breaks Q-064: forgets what waits when a ClusterQueue is made again; ADM-563 should catch it."""
    is_new = name not in self.cluster_queues
    right(self, name, *rest)
    for local in self.local_queues.values() if is_new else ():
        for key in local.items if local.cluster_queue == name else ():
            self.cluster_queues[name].delete(key)


@wrong((queue_state, "_is_stopped"))
def takes_a_missing_queue_for_one_that_goes_on(right, queue):
    """Breaks AC-306: says of what was drained that it is queued again when its queue is deleted; ADM-445
    should catch it.
    """
    return queue is not None and right(queue)


@wrong((queue_state, "_queue_state"))
def keeps_reservations_of_a_missing_queue(right, workload, queue, *rest):
    """Breaks AC-305: takes a queue that is missing for one that admits; ADM-095 should catch it."""
    return None if queue is None else right(workload, queue, *rest)
