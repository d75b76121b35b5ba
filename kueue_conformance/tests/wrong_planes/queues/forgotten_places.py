"""Wrong about who stands where: what usage decides, and who waits for a victim (Q-022, Q-262)."""

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.queue_manager import QueueManager

from ...killing.planes import wrong


@wrong((QueueManager, "usage_of"))
def asks_for_usage_that_is_not_remembered(right, queue_manager, holding):
    """Breaks Q-262: asks what a LocalQueue has used where nothing remembers it; QUE-260 must catch it."""
    spec = queue_manager.catalogue.cluster_queues.get(holding.cluster_queue)
    if queue_manager.consumption is None and spec is not None and spec.has_usage_based_order:
        raise RuntimeError("nothing remembers usage")
    return right(queue_manager, holding)


@wrong((ClusterQueue, "delete"))
def forgets_the_preemptor_when_another_goes(delete, queue, key):
    """Breaks Q-022: takes the place of the preemptor away when
    any Workload leaves the queue; QUE-261 should catch it.
    """
    if key in queue.entries:
        queue.stick(None)
    delete(queue, key)


@wrong((ClusterQueue, "stick"))
def has_no_place_for_preemptors(_, queue, key):
    """Breaks Q-022: tries a preemptor at its own place; QUE-261 should catch it."""


@wrong((ClusterQueue, "delete"))
def remembers_a_preemptor_that_had_its_quota(delete, queue, key):
    """Breaks Q-022: tries a former preemptor first when it waits again; QUE-293 must catch it."""
    before = queue.sticky
    delete(queue, key)
    queue.stick(before)
