"""Puts the soft taint of cluster-autoscaler (PreferNoSchedule)
on nodes while they are not needed (PR-194).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from reference_impl.api.kinds import NODES
from reference_impl.api.resource import Json
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.log import Logger

from ..cluster_state import ClusterState

TO_BE_DELETED: Final = "ToBeDeletedByClusterAutoscaler"
CANDIDATE: Final = "DeletionCandidateOfClusterAutoscaler"


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftTaints:
    """Writes at most `most` Nodes a loop: first those that are needed again, then those that are not."""

    client: Client
    clock: Clock
    log: Logger
    most: int
    refused: set[str] = field(default_factory=set)
    """The Nodes whose last write failed."""

    async def update(
        self, cluster: ClusterState, unneeded: Collection[str], *, leaving: Collection[str]
    ) -> None:
        """Bring the taints of the nodes of all groups up to date;
        what was changed meanwhile follows in the next loop.
        """
        managed = [
            member.object
            for member in cluster.members
            if member.group in cluster.by_id
            and member.name not in leaving
            and not _has(member.object, TO_BE_DELETED)
        ]
        needed = [node for node in managed if _name(node) not in unneeded and _has(node, CANDIDATE)]
        marked = [node for node in managed if _name(node) in unneeded and not _has(node, CANDIDATE)]
        # A Node whose write was refused takes no place of another one.
        ordered = sorted([*needed, *marked], key=lambda node: _name(node) in self.refused)
        for node in ordered[: self.most]:
            await self._write(node)

    async def _write(self, node: Json) -> None:
        """Take the taint away from a Node that has it, and give it to one that has not."""
        remaining = [taint for taint in _taints(node) if taint["key"] != CANDIDATE]
        taint = {"key": CANDIDATE, "value": str(int(self.clock.now())), "effect": "PreferNoSchedule"}
        taints = remaining if len(remaining) < len(_taints(node)) else [*remaining, taint]
        try:
            await self.client.update(NODES, {**node, "spec": {**node["spec"], "taints": taints}})
            self.refused.discard(_name(node))
        except (ApiError, UnreachableError, TimeoutError) as error:
            self.refused.add(_name(node))
            self.log.warning("soft taint not written", node=_name(node), error=error)


def _name(node: Json) -> str:
    return str(node["metadata"]["name"])


def _taints(node: Json) -> Sequence[Json]:
    return (node.get("spec") or {}).get("taints") or ()


def _has(node: Json, key: str) -> bool:
    return any(taint["key"] == key for taint in _taints(node))
