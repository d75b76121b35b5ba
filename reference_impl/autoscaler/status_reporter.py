"""Keeps the status ConfigMap up to date, loop by loop."""

from __future__ import annotations

from dataclasses import dataclass, field

from reference_impl.api.resource import Json

from .cloud import NodeGroup
from .cluster_state import ClusterState
from .flags import Flags
from .groups.status import INITIALIZING, Seen, status_of
from .memory import Memory
from .status_map import StatusMap


@dataclass(slots=True, kw_only=True)
class StatusReporter:
    """Writes how the cluster was in a loop, unless that is not wanted."""

    flags: Flags
    memory: Memory
    map: StatusMap
    _last: Json = field(default_factory=dict, init=False)

    async def begin(self, now: float) -> None:
        """Say that the program is about to run."""
        if self.flags.write_status_configmap:
            await self.map.write(INITIALIZING, now)

    async def report(self, cluster: ClusterState, now: float) -> None:
        """Say how the cluster is, as this loop saw it."""
        if not self.flags.write_status_configmap:
            return
        memory = self.memory

        def overdue(group: NodeGroup) -> int:
            return len(memory.registrations.overdue(cluster, group, now))

        seen = Seen(
            cluster=cluster,
            flags=self.flags,
            now=now,
            awaited=memory.registrations.awaited,
            growing=memory.registrations.is_growing,
            backed_off=lambda group: memory.backoff.cause(group, now),
            overdue=overdue,
            unneeded=tuple(memory.unneeded_since),
            unneeded_seen=memory.unneeded_seen,
        )
        self._last = status_of(seen, self._last)
        await self.map.write(self._last, now)
