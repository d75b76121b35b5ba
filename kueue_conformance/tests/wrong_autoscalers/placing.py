"""Wrong about where pods fit (PR-112, PR-330, PR-331)."""

from reference_impl.autoscaler import loop_state, orchestrator
from reference_impl.autoscaler.simulation import predicates
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot

from ..killing.planes import instead, wrong


@wrong((predicates, "_taints"))
def sees_no_taints(right, shape, node_info):
    """Breaks PR-331: puts pods where a taint keeps them away; PRQ-004 must catch it."""
    return ""


@wrong((predicates, "_labels"))
def sees_no_labels(right, shape, node_info):
    """Breaks PR-331: puts pods where they do not want to be; PRQ-004 must catch it."""
    return ""


@wrong((predicates, "_ports"))
def sees_no_ports(right, shape, node_info):
    """Breaks PR-331: puts two pods on one port; PRQ-004 must catch it."""
    return ""


@wrong((predicates, "_resources"))
def counts_processors_only(right, shape, node_info):
    """Breaks PR-330: memory and pods are never too few; PRQ-002 must catch it."""
    objection = right(shape, node_info)
    return objection if objection in ("", "Insufficient cpu") else ""


@wrong((ClusterSnapshot, "__init__"))
def fills_the_first_nodes_first(right, self, nodes=(), last_node=None):
    """Breaks PR-384: looks for a place from the first node on; PRQ-176 should catch it."""
    right(self, nodes)


instead(
    loop_state,
    "FINISHED",
    frozenset(),
    "Breaks PR-112: pods that have finished take room; PRQ-008 must catch it.",
    called="counts_finished_pods",
)


@wrong((orchestrator, "all_fit"))
def finds_room_for_some(right, pods, state):
    """Breaks PR-125: one pod that fits is enough; PRQ-002 must catch it."""
    return bool(pods) and bool(state.snapshot.place(pods[0]))


@wrong((orchestrator, "all_fit"))
def keeps_what_did_not_fit(right, pods, state):
    """Breaks PR-128: a check that failed takes room in a batch; PRQ-196 must catch it."""
    placed = [state.snapshot.place(pod) for pod in pods]
    return all(placed)


@wrong((orchestrator, "all_fit"))
def keeps_nothing_in_a_batch(right, pods, state):
    """Breaks PR-128: each request of a batch is checked against the same room; PRQ-193 must catch it."""
    mark = state.snapshot.mark()
    is_placed = right(pods, state)
    state.snapshot.undo(mark)
    return is_placed


@wrong((orchestrator, "check"))
async def makes_room_for_checks(right, answering, rules, request, state):
    """Breaks PR-126: a check of capacity makes a group grow; PRQ-104 must catch it."""
    await orchestrator.scale_up_at_once(answering, rules, request, state)
