"""What one loop works on: nodes and pods in a snapshot, and the pods that found no
place in it (PR-112…115).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reference_impl.api.resource import Json

from .autoscaler_state import AutoscalerState
from .cluster_state import ClusterState
from .groups.limits import ClusterResources, sum_cluster_resources
from .groups.plan import ScaleUpPlan
from .requests.request import ProvisioningRequest
from .simulation.node import NodeShape
from .simulation.pod import Pod
from .simulation.snapshot import ClusterSnapshot
from .upcoming_nodes import IsRoom, nodes_on_their_way

FINISHED = frozenset({"Succeeded", "Failed"})


@dataclass(kw_only=True)
class LoopState:
    """What one loop has found and what it has used of it so far; each step of the loop changes it."""

    cluster: ClusterState
    snapshot: ClusterSnapshot
    upcoming: Sequence[NodeShape]
    pending: list[Pod]
    """Pods that a scheduler gave up on and that fit nowhere."""
    injected: ProvisioningRequest | None = None
    requested: list[Pod] = field(default_factory=list)
    """Pods of the injected request."""
    busy: bool = False
    """Whether something was done, so that the next loop follows at once."""
    scaled_up: bool = False
    growth: ScaleUpPlan | None = None
    """What the last scale-up had added, None where it added nothing."""

    def pop_growth(self) -> ScaleUpPlan | None:
        """Return what the last scale-up has added, once."""
        growth, self.growth = self.growth, None
        return growth

    @property
    def size(self) -> ClusterResources:
        """Return how large the cluster is with the nodes that are on their way."""
        return sum_cluster_resources(self.cluster, self.upcoming)


def loop_state_of(
    cluster: ClusterState,
    pods: Iterable[Json],
    autoscaler_state: AutoscalerState,
    is_room: IsRoom,
    current_time: float,
) -> LoopState:
    """Place the pods that run on their nodes, add the nodes that are on their way, and
    place what fits there.
    """
    snapshot = ClusterSnapshot((member.shape for member in cluster.members), autoscaler_state.last_node)
    waiting: list[Pod] = []
    for pod in autoscaler_state.pods(pod for pod in pods if not _is_finished(pod)):
        node_info = snapshot.node_info((pod.object.get("spec") or {}).get("nodeName") or "")
        if node_info is not None:
            snapshot.place_anyway(pod, node_info)
        elif _is_unschedulable(pod.object):
            waiting.append(pod)
    upcoming = list(nodes_on_their_way(cluster, autoscaler_state, is_room, current_time))
    for node in upcoming:
        snapshot.add_node(node)
    pending = [
        pod for pod in sorted(waiting, key=_importance) if not _has_place(pod, snapshot, autoscaler_state)
    ]
    return LoopState(cluster=cluster, snapshot=snapshot, upcoming=upcoming, pending=pending)


def _is_finished(obj: Json) -> bool:
    return (obj.get("status") or {}).get("phase") in FINISHED


def _is_unschedulable(obj: Json) -> bool:
    if (obj.get("spec") or {}).get("nodeName") or obj["metadata"].get("deletionTimestamp"):
        return False
    conditions = (obj.get("status") or {}).get("conditions") or ()
    return any(
        condition["type"] == "PodScheduled"
        and condition["status"] == "False"
        and condition.get("reason") == "Unschedulable"
        for condition in conditions
    )


def _importance(pod: Pod) -> tuple[int, float, str, str]:
    return -int(pod.shape.spec.get("priority") or 0), pod.created, pod.namespace, pod.name


def _has_place(pod: Pod, snapshot: ClusterSnapshot, autoscaler_state: AutoscalerState) -> bool:
    node_name = snapshot.place(pod, autoscaler_state.hints.get(pod.uid, ""))
    if node_name:
        autoscaler_state.hints[pod.uid] = node_name
    return bool(node_name)
