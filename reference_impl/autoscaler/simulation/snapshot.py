"""The nodes of one loop with their pods: pods are placed,
and taken away again, never copied (PR-319, PR-337).
"""

from __future__ import annotations

from collections import defaultdict
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


@dataclass(slots=True)
class LastNode:
    """The node of the last search; the next one begins behind it, over pods and requests (finding N18)."""

    index: int = -1


class OpenNodes:
    """The nodes that may still take pods of one shape. What is full stays full while pods only come."""

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next: list[int] = []
        """For each node itself, or a later one to look at in its place."""

    def from_index(self, start: int, count: int) -> Iterator[int]:
        """Return the open ones of `count` nodes, once around from a start; one may be shut meanwhile."""
        self._next += range(len(self._next), count + 1)
        index = self._find(start)
        while index < count:
            yield index
            index = self._find(index + 1)
        index = self._find(0)
        while index < start:
            yield index
            index = self._find(index + 1)

    def shut(self, index: int) -> None:
        """Skip a node from now on."""
        self._next[index] = index + 1

    def _find(self, index: int) -> int:
        while self._next[index] != index:
            # Paths are halved, so that a row of full nodes is not walked again and again.
            self._next[index] = index = self._next[self._next[index]]
        return index


class ClusterSnapshot:
    """Nodes in the order in which they are tried: from the front, or behind the last node of a search."""

    def __init__(self, nodes: Iterable[NodeShape] = (), last_node: LastNode | None = None) -> None:
        self._rooms: list[NodeInfo] = []
        self._by_name: dict[str, NodeInfo] = {}
        self._placed: list[NodeInfo] = []
        self._last_node = last_node
        self._open: defaultdict[PodShape, OpenNodes] = defaultdict(OpenNodes)
        self._closed: Collection[str] = ()
        self._repelling = 0
        for node in nodes:
            self.add_node(node)

    @property
    def node_infos(self) -> Sequence[NodeInfo]:
        """Return the nodes."""
        return self._rooms

    @property
    def relational(self) -> bool:
        """Tell whether a pod here may keep others away."""
        return self._repelling > 0

    def node_info(self, name: str) -> NodeInfo | None:
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
        """Put a pod on the node of `hint`, or on the next one that takes it;
        return its name, empty when none does.
        """
        hinted = self._by_name.get(hint)
        if hinted is not None and self.fits(pod, hinted):
            self.place_anyway(pod, hinted)
            return hint
        index = self._search(pod)
        if index is None:
            return ""
        if self._last_node is not None:
            self._last_node.index = index
        self.place_anyway(pod, self._rooms[index])
        return self._rooms[index].node.name

    def _search(self, pod: Pod) -> int | None:
        """Return the index of the first node that takes a pod."""
        count = len(self._rooms)
        start = (self._last_node.index + 1) % count if self._last_node is not None and count else 0
        # With affinity a node that refused a pod may become possible later.
        open_nodes = OpenNodes() if pod.shape.relational else self._open[pod.shape]
        for index in open_nodes.from_index(start, count):
            node_info = self._rooms[index]
            if node_info.node.name in self._closed:
                continue
            if self.fits(pod, node_info):
                return index
            open_nodes.shut(index)
        return None

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
        self._open.clear()

    @contextmanager
    def without(self, names: Collection[str]) -> Iterator[None]:
        """Place nothing on some nodes for a while."""
        self._closed = names
        try:
            yield
        finally:
            self._closed = ()
