"""Wrong about order: which of the Workloads that wait comes first (Q-006, Q-007, Q-021, Q-044)."""

from dataclasses import replace

from reference_impl.kueue.queueing import pending
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.quota import cluster_queue
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((PendingWorkload, "of"))
def lets_the_least_important_in_first(of, *args, **options):
    """Breaks Q-021: begins with the lowest priority; ADM-026 must catch it."""
    result = of(*args, **options)
    return replace(result, rank=result.rank._replace(lower_priority=-result.rank.lower_priority))


@wrong((Workload, "priority"))
def takes_the_lowest_for_the_highest(_, workload):
    """Breaks Q-005: turns the sign of a priority around in 32 bits, where the lowest has no other; QUE-137
    must catch it.
    """
    value = int(workload.spec.get("priority") or 0)
    return 2**31 - 1 if value == -(2**31) else value


@wrong((PendingWorkload, "of"))
def knows_no_priority(of, *args, **options):
    """Breaks Q-021: takes all Workloads for equally important; ADM-026 must catch it."""
    result = of(*args, **options)
    return replace(result, rank=result.rank._replace(lower_priority=0))


@wrong((pending, "queue_order"))
def lets_the_youngest_in_first(right, workload, sent_back):
    """Breaks Q-006: begins with the youngest; ADM-401 must catch it."""
    return -right(workload, sent_back)


@wrong((pending, "queue_order"))
def knows_no_age(right, workload, sent_back):
    """Breaks Q-006: takes all Workloads for equally old; ADM-401 must catch it."""
    return 0.0


@wrong((pending, "queue_order"))
def keeps_the_place_of_what_was_sent_back(right, workload, sent_back):
    """Breaks Q-007: lets a Workload that a check sent back keep its place; ADM-410 should catch it."""
    return right(workload, frozenset())


@wrong((pending, "queue_order"))
def sends_everything_behind(right, workload, sent_back):
    """Breaks Q-007: sends a Workload behind its equals however it was evicted; ADM-492 should catch it."""
    return right(workload, sent_back | {"ClusterQueueStopped", "LocalQueueStopped"})


@wrong((cluster_queue.ClusterQueueSpec, "of"))
def takes_every_queue_for_strict(of, *args):
    """Breaks Q-044: lets nothing overtake in any queue; ADM-245 must catch it."""
    return replace(of(*args), strategy="StrictFIFO")


@wrong((cluster_queue.ClusterQueueSpec, "of"))
def takes_no_queue_for_strict(of, *args):
    """Breaks Q-044: lets small Workloads overtake in every queue; ADM-245 must catch it."""
    return replace(of(*args), strategy="BestEffortFIFO")
