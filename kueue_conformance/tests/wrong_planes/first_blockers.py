"""Wrong about what keeps a Workload from its queue, and which of several things is told (AC-253, AC-281, AC-299)."""

from reference_impl.workload import queue_state
from reference_impl.workload.view import GATE_ANNOTATION, Workload

from ..killing.planes import wrong


def _without_gates(workload):
    metadata = workload.metadata
    kept = {
        name: value for name, value in (metadata.get("annotations") or {}).items() if name != GATE_ANNOTATION
    }
    return Workload({**workload.object, "metadata": {**metadata, "annotations": kept}})


@wrong((queue_state, "_blocker"))
def says_nothing_of_a_queue_that_takes_nobody(right, workload, world):
    """Breaks AC-253: tells of queues that are missing, and not of those that are stopped; ADM-554 must catch it."""
    said = right(workload, world)
    return "" if said.endswith("is inactive") else said


@wrong((queue_state, "_blocker"))
def takes_a_queue_that_is_known_for_active(right, workload, world):
    """Breaks AC-253: does not tell that a ClusterQueue cannot be used; ADM-555 should catch it."""
    said = right(workload, world)
    return "" if said.startswith("ClusterQueue") and said.endswith("is inactive") else said


@wrong((queue_state, "_blocker"))
def takes_a_queue_that_is_stopped_for_missing(right, workload, world):
    """Breaks AC-253: tells of the LocalQueue whichever queue is stopped; ADM-554 must catch it."""
    said = right(workload, world)
    return f"LocalQueue {workload.queue_name} is inactive" if said.endswith("is inactive") else said


@wrong((queue_state, "gated"))
def names_the_queue_before_the_gate(right, workload, world, now, rules):
    """Breaks AC-299: tells of a queue that is missing where the Workload is gated as well; ADM-556 should catch it."""
    if world.local_queue is None:
        return queue_state.blocked(_without_gates(workload), world, now, rules)
    return right(workload, world, now, rules)
