"""Wrong about positions and pages: in the ClusterQueue,
in the LocalQueue, or in one of the two lists (VIS-520…525).
"""

from reference_impl.kueue.queueing.queue_order import QueueOrder
from reference_impl.kueue.queueing.view import QueueView

from ...killing.planes import wrong


@wrong((QueueOrder, "page"))
def counts_over_queues_of_one_name(page, line, offset, limit):
    """Breaks VIS-521: counts LocalQueues of one name as one
    in the ClusterQueue's list; VSB-020 must catch it.
    """
    counts = {}
    for position in list(page(line, 0, offset + limit)):
        name = position.workload.queue_name
        counts[name] = counts.get(name, -1) + 1
        if position.in_cluster_queue >= offset:
            yield position._replace(in_local_queue=counts[name])


@wrong((QueueOrder, "page_of"))
def lists_queues_of_one_name_as_one(_, line, local_queue, offset, limit):
    """Breaks VIS-521: lists those of other namespaces whose
    LocalQueue has the same name; VSB-020 must catch it.
    """
    every = list(line.page(0, len(line)))
    own = [item for item in every if item.workload.queue_name == local_queue.partition("/")[2]]
    return iter(own[offset : offset + limit])


@wrong((QueueView, "local_queue"))
def lists_the_whole_for_a_part(local_queue, view, namespace, name):
    """Breaks VIS-523: answers for a LocalQueue with all of its ClusterQueue; VSB-021 must catch it."""
    local_list = local_queue(view, namespace, name)
    local = view._queues.local_queues.get(f"{namespace}/{name}")
    return view.cluster_queue(local.cluster_queue) or local_list if local else local_list


@wrong((QueueOrder, "page"), (QueueOrder, "page_of"))
def counts_from_one(right, line, *args):
    """Breaks VIS-520: begins with position 1; VSB-027 must catch it."""
    return (
        position._replace(in_cluster_queue=position.in_cluster_queue + 1) for position in right(line, *args)
    )


@wrong((QueueOrder, "page"))
def counts_local_positions_from_one(page, line, *args):
    """Breaks VIS-521: begins with position 1 in each LocalQueue; VSB-027 must catch it."""
    return (position._replace(in_local_queue=position.in_local_queue + 1) for position in page(line, *args))


@wrong((QueueOrder, "page"))
def counts_from_the_page(page, line, offset, limit):
    """Breaks VIS-524: tells positions in the page; VSB-025 must catch it."""
    return (
        position._replace(in_cluster_queue=position.in_cluster_queue - offset)
        for position in page(line, offset, limit)
    )


@wrong((QueueOrder, "page"))
def counts_the_local_queues_of_a_page(page, line, offset, limit):
    """Breaks VIS-524: counts positions in LocalQueues from
    the beginning of the page; VSB-025 must catch it.
    """
    counts = {}
    for position in page(line, offset, limit):
        name = position.workload.namespace, position.workload.queue_name
        counts[name] = counts.get(name, -1) + 1
        yield position._replace(in_local_queue=counts[name])


@wrong((QueueOrder, "page_of"))
def takes_an_offset_in_the_cluster_queue(page_of, line, local_queue, offset, limit):
    """Breaks VIS-133: takes the offset of a LocalQueue's list for a position in the ClusterQueue; VSB-025
    must catch it.
    """
    positions = [
        position
        for position in page_of(line, local_queue, 0, len(line))
        if position.in_cluster_queue >= offset
    ]
    return iter(positions[:limit])


@wrong((QueueOrder, "page"))
def repeats_the_last_of_a_page(page, line, offset, limit):
    """Breaks VIS-524: begins a page with the end of the one before; VSB-025 must catch it."""
    return page(line, max(offset - 1, 0), limit)


@wrong((QueueOrder, "page_of"))
def tells_local_positions_for_both(page_of, line, *args):
    """Breaks VIS-522: tells a LocalQueue's user nothing of those ahead in others; VSB-018 must catch it."""
    return (position._replace(in_cluster_queue=position.in_local_queue) for position in page_of(line, *args))


@wrong((QueueOrder, "page"))
def tells_one_position_for_both(page, line, *args):
    """Breaks VIS-522: tells the position in the ClusterQueue
    for that in the LocalQueue; VSB-002 must catch it.
    """
    return (position._replace(in_local_queue=position.in_cluster_queue) for position in page(line, *args))


@wrong((QueueOrder, "page_of"))
def is_not_moved_by_other_namespaces(page_of, line, local_queue, *args):
    """Breaks VIS-525: counts only those of the same namespace that are ahead; VSB-019 must catch it."""
    namespace = local_queue.partition("/")[0]
    own = [
        position.workload for position in line.page(0, len(line)) if position.workload.namespace == namespace
    ]
    return (
        position._replace(in_cluster_queue=own.index(position.workload))
        for position in page_of(line, local_queue, *args)
    )
