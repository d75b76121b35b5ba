"""Wrong about the order of those that wait, or about that of the list alone (VIS-512a…514)."""

from dataclasses import replace

from reference_impl.kueue.queueing import pending
from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queue_order import QueueOrder
from reference_impl.kueue.queueing.view import _OfClusterQueue
from reference_impl.kueue.visibility import summaries

from ...killing.planes import wrong

NEVER = 2**31


def with_rank(workload, **changes):
    """Return a Workload that waits at another rank."""
    return replace(workload, rank=workload.rank._replace(**changes))


@wrong((PendingWorkload, "of"))
def orders_by_name(of, *args, **options):
    """Breaks VIS-520: orders what waits by name; VSB-006 must catch it."""
    result = of(*args, **options)
    return with_rank(result, lower_priority=0, since=0.0, uid=result.key)


@wrong((PendingWorkload, "of"))
def breaks_ties_by_name(of, *args, **options):
    """Breaks VIS-520: orders what was made at one moment by name; VSB-003 must catch it."""
    result = of(*args, **options)
    return with_rank(result, uid=result.key)


@wrong((PendingWorkload, "of"))
def breaks_ties_backwards(of, *args, **options):
    """Breaks VIS-520: orders what was made at one moment by uid,
    the last one first; VSB-003 must catch it.
    """
    result = of(*args, **options)
    return with_rank(result, uid="".join(chr(0x7F - ord(item)) for item in result.rank.uid))


@wrong((pending, "queue_order"))
def lists_the_newest_first(right, workload, sent_back):
    """Breaks VIS-520: has the youngest first among equals; VSB-006 must catch it."""
    return -right(workload, sent_back)


@wrong((PendingWorkload, "of"))
def lists_by_age_alone(of, *args, **options):
    """Breaks VIS-520: takes no notice of priorities; VSB-005 must catch it."""
    return with_rank(of(*args, **options), lower_priority=0)


@wrong((PendingWorkload, "of"))
def lists_the_least_important_first(of, *args, **options):
    """Breaks VIS-520: has the lowest priority first; VSB-001 must catch it."""
    result = of(*args, **options)
    return with_rank(result, lower_priority=-result.rank.lower_priority)


@wrong((PendingWorkload, "of"))
def takes_no_priority_for_the_least(of, cls, workload, *args, **options):
    """Breaks VIS-205: has what names no priority behind everything else; VSB-004 must catch it."""
    result = of(cls, workload, *args, **options)
    return with_rank(result, lower_priority=NEVER) if workload.spec.get("priority") is None else result


@wrong((ClusterQueue, "push"))
def keeps_the_first_priority(push, queue, new, current_time):
    """Breaks VC-30: keeps the place that a Workload got when it came; VSB-008 should catch it."""
    old = queue.entries.get(new.key)
    push(
        queue,
        new if old is None else with_rank(new, lower_priority=old.pending.rank.lower_priority),
        current_time,
    )


@wrong((pending, "queue_order"))
def lists_by_creation_alone(right, workload, sent_back):
    """Breaks VC-27: lists what a check sent back by the time of its creation; VSB-013 should catch it."""
    return right(workload, frozenset())


@wrong((pending, "queue_order"))
def lists_behind_after_every_eviction(right, workload, sent_back):
    """Breaks VIS-507: lists what a stop sent back behind its equals; VSB-014 should catch it."""
    return right(workload, sent_back | {"ClusterQueueStopped"})


@wrong((pending, "queue_order"))
def lists_late_pods_by_creation(right, workload, sent_back):
    """Breaks VIS-507: lists what was not ready in time by
    the time of its creation; VSB-015 should catch it.
    """
    return right(workload, sent_back - {"PodsReadyTimeout"})


@wrong((ClusterQueue, "head"))
def admits_the_last_of_the_list(_, queue):
    """Breaks VIS-513: lists one order, and admits by the opposite one; VSB-009 must catch it."""
    waiting = [*queue._heap]
    return waiting[-1].pending if waiting else None


@wrong((_OfClusterQueue, "page"))
def counts_only_what_is_tried_next(page, self, offset, limit):
    """Breaks VIS-502: lists, and counts, only the Workload that is tried next; VSB-012 must catch it."""
    untried = (
        position
        for position in page(self, offset, limit)
        if not self._queue.is_inadmissible(position.workload.key)
    )
    return iter([position._replace(in_cluster_queue=at) for at, position in enumerate(untried)])


@wrong((_OfClusterQueue, "page"))
def hides_a_blocked_head(page, self, offset, limit):
    """Breaks VIS-503: leaves out the head of a strict queue that waits for quota; VSB-011 must catch it."""
    blocked = self._queue._blocked[0] if self._queue._blocked else None
    return (
        position
        for position in page(self, offset, limit)
        if blocked is None or position.workload.key != blocked.key
    )


@wrong((QueueOrder, "page"))
def turns_round_at_every_look(page, line, offset, limit):
    """Breaks VIS-531: lists equals in another order at every second look; VSB-028 must catch it."""
    line.looks = getattr(line, "looks", 0) + 1
    positions = list(page(line, offset, limit))
    turned = [position.workload for position in (positions if line.looks % 2 else reversed(positions))]
    return iter([item._replace(workload=workload) for item, workload in zip(positions, turned, strict=True)])


@wrong((summaries, "page_of"))
def remembers_a_page_of_that_length(right, queue, options):
    """Breaks VIS-533: answers anew only when more or fewer wait than before; VSB-008 should catch it."""
    line, key = queue._queue.order, (type(queue), options, len(queue))
    pages = PAGES.setdefault(id(line), (line, {}))[1]
    return pages.setdefault(key, right(queue, options))


PAGES = {}
"""What was answered, by the queue that was read."""
