"""Follows the attempts that run: answers those whose nodes are ready,
takes back those that failed (PR-205, PR-206, PR-208).
"""

from __future__ import annotations

from dataclasses import dataclass

from reference_impl.runtime.clock import Clock
from reference_impl.runtime.log import Logger

from ..cloud import Cloud, CloudError, NodeGroupCreator
from ..cluster_state import ClusterState
from ..requests.attempts import ScaleUpAttempt, ScaleUpAttempts
from ..requests.request import ProvisioningRequest
from ..requests.request_cache import RequestCache
from ..requests.retries import RequestBackoff
from . import conditions
from .deadline import is_overdue
from .failed_attempts import fail


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningAttempts:
    """Goes through the attempts once a loop."""

    attempts: ScaleUpAttempts
    cloud: Cloud
    clock: Clock
    requests: RequestCache
    retries: RequestBackoff
    log: Logger

    async def watch(self, cluster: ClusterState, current_time: float) -> bool:
        """End attempts that are over; tell whether sizes have changed, so that this loop ends here."""
        if self.attempts.is_empty:
            return False
        requests = {request.uid: request for request in self.requests.all()}
        # Before machines are given out: those of a deleted request are free again.
        self.attempts.forget(requests.keys())
        self.attempts.see(cluster)
        changed = False
        for attempt in self.attempts.running:
            request = requests[attempt.uid]
            overdue = "its time is over" if is_overdue(request, current_time) else ""
            attempt.cause = attempt.cause or attempt.problem(cluster, current_time) or overdue
            if attempt.cause:
                changed = True
                await self._take_back(attempt, request, cluster)
            elif attempt.is_ready(cluster) and await self.requests.put_status(request, conditions.READY):
                self.attempts.end(attempt)
        return changed

    async def _take_back(
        self, attempt: ScaleUpAttempt, request: ProvisioningRequest, cluster: ClusterState
    ) -> None:
        """Remove what came of an attempt; where the cloud refuses, the next loop tries again."""
        machines, missing = attempt.remaining_machines(cluster)
        names = {member.provider_id: member.name for member in cluster.members}
        try:
            if missing:
                await self.cloud.decrease_target(attempt.group, missing)
            if machines:
                nodes = [(names.get(machine.id, machine.id), machine.id) for machine in machines]
                await self.cloud.delete_nodes(attempt.group, nodes)
            if attempt.makes_group and isinstance(self.cloud, NodeGroupCreator):
                await self.cloud.delete_group(attempt.group)
        except CloudError as error:
            self.log.warning("attempt not taken back", request=request.key, group=attempt.group, error=error)
            return
        self.attempts.end(attempt)
        await fail(self, request, attempt.cause)
