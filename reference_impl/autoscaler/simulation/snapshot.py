"""The nodes of one loop with their pods: pods are placed,
and taken away again, never copied (PR-319, PR-337).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .node import NodeInfo, NodeShape
from .pod import Pod, PodShape
from .predicates import objection


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment to which a snapshot can be taken back."""

    placed: int
    nodes: int


class Snapshot:
    """Nodes in the order in which they are tried."""

    def __init__(self, nodes: Iterable[NodeShape] = ()) -> None:
        self._rooms: list[NodeInfo] = []
        self._by_name: dict[str, NodeInfo] = {}
        self._placed: list[NodeInfo] = []
        self._full: dict[PodShape, int] = {}
        self._closed: Collection[str] = ()
        self._repelling = 0
        for node in nodes:
            self.add_node(node)

    @property
    def rooms(self) -> Sequence[NodeInfo]:
        """Return the nodes."""
        return self._rooms

    @property
    def relational(self) -> bool:
        """Tell whether a pod here may keep others away."""
        return self._repelling > 0

    def room(self, name: str) -> NodeInfo | None:
        """Return a node by its name."""
        return self._by_name.get(name)

    def __getitem__(self, name: str) -> NodeInfo:
        """Return a node that is there."""
        return self._by_name[name]

    def add_node(self, node: NodeShape) -> NodeInfo:
        """Add a node at the end."""
        node_info = NodeInfo(node)
        self._rooms.append(node_info)
        self._by_name[node.name] = node_info
        return node_info

    def place_anyway(self, pod: Pod, node_info: NodeInfo) -> None:
        """Put a pod on a node, whether it fits or not."""
        node_info.add(pod)
        self._placed.append(node_info)
        self._repelling += pod.shape.relational

    def fits(self, pod: Pod, node_info: NodeInfo) -> bool:
        """Tell whether a pod may be put on a node."""
        return not objection(pod.shape, node_info, self)

    def place(self, pod: Pod, hint: str = "") -> str:
        """Put a pod on the node of `hint` or on the first one that takes it;
        return its name, empty when none does.
        """
        hinted = self._by_name.get(hint)
        if hinted is not None and self.fits(pod, hinted):
            self.place_anyway(pod, hinted)
            return hint
        start = 0 if pod.shape.relational else self._full.get(pod.shape, 0)
        for index in range(start, len(self._rooms)):
            node_info = self._rooms[index]
            if node_info.node.name not in self._closed and self.fits(pod, node_info):
                self._full[pod.shape] = index
                self.place_anyway(pod, node_info)
                return node_info.node.name
        self._full[pod.shape] = len(self._rooms)
        return ""

    def mark(self) -> Checkpoint:
        """Return the present state for `undo`."""
        return Checkpoint(len(self._placed), len(self._rooms))

    def undo(self, mark: Checkpoint) -> None:
        """Take away what was placed and added since."""
        while len(self._placed) > mark.placed:
            pod = self._placed.pop().remove_last()
            self._repelling -= pod.shape.relational
        for node_info in self._rooms[mark.nodes :]:
            del self._by_name[node_info.node.name]
        del self._rooms[mark.nodes :]
        self._full.clear()

    @contextmanager
    def without(self, names: Collection[str]) -> Iterator[None]:
        """Place nothing on some nodes for a while."""
        self._closed = names
        self._full.clear()
        try:
            yield
        finally:
            self._closed = ()
            self._full.clear()
