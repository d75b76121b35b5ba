"""Wrong about lists when queues stop, go, come later or are many, and when Workloads change queues
(VIS-103…108, VIS-509…526).
"""

from dataclasses import replace

from reference_impl.kueue.jobs.priority import PriorityClasses
from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.queue_order import QueueOrder
from reference_impl.kueue.queueing.queues import Queues, UnknownLocalQueueError
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.visibility.listing import Listing, ListPage
from reference_impl.kueue.workload import activity

from ...killing.planes import wrong
from .pending_members import park


def is_stopped(cluster_queue):
    """Tell whether a ClusterQueue is stopped."""
    return ((cluster_queue or {}).get("spec") or {}).get("stopPolicy", "None") != "None"


@wrong((PriorityClasses, "of"))
def lists_every_job_as_equal(right, self, job):
    """Breaks VIS-205: gives the Workload of a Job its class,
    and not the value of that; VSB-007 must catch it.
    """
    return replace(right(self, job), value=0)


@wrong((QueueManager, "_holds"))
def lists_what_will_be_sent_back(holds, queue_manager, old, new):
    """Breaks VC-27: lists what holds quota as soon as a delay is set; VSB-017 should catch it."""
    holds(queue_manager, old, new)
    if new.requeue_at is not None and not new.is_evicted:
        park(queue_manager, new)


@wrong((QueueView, "cluster_queue"))
def answers_for_one_queue_of_a_cohort(cluster_queue, view, name):
    """Breaks VIS-520: answers for every ClusterQueue with
    the first one that there is; VSB-023 must catch it.
    """
    cluster_queues = view._queues.cluster_queues
    return cluster_queue(view, next(iter(cluster_queues)) if name in cluster_queues else name)


@wrong((QueueOrder, "page_of"))
def counts_backwards_in_a_local_queue(page_of, line, local_queue, *args):
    """Breaks VIS-522: counts from the end in a LocalQueue's own list; VSB-024 must catch it."""
    last = line.length(local_queue) - 1
    return (
        position._replace(in_local_queue=last - position.in_local_queue)
        for position in page_of(line, local_queue, *args)
    )


@wrong((Listing, "answer"))
async def knows_nothing_in_the_older_version(answer, listing, version, request):
    """Breaks VIS-208: has an empty list in the older version; VSB-029 should catch it."""
    shown = listing if version != "v1beta1" else replace(listing, read=lambda _: ListPage(()))
    return await answer(shown, version, request)


@wrong((PendingWorkload, "of"))
def does_not_follow_within_a_queue(of, *args, **options):
    """Breaks VIS-526: counts a Workload with the LocalQueue that it named first; VSB-030 should catch it."""
    result = of(*args, **options)
    return replace(result, local_queue=NAMED.setdefault(result.key, result.local_queue))


NAMED = {}
"""The LocalQueue that a Workload named first, by its key."""


@wrong((Queues, "push"))
def keeps_what_has_gone_nowhere(push, queues, pending, current_time):
    """Breaks VIS-526: leaves a Workload where it was when it names a LocalQueue that is not there; VSB-032
    should catch it.
    """
    if pending.local_queue not in queues.local_queues:
        raise UnknownLocalQueueError
    push(queues, pending, current_time)


@wrong((activity, "finish_orphan"))
def lists_what_lost_its_job(_, *args):
    """Breaks VC-28: has the Workload of a Job that does not exist wait on; VSB-112 may catch it."""


@wrong((ClusterQueue, "pending"))
def counts_what_is_tried_next(_, queue):
    """Breaks VC-31: counts those that will be tried, and lists all; VSB-114 should catch it."""
    return queue.active


@wrong((Queues, "push"))
def lists_what_names_a_cluster_queue(push, queues, pending, current_time):
    """Breaks VIS-501: takes the name of a LocalQueue that is not there for that of a ClusterQueue; VSB-115
    must catch it.
    """
    queue = queues.cluster_queues.get(pending.workload.queue_name)
    if pending.local_queue not in queues.local_queues and queue is not None:
        queue.push(pending, current_time)
        return
    push(queues, pending, current_time)


@wrong((EventHandlers, "cluster_queue"))
def forgets_a_stopped_queue(cluster_queue, notes, old, new):
    """Breaks VIS-108: has no list of a ClusterQueue that is stopped; VSB-116 must catch it."""
    cluster_queue(notes, old, new)
    if is_stopped(new):
        notes._manager.queues.remove_cluster_queue(new["metadata"]["name"])


@wrong((QueueManager, "_waits"))
def hides_what_was_drained(waits, queue_manager, old, new):
    """Breaks VIS-510: does not list what a stop has evicted; VSB-117 must catch it."""
    waits(queue_manager, old, new)
    if new.is_evicted and queue_manager.queues.local_queues:
        queue_manager.queues.delete(new.key)


@wrong((Queues, "set_local_queue"))
def keeps_a_local_queue_where_it_was(set_local_queue, queues, key, cluster_queue, waiting):
    """Breaks VIS-526: feeds the ClusterQueue that a LocalQueue
    of this name belonged to before; VSB-121 must catch it.
    """
    belonged = vars(queues).setdefault("belonged", {})
    set_local_queue(queues, key, belonged.setdefault(key, cluster_queue), waiting)


@wrong((QueueManager, "waiting_in"))
def lists_nothing_of_before(_, queue_manager, local_queue):
    """Breaks VIS-501: lists nothing that was there before its LocalQueue; VSB-124 must catch it."""
    return ()


@wrong((QueueManager, "push"))
def takes_nothing_into_an_inactive_queue(push, queue_manager, workload):
    """Breaks VIS-510: does not list what comes to a ClusterQueue that cannot admit; VSB-125 must catch it."""
    name, _ = queue_manager.cluster_queue_for(workload.namespace, workload.queue_name)
    if not name or queue_manager.is_active(name):
        push(queue_manager, workload)


@wrong((EventHandlers, "local_queue"))
def keeps_those_of_an_inactive_queue(local_queue, notes, old, new):
    """Breaks VC-26: leaves the Workloads of a deleted LocalQueue in a ClusterQueue that is not active;
    VSB-126 should catch it.
    """
    name = (old or new)["spec"]["clusterQueue"]
    if new is not None or notes._manager.is_active(name):
        local_queue(notes, old, new)


@wrong((ClusterQueue, "_put"))
def breaks_ties_by_arrival(put, queue, new, position):
    """Breaks VIS-532: lists what was made at one moment as it was read, in another order after a restart;
    VSB-127 must catch it.
    """
    old = queue.entries.get(new.key)
    arrived = old.pending.rank.uid if old else f"{queue.order.generation:09}"
    put(queue, replace(new, rank=new.rank._replace(uid=arrived)), position)
