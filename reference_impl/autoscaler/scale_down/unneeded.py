"""Which nodes could go: little used, and with pods that can run elsewhere (PR-372, finding X11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reference_impl.api.resource import Json

from ..cluster_state import ClusterState, GroupNode
from ..flags import Flags
from ..loop_state import LoopState
from ..simulation.pod import Pod
from ..simulation.snapshot import ClusterSnapshot

SAFE_TO_EVICT: Final = "cluster-autoscaler.kubernetes.io/safe-to-evict"
MIRROR: Final = "kubernetes.io/config.mirror"
SCALE_DOWN_DISABLED: Final = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
KNOWN_CONTROLLERS: Final = frozenset({"Job", "ReplicaSet", "ReplicationController", "StatefulSet"})
RemovalVerdict = Literal["unneeded", "unready", "used", "blocked", "needed"]


@dataclass(frozen=True, slots=True)
class ScaleDownCandidate:
    """A node of a group with its pods, those that are booked among them."""

    member: GroupNode
    pods: Sequence[Pod]

    @property
    def movable(self) -> Sequence[Pod]:
        """Return the pods that would have to run elsewhere."""
        return [pod for pod in self.pods if not _stays_with_node(pod)]


def candidates(state: LoopState) -> Sequence[ScaleDownCandidate]:
    """Return the nodes of groups that may become smaller, in their order."""
    cluster: ClusterState = state.cluster
    unneeded = []
    for member in cluster.members:
        group = cluster.by_id.get(member.group)
        node_info = state.snapshot.node_info(member.name)
        disabled = (member.object["metadata"].get("annotations") or {}).get(SCALE_DOWN_DISABLED) == "true"
        if group is not None and node_info is not None and not disabled:
            unneeded.append(ScaleDownCandidate(member, tuple(node_info.pods)))
    return unneeded


def utilization(candidate: ScaleDownCandidate, flags: Flags) -> float:
    """Return the larger part of its processors and memory that is asked for. Pods of DaemonSets and mirror
    pods count, unless a flag leaves them out; then what they take is no room either.
    """
    ignored = [pod for pod in candidate.pods if _is_ignored(pod, flags)]
    counted = [pod for pod in candidate.pods if pod not in ignored]
    allocatable = candidate.member.shape.allocatable
    ratios = (
        _sum_requests(name, counted) / available
        for name in ("cpu", "memory")
        if (available := allocatable.get(name, 0) - _sum_requests(name, ignored)) > 0
    )
    return max(ratios, default=0.0)


def _sum_requests(resource: str, pods: Sequence[Pod]) -> int:
    return sum(pod.shape.requests.get(resource, 0) for pod in pods)


def _is_ignored(pod: Pod, flags: Flags) -> bool:
    if flags.ignore_daemonsets_utilization and _is_of_daemon_set(pod):
        return True
    return flags.ignore_mirror_pods_utilization and MIRROR in pod.annotations


def judge(candidate: ScaleDownCandidate, snapshot: ClusterSnapshot, flags: Flags) -> RemovalVerdict:
    """Say whether a node could go now; where its pods fit elsewhere they are placed there, so that the next
    sees less room.
    """
    if candidate.member.readiness != "ready" and not flags.scale_down_unready_enabled:
        return "unready"
    if utilization(candidate, flags) > flags.scale_down_utilization_threshold:
        return "used"
    movable = candidate.movable
    if any(_blocks(pod, flags) for pod in movable):
        return "blocked"
    mark = snapshot.mark()
    # Its own pods must not go back to the node that is to go.
    with snapshot.without({candidate.member.name}):
        placed = all(snapshot.place(pod) for pod in movable)
    if not placed:
        snapshot.undo(mark)
        return "needed"
    return "unneeded"


def _blocks(pod: Pod, flags: Flags) -> bool:
    """Tell whether a pod keeps its node: a booked one, one without a controller, one that says so."""
    safe = pod.annotations.get(SAFE_TO_EVICT)
    # A booked pod has no object: it stands for capacity that was promised (finding
    # X11).
    if pod.object is None:
        return True
    if safe == "true":
        return False
    # Nothing would make a pod without a controller again.
    if safe == "false" or not pod.owner:
        return True
    if flags.skip_nodes_with_custom_controller_pods and _controller(pod) not in KNOWN_CONTROLLERS:
        return True
    if pod.namespace == "kube-system" and flags.skip_nodes_with_system_pods:
        return True
    return flags.skip_nodes_with_local_storage and _has_local_storage(pod.shape.spec)


def _has_local_storage(spec: Json) -> bool:
    return any("emptyDir" in volume or "hostPath" in volume for volume in spec.get("volumes") or ())


def _stays_with_node(pod: Pod) -> bool:
    return MIRROR in pod.annotations or _is_of_daemon_set(pod)


def _is_of_daemon_set(pod: Pod) -> bool:
    return _controller(pod) == "DaemonSet"


def _controller(pod: Pod) -> str:
    """Return the kind of its controller, empty for a pod without one."""
    owners = (pod.object or {}).get("metadata", {}).get("ownerReferences") or ()
    return next((str(owner.get("kind")) for owner in owners if owner.get("controller")), "")
