"""Wrong about which Workloads are listed, or about which queues have a list (VIS-501…511)."""

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue, PendingState
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.queues import LocalQueue, Queues
from reference_impl.kueue.queueing.view import QueueView, _OfClusterQueue
from reference_impl.kueue.visibility import fragments

from ...killing.planes import wrong


def park(queue_manager, workload):
    """Have a Workload in the list, and never tried."""
    local = queue_manager.queues.local_queues.get(f"{workload.namespace}/{workload.queue_name}")
    if local is not None:
        queue_manager.queues.cluster_queues[local.cluster_queue]._put(
            queue_manager.pending(workload), PendingState.INADMISSIBLE
        )


@wrong((QueueManager, "_holds"))
def lists_what_holds_quota(holds, queue_manager, old, new):
    """Breaks VIS-505: lists what waits for its checks only; VSB-101 must catch it."""
    holds(queue_manager, old, new)
    if not new.is_admitted:
        park(queue_manager, new)


@wrong((QueueManager, "_holds"))
def lists_what_is_admitted(holds, queue_manager, old, new):
    """Breaks VIS-506: lists admitted Workloads as long as they run; VSB-100 must catch it."""
    holds(queue_manager, old, new)
    if new.is_admitted:
        park(queue_manager, new)


@wrong((QueueManager, "_holds"))
def lists_what_is_being_evicted(holds, queue_manager, old, new):
    """Breaks VIS-506: lists what still holds the quota of which it was evicted; VSB-109 must catch it."""
    holds(queue_manager, old, new)
    if new.is_evicted:
        park(queue_manager, new)


@wrong((QueueManager, "_leaves"))
def lists_what_is_finished(leaves, queue_manager, workload, *, was_in, gone):
    """Breaks VIS-506: lists what has finished while it waited; VSB-104 must catch it."""
    leaves(queue_manager, workload, was_in=was_in, gone=gone)
    if workload.is_finished and not gone:
        park(queue_manager, workload)


@wrong((QueueManager, "_leaves"))
def lists_what_is_inactive(leaves, queue_manager, workload, *, was_in, gone):
    """Breaks VIS-506: lists what was deactivated while it waited; VSB-107 must catch it."""
    leaves(queue_manager, workload, was_in=was_in, gone=gone)
    if not workload.is_active and not gone:
        park(queue_manager, workload)


@wrong((QueueManager, "_leaves"))
def lists_what_was_deleted(leaves, queue_manager, workload, *, was_in, gone):
    """Breaks VIS-506: lists what was deleted, as before; VSB-105 must catch it."""
    leaves(queue_manager, workload, was_in=was_in, gone=gone)
    if gone:
        park(queue_manager, workload)


@wrong((QueueManager, "_leaves"))
def lists_what_was_rejected(leaves, queue_manager, workload, *, was_in, gone):
    """Breaks VIS-506: lists what a check has rejected; VSB-103 must catch it."""
    leaves(queue_manager, workload, was_in=was_in, gone=gone)
    if not gone and workload.is_evicted:
        park(queue_manager, workload)


@wrong((QueueManager, "_waits"))
def lists_what_is_gated(waits, queue_manager, old, new):
    """Breaks VIS-508: lists what must wait for its gate first; VSB-108 must catch it."""
    waits(queue_manager, old, new)
    if new.gates:
        park(queue_manager, new)


@wrong((QueueManager, "_waits"))
def forgets_what_is_being_deleted(waits, queue_manager, old, new):
    """Breaks VC-25: takes Workloads under deletion off the list; VSB-106 should catch it."""
    waits(queue_manager, old, new)
    if "deletionTimestamp" in new.metadata:
        queue_manager.queues.delete(new.key)


@wrong((QueueManager, "_waits"))
def lists_what_backs_off(waits, queue_manager, old, new):
    """Breaks VC-24: lists what may not be tried before its delay is over; VSB-015 should catch it."""
    waits(queue_manager, old, new)
    if new.requeue_at is not None and queue_manager._now() < new.requeue_at:
        park(queue_manager, new)


@wrong((QueueManager, "_waits"))
def hides_what_backs_off(waits, queue_manager, old, new):
    """Breaks VC-24: keeps what backs off out of the list, whatever is changed of it; VSB-016 may catch it."""
    waits(queue_manager, old, new)
    if new.requeue_at is not None and queue_manager._now() < new.requeue_at:
        queue_manager.queues.delete(new.key)


