"""Wrong about what keeps a Workload from its queue,
and which of several things is told (AC-253, AC-281, AC-299).
"""

from reference_impl.kueue.jobs import decide
from reference_impl.kueue.queues.cluster_queues import ClusterQueues
from reference_impl.kueue.workload import queue_state, writing
from reference_impl.kueue.workload.view import GATE_ANNOTATION, Workload

from ...killing.planes import instead, wrong


def _without_gates(workload):
    metadata = workload.metadata
    remaining_fields = {
        name: value for name, value in (metadata.get("annotations") or {}).items() if name != GATE_ANNOTATION
    }
    return Workload({**workload.object, "metadata": {**metadata, "annotations": remaining_fields}})


def _is_inactive(blocker):
    return blocker is not None and blocker.message.endswith("is inactive")


@wrong((queue_state, "queue_blocker"))
def says_nothing_of_a_queue_that_takes_nobody(right, workload, world):
    """Breaks AC-253: reports missing queues,
    and not stopped ones; ADM-554 must catch it.
    """
    blocker = right(workload, world)
    return None if _is_inactive(blocker) else blocker


@wrong((queue_state, "queue_blocker"))
def takes_a_queue_that_is_known_for_active(right, workload, world):
    """Breaks AC-253: does not tell that a ClusterQueue cannot be used; ADM-555 should catch it."""
    blocker = right(workload, world)
    return None if _is_inactive(blocker) and blocker.message.startswith("ClusterQueue") else blocker


@wrong((queue_state, "queue_blocker"))
def takes_a_queue_that_is_stopped_for_missing(right, workload, world):
    """Breaks AC-253: names the LocalQueue whichever queue is stopped; ADM-554 must catch it."""
    blocker = right(workload, world)
    if not _is_inactive(blocker):
        return blocker
    return blocker._replace(message=f"LocalQueue {workload.queue_name} is inactive")


@wrong((queue_state, "give_back_gated"))
def names_the_queue_before_the_gate(right, workload, world, current_time, rules):
    """Breaks AC-299: reports a missing queue where
    the Workload is gated as well; ADM-556 should catch it.
    """
    if world.local_queue is None:
        return queue_state.explain_block(_without_gates(workload), world, current_time, rules)
    return right(workload, world, current_time, rules)


@wrong((decide, "open_gates"))
def leaves_a_gate_that_a_job_has_lost(_, snapshot):
    """Breaks AC-299: does not take the gate of a Job from its Workload; ADM-560 must catch it."""


@wrong((ClusterQueues, "measure_pending"))
def counts_as_tried_what_a_stopped_queue_holds(_, queues, name):
    """Breaks AC-395: counts what waits in a stopped ClusterQueue
    as what will be tried; ADM-035 should catch it.
    """
    queue = queues.queue_manager.queues.cluster_queues.get(name)
    for state, value in (("active", queue.pending if queue else 0), ("inadmissible", 0)):
        queues.metrics.set("kueue_pending_workloads", name, state, value=value)


@wrong((Workload, "queued_since"))
def counts_every_wait_from_the_beginning(_, workload):
    """Breaks AC-391: measures each wait for quota from the
    creation of the Workload; ADM-448 should catch it.
    """
    return workload.created


instead(
    writing,
    "APPLIED_FIELDS",
    tuple(name for name in writing.APPLIED_FIELDS if name != "resourceRequests"),
    "Breaks Q-094: never tells what was asked for a Workload that waits; ADM-561 may catch it.",
    called="tells_no_requests",
)


@wrong((Workload, "is_on_hold"))
def queues_what_is_on_hold(_, workload):
    """Breaks AC-257: takes no notice that the job of a Workload is on hold; ADM-592 should catch it."""
    return False
