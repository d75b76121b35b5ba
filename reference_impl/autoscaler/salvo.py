"""Several scale-ups in one loop, each on the nodes of those before it (`--salvo-scale-up`, PR-118a)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from reference_impl.runtime.clock import Clock

from .cluster_state import ClusterState
from .groups.plan import ScaleUpInfo, ScaleUpPlan
from .loop_state import LoopState
from .simulation.node import NodeInfo
from .simulation.pod import Pod

ScaleUpOnce = Callable[[Sequence[Pod], LoopState], Awaitable[None]]


async def repeat_scale_up(
    once: ScaleUpOnce, pods: Sequence[Pod], state: LoopState, clock: Clock, budget: float
) -> None:
    """Scale up until one adds no nodes, nothing waits any more, or the budget in seconds is used.

    A scale-up that has begun is never cut short. A check that finds its capacity adds no nodes, and so ends
    the scale-ups of its loop.
    """
    began, number = clock.elapsed(), 0
    waiting = pods
    while True:
        await once(waiting, state)
        growth = state.pop_growth()
        if growth is None:
            return
        helped = {pod.uid for pod in growth.helped if pod.object is not None}
        waiting = [pod for pod in waiting if pod.uid not in helped]
        nothing_waits = not waiting and not state.requested
        if nothing_waits or clock.elapsed() - began >= budget or not _add_growth(growth, state, number):
            return
        number += 1


def _add_growth(growth: ScaleUpPlan, state: LoopState, number: int) -> bool:
    """Put the nodes that come into the snapshot, with the pods that they are for;
    tell whether all of these have a place.
    """
    added = [node_info for increase in growth.increases for node_info in _add_nodes(increase, state, number)]
    state.upcoming = (*state.upcoming, *(node_info.node for node_info in added))
    state.cluster = _grown(state.cluster, growth.increases)
    for pod in growth.helped:
        node_info = next((node_info for node_info in added if state.snapshot.fits(pod, node_info)), None)
        if node_info is None:
            return False
        state.snapshot.place_anyway(pod, node_info)
    return True


def _add_nodes(increase: ScaleUpInfo, state: LoopState, number: int) -> Sequence[NodeInfo]:
    template = state.cluster.example(increase.group)
    if template is None:
        return ()
    names = (
        f"template-node-for-{increase.group.id}-{index}-salvo-{number}" for index in range(increase.delta)
    )
    return [state.snapshot.add_node(template.with_name(name)) for name in names]


def _grown(cluster: ClusterState, increases: Sequence[ScaleUpInfo]) -> ClusterState:
    """Return the cluster with the sizes that its groups were given."""
    added = Counter({increase.group.id: increase.delta for increase in increases})
    groups = [replace(group, target=group.target + added[group.id]) for group in cluster.groups]
    return ClusterState(groups, cluster.members)
