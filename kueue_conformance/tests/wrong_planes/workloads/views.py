"""Wrong about what a Workload and its queues say: whether it may wait for quota, whether it holds some
(AC-240…246, Q-003, Q-004).
"""

from dataclasses import replace

from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import QueueView

from ...killing.planes import wrong


@wrong((Workload, "is_queueable"))
def queues_nothing_twice(queueable, workload):
    """Breaks AC-290: reserves quota for nothing that was evicted before; ADM-040 must catch it."""
    return queueable(workload) and not workload.is_evicted


@wrong((Workload, "has_counted_quota"))
def counts_what_is_admitted(_, workload):
    """Breaks AC-241: does not count the quota of what waits for its checks; ADM-028 must catch it."""
    return workload.is_admitted and workload.is_active and not workload.is_finished


@wrong((Workload, "priority"))
def prefers_what_matters_least(priority, workload):
    """Breaks AC-098: lets the lowest priority in first; ADM-026 must catch it."""
    return -priority(workload)


@wrong((Workload, "priority"))
def reads_no_priority(_, workload):
    """Breaks AC-098: admits Workloads by their age alone; ADM-026 must catch it."""
    return 0


@wrong((Workload, "requeue_at"), (Workload, "is_backoff_over"))
def forgets_what_it_waits_for(right, workload, *current_time):
    """Breaks AC-290: reserves quota for what may not be queued yet; ADM-130 must catch it."""
    return True if current_time else None


@wrong((Workload, "is_active"))
def never_stops_what_is_inactive(_, workload):
    """Breaks AC-293: takes no notice of spec.active; ADM-064 must catch it."""
    return True


@wrong((Workload, "is_finished"))
def never_sees_an_end(_, workload):
    """Breaks AC-246: takes no notice of Finished; ADM-033 must catch it."""
    return False


@wrong((Workload, "gates"))
def sees_no_gate(_, workload):
    """Breaks AC-299: takes no notice of the annotation that gates; ADM-025 must catch it."""
    return ""


@wrong((QueueView, "is_stopped"))
def stops_only_to_drain(_, queue):
    """Breaks AC-429: Hold takes back no reservation; ADM-091 must catch it."""
    return queue.stop_policy == "HoldAndDrain"


@wrong((QueueView, "is_stopped"))
def stops_for_nothing(_, queue):
    """Breaks AC-429: no stop policy takes back a reservation; ADM-091 must catch it."""
    return False


@wrong((QueueView, "is_draining"))
def drains_for_hold(_, queue):
    """Breaks AC-302: Hold evicts admitted Workloads; ADM-091 must catch it."""
    return queue.stop_policy != "None"


@wrong((QueueView, "is_draining"))
def drains_nothing(_, queue):
    """Breaks AC-303: HoldAndDrain evicts nothing; ADM-082 must catch it."""
    return False


@wrong((QueueView, "of"))
def overlooks_the_end_of_a_queue(of, cls, obj):
    """Breaks AC-305: does not notice that a queue is being deleted; ADM-088 should catch it."""
    return replace(of(cls, obj), is_deleting=False)
