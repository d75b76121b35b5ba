"""What the autoscaler knows of a cloud: node groups whose size it may change.

Where the machines come from is behind this Protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from ..simulation.node import NodeShape

InstanceState = Literal["running", "creating", "deleting"]


class CloudError(Exception):
    """The cloud refused something, or did not answer; the text is what it said."""


@dataclass(frozen=True, slots=True)
class InstanceErrorInfo:
    """Why a machine does not come."""

    code: str
    message: str
    out_of_resources: bool


@dataclass(frozen=True, slots=True)
class Instance:
    """A machine of a group: `id` is what its Node has as `spec.providerID`."""

    id: str
    state: InstanceState
    error: InstanceErrorInfo | None = None


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Machines of one kind: how many there are to be, and those that the cloud lists."""

    id: str
    min: int
    max: int
    target: int
    instances: Sequence[Instance]
    template: NodeShape | None
    """A node of the group before it has any; None where the cloud has no answer."""
    zero_or_max: bool = False
    exists: bool = True
    """Whether the cloud has it; one that could be made is not there yet."""
    autoprovisioned: bool = False
    """Whether it was made when it was needed, and goes when it is empty."""

    @property
    def room(self) -> int:
        """Return by how many nodes it may grow."""
        return self.max - self.target


class Cloud(Protocol):
    """Node groups. All methods raise CloudError."""

    async def groups(self) -> Sequence[NodeGroup]:
        """Return the current groups."""

    async def increase(self, group: str, delta: int) -> None:
        """Have so many nodes more."""

    async def decrease_target(self, group: str, delta: int) -> None:
        """Give up so many nodes that were asked for and never came; `delta` is positive."""

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        """Remove nodes, (name, providerID) each; the name of one that never had a Node is its providerID."""

    async def close(self) -> None:
        """Let go of the connection."""


@dataclass(frozen=True, slots=True)
class MachineType:
    """What a new group may be made of (PR-314)."""

    name: str
    template: NodeShape
    allowed_taints: frozenset[str] = frozenset()
    """The keys of taints that its nodes may be given."""


@runtime_checkable
class NodeGroupCreator(Protocol):
    """A cloud that makes groups when they are needed. The methods raise CloudError."""

    async def machine_types(self) -> Sequence[MachineType]:
        """Return what groups could be made of."""

    async def create_group(self, group: NodeGroup) -> None:
        """Make an empty group, which `groups` lists from then on as `autoprovisioned`."""

    async def delete_group(self, group: str) -> None:
        """Remove a group without nodes."""
