"""Is the cluster, and is a group, well enough to be changed? (PR-113, PR-160, finding N13)"""

from __future__ import annotations

from ..cloud import NodeGroup
from ..cluster_state import ClusterState
from ..flags import Flags


def is_cluster_healthy(cluster: ClusterState, flags: Flags) -> bool:
    """Tell whether not too many nodes are unready; those that only start do not count."""
    unready = sum(member.readiness == "unready" for member in cluster.members)
    return not _too_many(unready, len(cluster.members), flags)


def is_group_healthy(cluster: ClusterState, group: NodeGroup, awaited: int, flags: Flags) -> bool:
    """Tell whether not too many nodes of a group are missing;
    those that are waited for or only start do not count.
    """
    ready, starting = cluster.count(group.id, "ready"), cluster.count(group.id, "starting")
    # Nodes on their way are no failures of the group.
    expected = group.target - awaited - starting
    registered = ready + starting + cluster.count(group.id, "unready")
    return not _too_many(max(0, expected - ready), registered, flags)


def _too_many(unready: int, registered: int, flags: Flags) -> bool:
    return (
        # Both limits must be exceeded: a small cluster may lose its only node, a large
        # one some per cent.
        unready > flags.ok_total_unready_count
        and unready > registered * flags.max_total_unready_percentage / 100
    )
