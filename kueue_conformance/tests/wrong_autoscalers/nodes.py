"""Wrong about nodes that go, and about the whole way from a Job to its nodes (PR-193…198, PR-373, CV-35)."""

from reference_impl.autoscaler.consumers import ConsumerPodsFilter
from reference_impl.autoscaler.requests.request_cache import RequestCache
from reference_impl.autoscaler.scale_down.controller import ScaleDownController
from reference_impl.autoscaler.scale_up import ScaleUpOrchestrator
from reference_impl.autoscaler.simulation import predicates

from ..killing.planes import wrong


@wrong((predicates, "_is_cordoned"))
def uses_nodes_that_are_cordoned(right, shape, node_info):
    """Breaks PR-331: finds room on a node that is out of use; PRQ-004 must catch it."""
    return ""


@wrong((ScaleDownController, "_untaint"))
async def leaves_the_taint_of_a_deletion(right, self, node):
    """Breaks PR-373: a node that could not be deleted takes no pod any more; PRQ-174 should catch it."""


@wrong((ScaleDownController, "clean_up"))
async def keeps_taints_of_a_run_before(right, self, cluster):
    """Breaks PR-198: does not take the taint away that a run before has left; PRQ-175 should catch it."""


@wrong((ScaleDownController, "_is_resting"))
def gives_up_after_a_refused_deletion(right, self, state, current_time):
    """Breaks PR-373: deletes nothing more once the cloud has refused a deletion; PRQ-263 must catch it."""
    return self.autoscaler_state.scale_down_failed > float("-inf") or right(self, state, current_time)


@wrong((ConsumerPodsFilter, "leave_out"))
def replaces_machines_for_consumers(right, self, state):
    """Breaks PR-180: asks for other nodes when those of a request did not come; PRQ-264 must catch it."""


@wrong((ScaleUpOrchestrator, "_grow"))
async def asks_for_one_node_more(right, self, increase):
    """Breaks PR-153: asks for a node more than the pods of a request need; PRQ-267 must catch it."""
    from dataclasses import replace

    return await right(self, replace(increase, target=increase.target + 1))


DELETED = {}


@wrong((RequestCache, "read"))
def books_for_deleted_requests(right, self, key):
    """Breaks PR-197: keeps the nodes of a request that is deleted; PRQ-266 must catch it."""
    request = right(self, key)
    if request is not None and request.is_true("Provisioned"):
        DELETED[key] = request
    return DELETED.get(key) if request is None else request