@wrong((_OfClusterQueue, "page"))
def hides_what_was_sent_back(page, self, *args):
    """Breaks VIS-507: lists only what has never been evicted; VSB-102 must catch it."""
    return (position for position in page(self, *args) if not position.workload.is_evicted)


@wrong((_OfClusterQueue, "page"))
def hides_what_was_tried(page, self, *args):
    """Breaks VIS-502: leaves a gap for what was tried and does not fit; VSB-010 must catch it."""
    return (
        position for position in page(self, *args) if not self._queue.is_inadmissible(position.workload.key)
    )


@wrong((Queues, "push"))
def does_not_follow_a_move(push, queues, pending, current_time):
    """Breaks VIS-526: keeps a Workload where it was when
    it names another LocalQueue; VSB-031 should catch it.
    """
    local_queue_of = queues._local_queue_of.get(pending.key, pending.local_queue)
    if local_queue_of == pending.local_queue:
        push(queues, pending, current_time)


@wrong((Queues, "push"))
def lists_what_has_moved_twice(push, queues, pending, current_time):
    """Breaks VIS-526: lists what has moved in the old ClusterQueue too; VSB-031 should catch it."""
    queues._local_queue_of.pop(pending.key, None)
    push(queues, pending, current_time)


@wrong((Queues, "remove_local_queue"))
def keeps_those_of_a_stopped_local_queue(_, queues, key):
    """Breaks VIS-509: leaves in the list what waits in a
    LocalQueue that was stopped; VSB-118 should catch it.
    """
    queues.local_queues.pop(key, None)


@wrong((Queues, "remove_local_queue"))
def keeps_the_last_one_of_a_local_queue(remove, queues, key):
    """Breaks VC-26: leaves one that was tried in the list
    when its LocalQueue goes; VSB-119 should catch it.
    """
    local = queues.local_queues.get(key, LocalQueue(""))
    queue = queues.cluster_queues.get(local.cluster_queue)
    pending = [queue.entries[name].pending for name in local.items if queue and name in queue.entries][:1]
    remove(queues, key)
    for item in pending:
        queue._put(item, PendingState.INADMISSIBLE)


@wrong((ClusterQueue, "restore"))
def brings_nothing_back(_, queue, pending):
    """Breaks VIS-511: lists nothing of what waited for a queue that comes later; VSB-123 must catch it."""


@wrong((Queues, "remove_local_queue"))
def goes_on_listing_for_a_local_queue_that_is_gone(_, queues, key):
    """Breaks VIS-104: answers for a LocalQueue that was deleted; VSB-120 must catch it."""


@wrong((Queues, "remove_cluster_queue"))
def goes_on_listing_for_a_queue_that_is_gone(_, queues, name):
    """Breaks VIS-511: answers for a ClusterQueue that was deleted; VSB-122 must catch it."""


@wrong((QueueView, "local_queue"))
def refuses_without_a_cluster_queue(local_queue, view, namespace, name):
    """Breaks VIS-106: does not find a LocalQueue whose ClusterQueue is not there; VSB-123 must catch it."""
    local = view._queues.local_queues.get(f"{namespace}/{name}")
    known_names = local is not None and local.cluster_queue in view._queues.cluster_queues
    return local_queue(view, namespace, name) if known_names else None


@wrong((QueueView, "cluster_queue"))
def finds_no_queue_in_which_nothing_waits(cluster_queue, view, name):
    """Breaks VIS-105: does not find a ClusterQueue in which nothing waits; VSB-128 must catch it."""
    listed_queue = cluster_queue(view, name)
    return listed_queue if listed_queue is not None and len(listed_queue) else None


@wrong((fragments, "metadata_of"))
def tells_no_owner(metadata_of, workload):
    """Breaks VIS-204: does not tell the Job of a Workload; VSB-110 must catch it."""
    return {key: value for key, value in metadata_of(workload).items() if key != "ownerReferences"}


@wrong((fragments, "metadata_of"))
def tells_the_first_owner(metadata_of, workload):
    """Breaks VIS-204: tells one owner of several; VSB-111 should catch it."""
    metadata = metadata_of(workload)
    owners = metadata.get("ownerReferences", [])[:1]
    return {**metadata, "ownerReferences": owners} if owners else metadata
