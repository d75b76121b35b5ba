"""Wrong about the lists of what holds quota,
and about one Workload that is asked for by its name (VIS-901…912).
"""

from dataclasses import replace

from reference_impl.kueue.queueing.admitted_view import AdmittedView
from reference_impl.kueue.queueing.view import PositionedWorkload, _OfLocalQueue
from reference_impl.kueue.visibility import admitted
from reference_impl.kueue.visibility.summaries import PendingWorkloads

from ...killing.planes import wrong


def reorder(placed, key):
    """Return Workloads in another order, at their new positions in the ClusterQueue."""
    return [position._replace(in_cluster_queue=at) for at, position in enumerate(sorted(placed, key=key))]


@wrong((AdmittedView, "_place_all"))
def lists_what_is_important_first(placed, view, name):
    """Breaks VIS-906: orders what holds quota by priority; VSB-150 may catch it."""
    return reorder(placed(view, name), lambda position: -position.workload.priority)


@wrong((AdmittedView, "_place_all"))
def counts_local_holders_with_all_others(placed, view, name):
    """Breaks VIS-906: gives the position in the ClusterQueue
    as that in the LocalQueue; VSB-150 may catch it.
    """
    return [
        PositionedWorkload(position.workload, position.in_cluster_queue, position.in_cluster_queue)
        for position in placed(view, name)
    ]


@wrong((AdmittedView, "_place_all"))
def lists_no_more_than_two_holders(placed, view, name):
    """Breaks VIS-904: leaves out what reserved quota last; VSB-150 may catch it."""
    return placed(view, name)[:2]


@wrong((admitted, "_page"))
def counts_positions_within_a_phase(page, queue, options, phases):
    """Breaks VIS-907: leaves out as many of all Workloads as are to be left out of a phase, twice; VSB-151
    may catch it.
    """
    twice = replace(options, offset=2 * options.offset) if phases else options
    return page(queue, twice, phases)


@wrong((admitted, "_phases"))
def takes_any_phase(phases, url):
    """Breaks VIS-907: answers a phase that there is not with all Workloads; VSB-151 may catch it."""
    expected = frozenset(url.all_of("phase"))
    return expected if expected <= set(admitted.PHASES) else frozenset()


@wrong((admitted, "_phases"))
def ignores_phases(phases, url):
    """Breaks VIS-907: answers with every phase; VSB-151 may catch it."""
    phases(url)
    return frozenset()


@wrong((admitted, "phase_of"))
def tells_nothing_of_an_eviction(phase_of, workload):
    """Breaks VIS-905: tells an evicted Workload as Admitted; VSB-152 may catch it."""
    return phase_of(workload).replace("Evicting", "Admitted")


@wrong((admitted, "_item"))
def tells_a_time_of_admission_too_early(item, pending, usage):
    """Breaks VIS-905: has an admittedTime before anything is admitted; VSB-152 may catch it."""
    admitted_item = item(pending, usage)
    return {"admittedTime": admitted_item["quotaReservedTime"], **admitted_item}


@wrong((admitted, "_without_usage"))
def tells_users_what_is_used(without_usage, workload):
    """Breaks VIS-910: tells the usage in the list of a LocalQueue; VSB-153 may catch it."""
    return admitted._with_usage(workload)


@wrong((admitted, "_with_usage"))
def tells_no_usage_of_holders(with_usage, workload):
    """Breaks VIS-905: leaves the usage out; VSB-153 may catch it."""
    return admitted._without_usage(workload)


@wrong((AdmittedView, "local_queue"))
def lists_holders_of_all_namespaces(local_queue, view, namespace, name):
    """Breaks VIS-910: lists what holds quota of every LocalQueue; VSB-153 may catch it."""
    listed_queue = local_queue(view, namespace, name)
    queues = sorted(view._queues.cluster_queues) if listed_queue else ()
    return next(
        (view.cluster_queue(queue) for queue in queues if len(view.cluster_queue(queue))), listed_queue
    )


@wrong((AdmittedView, "local_queue"))
def has_a_list_of_any_local_queue(local_queue, view, namespace, name):
    """Breaks VIS-908: answers for LocalQueues that are not there; VSB-154 may catch it."""
    listed_queue = local_queue(view, namespace, name)
    return listed_queue or local_queue(view_with_all_local_queues(view), namespace, name)


def view_with_all_local_queues(view):
    """Return a view to which every LocalQueue exists."""
    return AdmittedView(view._ledger, view._queues, lambda _: True)


@wrong((AdmittedView, "local_queue"))
def drops_the_list_with_its_local_queue(local_queue, view, namespace, name):
    """Breaks VIS-908: has no list of a deleted LocalQueue, though its Workloads run; VSB-154 may catch it."""
    return local_queue(view, namespace, name) if view._exists(f"{namespace}/{name}") else None


@wrong((_OfLocalQueue, "find"))
def finds_what_waits_in_another_local_queue(find, queue, key):
    """Breaks VIS-912: finds Workloads of every LocalQueue of the namespace; VSB-155 may catch it."""
    return queue._queue.find(key)


@wrong((_OfLocalQueue, "find"))
def finds_nothing_by_its_name(find, queue, key):
    """Breaks VIS-912: finds no Workload; VSB-155 may catch it."""
    del key


@wrong((PendingWorkloads, "_in_local_queue"))
def ignores_the_name(in_local_queue, shown, request):
    """Breaks VIS-912: lists all when one is asked for, as a release does; VSB-155 may catch it."""
    shown._extended = False
    return in_local_queue(shown, request)
