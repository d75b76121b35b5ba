"""The nodes of a cluster beside the groups of the cloud, as one loop sees them (PR-110, PR-323)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Literal

from reference_impl.api import instants
from reference_impl.api.resource import Json

from .cloud import Instance, NodeGroup
from .simulation.node import NodeShape

Readiness = Literal["ready", "starting", "unready"]


@dataclass(frozen=True, slots=True, eq=False)
class GroupNode:
    """A Node with what it is part of."""

    object: Json
    shape: NodeShape
    group: str
    """Empty for one that belongs to no group."""
    readiness: Readiness

    @property
    def name(self) -> str:
        """Return its name."""
        return self.shape.name

    @property
    def provider_id(self) -> str:
        """Return what the cloud calls it."""
        return str((self.object.get("spec") or {}).get("providerID") or "")


@dataclass(frozen=True)
class ClusterState:
    """All nodes, and all groups in the order of the cloud."""

    groups: Sequence[NodeGroup]
    members: Sequence[GroupNode]

    @cached_property
    def by_id(self) -> Mapping[str, NodeGroup]:
        """Return the groups by their names."""
        return {group.id: group for group in self.groups}

    @cached_property
    def by_group(self) -> Mapping[str, Sequence[GroupNode]]:
        """Return the Nodes of each group."""
        members: dict[str, list[GroupNode]] = {group.id: [] for group in self.groups}
        for member in self.members:
            members.setdefault(member.group, []).append(member)
        return members

    @cached_property
    def registered_instances(self) -> frozenset[str]:
        """Return the machines that have a Node."""
        return frozenset(member.provider_id for member in self.members if member.provider_id)

    def unregistered_instances(self, group: NodeGroup) -> Sequence[Instance]:
        """Return the machines of a group that have no Node and no error."""
        return [
            instance
            for instance in group.instances
            # Those with errors are counted as broken; twice would remove too many.
            if instance.id not in self.registered_instances
            and instance.error is None
            and instance.state != "deleting"
        ]

    def count(self, group: str, readiness: Readiness) -> int:
        """Return how many Nodes of a group are so far."""
        return sum(member.readiness == readiness for member in self.by_group.get(group, ()))

    def count_ready(self) -> int:
        """Return how many Nodes are ready."""
        return sum(member.readiness == "ready" for member in self.members)

    def example(self, group: NodeGroup) -> NodeShape | None:
        """Return what a new node of a group will be like: as the cloud says, or as one that is there."""
        if group.template is not None:
            return group.template
        # A node that still starts may lack labels or devices: only a ready one shows
        # what new ones will be like.
        ready = (member.shape for member in self.by_group.get(group.id, ()) if member.readiness == "ready")
        return next((shape for shape in ready if not shape.cordoned), None)


@dataclass(frozen=True, slots=True, eq=False)
class ParsedNode:
    """The part of a Node's state that depends on its revision only, not on time or cloud."""

    object: Json
    shape: NodeShape
    provider_id: str
    ready: bool
    age: tuple[float, str]
    """When it was made, and its name: by these nodes are sorted."""

    @classmethod
    def of(cls, node: Json) -> ParsedNode:
        """Read a Node."""
        return cls(node, NodeShape.of(node), _provider_id(node), is_ready(node), _age(node))

    def readiness(self, current_time: float, startup_seconds: float) -> Readiness:
        """Tell how far it is."""
        if self.ready:
            return "ready"
        # A node that never becomes ready counts as unready only after its time to
        # start: until then it is expected.
        return "starting" if self.age[0] + startup_seconds >= current_time else "unready"


def cluster_state_of(
    groups: Sequence[NodeGroup], nodes: Iterable[ParsedNode], current_time: float, startup_seconds: float
) -> ClusterState:
    """Bring Nodes and groups together by what the cloud calls its machines."""
    group_of = {instance.id: group.id for group in groups for instance in group.instances}
    members = [
        GroupNode(
            node.object,
            node.shape,
            group_of.get(node.provider_id, ""),
            node.readiness(current_time, startup_seconds),
        )
        for node in sorted(nodes, key=attrgetter("age"))
    ]
    return ClusterState(groups, members)


def is_ready(node: Json) -> bool:
    """Tell whether its kubelet says that it takes pods."""
    conditions = (node.get("status") or {}).get("conditions") or ()
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)


def _provider_id(node: Json) -> str:
    return str((node.get("spec") or {}).get("providerID") or "")


def _age(node: Json) -> tuple[float, str]:
    metadata = node["metadata"]
    return instants.parse(metadata["creationTimestamp"]), metadata["name"]
