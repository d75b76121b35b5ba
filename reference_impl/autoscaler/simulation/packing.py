"""How many new nodes of one kind some pods need: first fit, the biggest first (PR-332…336)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .node import NodeInfo, NodeShape
from .pod import Pod, PodShape
from .snapshot import ClusterSnapshot

UNLIMITED = 1 << 31


@dataclass(frozen=True, slots=True)
class BinpackingEstimate:
    """What came of it: nodes that hold a pod, and the pods that they hold."""

    nodes: int
    placed: Sequence[Pod]


def pack(
    pods: Sequence[Pod], template: NodeShape, snapshot: ClusterSnapshot, limit: int = UNLIMITED
) -> BinpackingEstimate:
    """Place pods on at most `limit` new nodes like `template`
    beside the nodes of a snapshot, which stays as it was.
    """
    mark = snapshot.mark()
    attempt = _EstimationState(snapshot, template, limit)
    for group in by_size(pods, template):
        attempt.add(group)
    packing = BinpackingEstimate(
        sum(bool(node_info.pods) for node_info in attempt.node_infos), tuple(attempt.placed)
    )
    snapshot.undo(mark)
    return packing


def by_size(pods: Sequence[Pod], template: NodeShape) -> Sequence[Sequence[Pod]]:
    """Return pods that are alike in groups, those that take the largest part of a node first (PR-333)."""
    groups: dict[PodShape, list[Pod]] = {}
    for pod in pods:
        groups.setdefault(pod.shape, []).append(pod)
    # Biggest first: first fit needs fewer nodes so. Sorted stably, so that equal shapes
    # keep the order of their pods.
    return sorted(groups.values(), key=lambda group: -_share(group[0].shape, template))


def _share(shape: PodShape, template: NodeShape) -> float:
    ratios = ((shape.requests.get(name, 0), template.allocatable.get(name, 0)) for name in ("cpu", "memory"))
    return sum(requested / there for requested, there in ratios if there)


class _EstimationState:
    """The nodes that one attempt adds."""

    def __init__(self, snapshot: ClusterSnapshot, template: NodeShape, limit: int) -> None:
        self.node_infos: list[NodeInfo] = []
        self.placed: list[Pod] = []
        self._snapshot, self._template, self._limit = snapshot, template, limit
        self._refused = False

    def add(self, pods: Sequence[Pod]) -> None:
        """Place the pods of one group: first on nodes that were added before, then on new ones (PR-334)."""
        unplaced = self._on_added(pods)
        for pod in pods[unplaced:]:
            if self._on_last(pod):
                continue
            if self.node_infos and not self.node_infos[-1].pods:
                return  # what does not fit an empty node fits none
            if self._refused or len(self.node_infos) >= self._limit:
                self._refused = True
                return
            name = f"template-node-{len(self.node_infos)}"
            self.node_infos.append(self._snapshot.add_node(self._template.with_name(name)))
            if not self._on_last(pod):
                return

    def _on_added(self, pods: Sequence[Pod]) -> int:
        """Fill the nodes that are there; return the index of the first pod that fits none of them."""
        first = 0
        for index, pod in enumerate(pods):
            # Pods that are alike fill nodes from the left: a node that was full for one
            # is full for the next. With affinity an earlier node may have become
            # possible.
            start = 0 if pod.shape.relational else first
            node_index = next(
                (k for k in range(start, len(self.node_infos)) if self._on(pod, self.node_infos[k])), None
            )
            if node_index is None:
                return index
            first = node_index
        return len(pods)

    def _on_last(self, pod: Pod) -> bool:
        return bool(self.node_infos) and self._on(pod, self.node_infos[-1])

    def _on(self, pod: Pod, node_info: NodeInfo) -> bool:
        if not self._snapshot.fits(pod, node_info):
            return False
        self._snapshot.place_anyway(pod, node_info)
        self.placed.append(pod)
        return True
