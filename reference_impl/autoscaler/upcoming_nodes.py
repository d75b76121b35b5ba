"""Nodes that are on their way: they are room for pods before they are there (PR-114, PR-323)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .autoscaler_state import AutoscalerState
from .cluster_state import ClusterState
from .simulation.node import NodeShape

IsRoom = Callable[[AutoscalerState, str, float], bool]


def nodes_on_their_way(
    cluster: ClusterState, autoscaler_state: AutoscalerState, is_room: IsRoom, current_time: float
) -> Iterable[NodeShape]:
    """Return a node for each that a group still misses, where these count."""
    for group in cluster.groups:
        template = cluster.example(group)
        if template is None or not is_room(autoscaler_state, group.id, current_time):
            continue
        for index in range(autoscaler_state.registrations.upcoming(cluster, group, current_time)):
            yield template.with_name(f"template-node-for-{group.id}-{index}")


def counts_all_missing(_memory: AutoscalerState, _group: str, _current_time: float) -> bool:
    """Count all nodes that a group is to have and has not (before 1.36)."""
    return True


def counts_while_increasing(autoscaler_state: AutoscalerState, group: str, current_time: float) -> bool:
    """Count them only while the group is made larger and is not left alone; a restarted program knows of no
    growth (finding N2).
    """
    return autoscaler_state.registrations.is_growing(group) and not autoscaler_state.backoff.is_backed_off(
        group, current_time
    )
