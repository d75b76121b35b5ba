"""The model as the `Cloud` of an autoscaler in this process, without the
externalgrpc protocol between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reference_impl.autoscaler.cloud import CloudError, MachineType, NodeGroup
from reference_impl.autoscaler.simulation.node import NodeShape

from .actions import CallRefusal
from .groups import NodeGroupSpec
from .model import CloudModel
from .nodes import template


@dataclass(frozen=True, slots=True)
class MachineOffer:
    """What a group may be made of: a group like `machine`,
    whose nodes may be given taints of these keys (PR-314).
    """

    machine: NodeGroupSpec
    allowed_taints: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InProcessCloud:
    """Raises CloudError with the text that a gRPC client in Go would show.

    A call that hangs fails at once: no time passes here.
    """

    model: CloudModel
    offers: Sequence[MachineOffer] = ()
    """Without any, no groups are made."""

    async def groups(self) -> Sequence[NodeGroup]:
        """Return the groups that the cloud lists."""
        try:
            return self.model.groups()
        except CallRefusal as refusal:
            raise CloudError(str(refusal)) from None

    async def increase(self, group: str, delta: int) -> None:
        """Have so many nodes more."""
        try:
            self.model.increase(group, delta)
        except CallRefusal as refusal:
            raise CloudError(str(refusal)) from None

    async def decrease_target(self, group: str, delta: int) -> None:
        """Give up so many nodes that never came."""
        try:
            self.model.decrease_target(group, delta)
        except CallRefusal as refusal:
            raise CloudError(str(refusal)) from None

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        """Remove nodes."""
        try:
            self.model.delete_nodes(group, [provider for _, provider in nodes])
        except CallRefusal as refusal:
            raise CloudError(str(refusal)) from None

    async def machine_types(self) -> Sequence[MachineType]:
        """Return what groups could be made of."""
        return [
            MachineType(offer.machine.id, NodeShape.of(template(offer.machine)), offer.allowed_taints)
            for offer in self.offers
        ]

    async def create_group(self, group: NodeGroup) -> None:
        """Make an empty group of the machines that its id names, with the taints of its template."""
        machine = next(
            (offer.machine for offer in self.offers if group.id.startswith(f"nap-{offer.machine.id}-")), None
        )
        if machine is None:
            raise CloudError(f"rpc error: code = NotFound desc = no machines are offered for {group.id!r}")
        taints = group.template.taints if group.template else machine.taints
        spec = replace(
            machine, id=group.id, min=0, max=group.max, target=0, taints=taints, autoprovisioned=True
        )
        try:
            self.model.create_group(spec)
        except CallRefusal as refusal:
            raise CloudError(str(refusal)) from None

    async def delete_group(self, group: str) -> None:
        """Remove a group without nodes."""
        try:
            self.model.delete_group(group)
        except CallRefusal as refusal:
            raise CloudError(str(refusal)) from None

    async def close(self) -> None:
        """Do nothing: there is no connection."""
