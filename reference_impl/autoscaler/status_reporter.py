"""Keeps the status ConfigMap up to date, loop by loop."""

from __future__ import annotations

from dataclasses import dataclass, field

from reference_impl.api.resource import Json

from .autoscaler_state import AutoscalerState
from .cloud import NodeGroup
from .cluster_state import ClusterState
from .flags import Flags
from .groups.status import INITIALIZING, StatusInput, status_of
from .status_map import StatusMap


@dataclass(slots=True, kw_only=True)
class StatusReporter:
    """Writes how the cluster was in a loop, unless that is not wanted."""

    flags: Flags
    autoscaler_state: AutoscalerState
    map: StatusMap
    _last: Json = field(default_factory=dict, init=False)

    async def begin(self, current_time: float) -> None:
        """Say that the program is about to run."""
        if self.flags.write_status_configmap:
            await self.map.write(INITIALIZING, current_time)

    async def report(self, cluster: ClusterState, current_time: float) -> None:
        """Say how the cluster is, as this loop saw it."""
        if not self.flags.write_status_configmap:
            return
        autoscaler_state = self.autoscaler_state

        def overdue(group: NodeGroup) -> int:
            return len(autoscaler_state.registrations.overdue(cluster, group, current_time))

        observed = StatusInput(
            cluster=cluster,
            flags=self.flags,
            current_time=current_time,
            awaited=autoscaler_state.registrations.awaited_count,
            growing=autoscaler_state.registrations.is_growing,
            backed_off=lambda group: autoscaler_state.backoff.cause(group, current_time),
            overdue=overdue,
            unneeded=tuple(autoscaler_state.unneeded_since),
            unneeded_seen=autoscaler_state.unneeded_seen,
        )
        self._last = status_of(observed, self._last)
        await self.map.write(self._last, current_time)
