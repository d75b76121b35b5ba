"""The model as the `Cloud` of an autoscaler in this process, without the externalgrpc protocol between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.autoscaler.cloud import CloudError, NodeGroup

from .actions import Refusal
from .model import CloudModel


@dataclass(frozen=True, slots=True)
class InProcessCloud:
    """Raises CloudError with the text that a gRPC client in Go would show. A call that hangs fails at once: no time passes here."""

    model: CloudModel

    async def groups(self) -> Sequence[NodeGroup]:
        """Return the groups as the cloud tells of them."""
        try:
            return self.model.groups()
        except Refusal as refusal:
            raise CloudError(str(refusal)) from None

    async def increase(self, group: str, delta: int) -> None:
        """Have so many nodes more."""
        try:
            self.model.increase(group, delta)
        except Refusal as refusal:
            raise CloudError(str(refusal)) from None

    async def decrease_target(self, group: str, delta: int) -> None:
        """Give up so many nodes that never came."""
        try:
            self.model.decrease_target(group, delta)
        except Refusal as refusal:
            raise CloudError(str(refusal)) from None

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        """Remove nodes."""
        try:
            self.model.delete_nodes(group, [provider for _, provider in nodes])
        except Refusal as refusal:
            raise CloudError(str(refusal)) from None

    async def close(self) -> None:
        """Do nothing: there is no connection."""
