"""Wrong about what is asked for: endpoints, methods, pages and their faults (VIS-101…141)."""

import posixpath
from dataclasses import replace

from reference_impl.kueue.queueing import view
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.visibility import handler, options, routes
from reference_impl.kueue.visibility.options import PendingWorkloadOptions
from reference_impl.kueue.visibility.request_info import RequestInfo
from reference_impl.kueue.visibility.status import StatusError
from reference_impl.kueue.visibility.summaries import PendingWorkloads
from reference_impl.kueue.visibility.url import Url

from ...killing.planes import instead, wrong


@wrong((PendingWorkloadOptions, "of"))
def ignores_the_limit(of, *args):
    """Breaks VIS-120: lists everything from the offset on; VSB-080 must catch it."""
    return replace(of(*args), limit=1000)


@wrong((PendingWorkloadOptions, "of"))
def ignores_the_offset(of, *args):
    """Breaks VIS-120: begins every page with the first Workload; VSB-080 must catch it."""
    return replace(of(*args), offset=0)


@wrong((PendingWorkloadOptions, "of"))
def counts_pages_in_place_of_workloads(of, *args):
    """Breaks VIS-133: takes the offset for the number of a page; VSB-080 must catch it."""
    result = of(*args)
    return replace(result, offset=result.offset * result.limit)


@wrong((PendingWorkloadOptions, "of"))
def takes_no_limit_for_no_end(of, *args):
    """Breaks VIS-120: lists everything where no limit is asked for; VSB-081 must catch it."""
    result = of(*args)
    return replace(result, limit=100_000) if result.limit == 1000 else result


@wrong((PendingWorkloadOptions, "of"))
def dies_of_a_negative_limit(of, cls, url):
    """Breaks VIS-122: makes room for a negative number of Workloads; VSB-082 must catch it."""
    if (url.first("limit") or "").startswith("-"):
        raise MemoryError("makeslice: cap out of range")
    return of(cls, url)


@wrong((PendingWorkloadOptions, "of"))
def counts_a_negative_offset_from_the_end(of, cls, url):
    """Breaks VIS-124: begins with the last Workload for the offset -1; VSB-082 must catch it."""
    result = of(cls, url)
    return replace(result, offset=1) if (url.first("offset") or "").startswith("-") else result


@wrong((options, "_number"))
def takes_what_is_no_number_for_nothing(number, *args):
    """Breaks VIS-126: ignores values that it cannot read; VSB-083 should catch it."""
    try:
        return number(*args)
    except StatusError:
        return 0


@wrong((Url, "first"))
def counts_the_last_of_several_values(first, self, key):
    """Breaks VIS-128: lets the last of several values count; VSB-085 should catch it."""
    return next(iter(reversed(self.all_of(key))), None)


@wrong((Url, "first"))
def reads_capital_letters_as_small_ones(first, self, key):
    """Breaks VIS-129: takes keys for the same whatever their letters are; VSB-085 should catch it."""
    return next((value for known_names, value in self.pairs if known_names.lower() == key), None)


@wrong((handler, "_limit_nanoseconds"))
def takes_all_the_time_there_is(limit, url):
    """Breaks VIS-131: does not read how long a request may take; VSB-067 must catch it."""
    return handler.LONGEST_NANOSECONDS


@wrong((routes, "_check"))
def reads_whatever_the_method_is(check, route, request):
    """Breaks VIS-109: answers a POST with the list; VSB-074 must catch it."""
    check(route, replace(request, request=replace(request.request, method="GET")))


@wrong((QueueView, "cluster_queue"))
def knows_every_cluster_queue(cluster_queue, queues, name):
    """Breaks VIS-103: answers for a ClusterQueue that does
    not exist with an empty list; VSB-070 must catch it.
    """
    return cluster_queue(queues, name) or view._Empty()


@wrong((QueueView, "local_queue"))
def knows_every_local_queue(local_queue, queues, namespace, name):
    """Breaks VIS-104: answers for a LocalQueue that does
    not exist with an empty list; VSB-070 must catch it.
    """
    return local_queue(queues, namespace, name) or view._Empty()


@wrong((QueueView, "cluster_queue"))
def forgets_empty_queues(cluster_queue, queues, name):
    """Breaks VIS-105: does not find a queue in which nothing waits; VSB-071 must catch it."""
    listed_queue = cluster_queue(queues, name)
    return listed_queue if listed_queue is not None and len(listed_queue) else None


@wrong((PendingWorkloads, "_in_cluster_queue"))
def looks_for_the_queue_before_it_reads_numbers(right, pending, request):
    """Breaks VIS-140: reports a missing queue before a bad number; VSB-087 should catch it."""
    request_without_query = replace(request, url=replace(request.url, pairs=()))
    right(pending, request_without_query)
    return right(pending, request)


@wrong((QueueView, "cluster_queue"))
def trims_names(cluster_queue, queues, name):
    """Breaks VIS-116: drops blanks around a name; VSB-075 should catch it."""
    return cluster_queue(queues, name.strip(" \0"))


@wrong((Url, "segments"))
def follows_dots(segments, self):
    """Breaks VIS-116: goes up in a path that has dots; VSB-073 should catch it."""
    return tuple(posixpath.normpath(self.path).strip("/").split("/"))


@wrong((RequestInfo, "of"))
def lets_discovery_stand_for_a_list(of, cls, method, url, aliases):
    """Breaks VIS-140: asks for the right to read `/` where a parameter is bad, so that users are refused
    otherwise; VSB-068[bad-limit] must catch it.
    """
    result = of(cls, method, url, aliases)
    bad = url.first("limit") == "x"
    return (
        replace(result, attributes=replace(result.attributes, path="/version", resource=""))
        if bad
        else result
    )


instead(
    options,
    "DEFAULT_LIMIT",
    10,
    called="lists_ten_where_no_limit_is_asked_for",
    says="Breaks VIS-120: lists ten Workloads where no limit is asked for; VSB-081 must catch it.",
)
