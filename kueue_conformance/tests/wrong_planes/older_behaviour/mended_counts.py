"""A v0.20 that still counts as older releases: Workloads of other queues, causes, requests, shares."""

from reference_impl.kueue.jobs import workload_construction
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.queues import shares
from reference_impl.kueue.scheduling.assignment import PodSetAssignment
from reference_impl.kueue.workload.unreserved import UnreservedReason

from ...killing.planes import wrong


@wrong((QueueManager, "pending"), dialect="v0.20")
def still_counts_the_spec_alone_after_a_delay(pending, self, workload):
    """Breaks KV-48: what comes back after a delay counts by its spec alone; QUE-600 must catch it."""
    requeued = workload.condition("Requeued") or {}
    is_back = requeued.get("reason") == "BackoffFinished"
    return PendingWorkload.of(workload, self._sent_back) if is_back else pending(self, workload)


@wrong((PodSetAssignment, "no_fit_reason"), dialect="v0.20")
def still_takes_a_mixed_request_for_one_that_waits(right, self, groups):
    """Breaks KV-52: a resource that no flavor has is waited for; QUE-375 may catch it."""
    return right(self, groups) if self.attempts else UnreservedReason.WAITING_FOR_QUOTA


@wrong((workload_construction, "describe_containers_and_pod"), dialect="v0.20")
def still_adopts_a_workload_without_claims(right, pod):
    """Breaks KV-58: resourceClaims of pods are not compared; ADM-831 may catch it."""
    return {**right(pod), "resourceClaims": None}


@wrong((shares, "measure"), dialect="v0.20")
def still_measures_an_infinite_share(_, share):
    """Breaks KV-75: the share of a cohort without weight that borrows is infinite; QUE-377 may catch it."""
    return shares.measure_with_infinity(share)


@wrong((Queues, "push"), dialect="v0.20")
def still_strands_a_workload_that_moves(push, self, pending, current_time):
    """Breaks KV-68: what moves to another ClusterQueue stays in the first; QUE-376 may catch it."""
    if self._local_queue_of.get(pending.key, pending.local_queue) == pending.local_queue:
        push(self, pending, current_time)


@wrong((QueueManager, "_leaves"), dialect="v0.20")
def still_holds_a_queue_for_a_deleted_local_queue(leaves, self, workload, **changes):
    """Breaks KV-73: a ClusterQueue is held by what used a LocalQueue that is gone; ADM-830 may catch it."""
    local = self.queues.local_queues.get(f"{workload.namespace}/{workload.queue_name}")
    if local is not None:
        leaves(self, workload, **changes)
