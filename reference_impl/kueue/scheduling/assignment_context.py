"""Where a Workload would run, as the search for flavors reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...api.resource import Json
from ..queueing.last_assignment import LastAssignment
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.tree import Node
from .preemption.targets import Preemptor


@dataclass(frozen=True, slots=True)
class AssignmentContext:
    """A ClusterQueue, its node in the quota tree, the flavors, and the search for preemption targets."""

    spec: ClusterQueueSpec
    node: Node
    flavors: Mapping[str, Json]
    preemptor: Preemptor
    last_assignment: LastAssignment | None = None
    """Where the search of the cycle before stopped, if that still holds (Q-178)."""
