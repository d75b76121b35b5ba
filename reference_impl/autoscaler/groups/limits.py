"""How large a cluster may become: nodes, processors, memory (PR-162…166, PR-169, PR-351)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..cluster_state import ClusterState
from ..flags import Flags
from ..simulation.node import NodeShape

GIB: Final = 1 << 30
MILLI: Final = 1000


@dataclass(frozen=True, slots=True)
class ClusterResources:
    """What a cluster has, with the nodes that are on their way."""

    nodes: int
    cpu: int
    """Thousandths of a processor."""
    memory: int
    """Bytes."""

    def find_exceeded_limits(self, node: NodeShape, flags: Flags, count: int = 1) -> tuple[str, ...]:
        """Name the resources of which so many more nodes would be too much."""
        cpu = self.cpu + count * node.capacity.get("cpu", 0)
        memory = self.memory + count * node.capacity.get("memory", 0)
        exceeded_limits = (
            ("cpu", cpu > flags.cores_total.most * MILLI),
            ("memory", memory > flags.memory_total.most * GIB),
        )
        return tuple(name for name, exceeded in exceeded_limits if exceeded)

    def apply_limits(self, node: NodeShape, flags: Flags, requested: int) -> int:
        """Return how many of the wanted nodes are within all limits."""
        return next((n for n in range(requested, 0, -1) if not self.find_exceeded_limits(node, flags, n)), 0)


def sum_cluster_resources(cluster: ClusterState, upcoming: Sequence[NodeShape]) -> ClusterResources:
    """Add up the nodes that are there and those that are on their way."""
    shapes = [*(member.shape for member in cluster.members), *upcoming]
    return ClusterResources(
        nodes=len(shapes),
        cpu=sum(shape.capacity.get("cpu", 0) for shape in shapes),
        memory=sum(shape.capacity.get("memory", 0) for shape in shapes),
    )
