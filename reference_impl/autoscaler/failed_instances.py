"""Puts right what the cloud did not do: machines with errors, without a Node, or not even listed (PR-113,
PR-358, PR-359, findings X9, N7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.api.resource import Json
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry

from . import series
from .autoscaler_state import AutoscalerState
from .cloud import Cloud, CloudError, Instance, NodeGroup
from .cluster_state import ClusterState
from .events import EventRecorder
from .groups.backoff import BackoffErrorInfo
from .groups.registration import TimedOutNodes, find_failed_instances


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedInstances:
    """Gives up what does not come, and leaves its group alone for a while."""

    cloud: Cloud
    autoscaler_state: AutoscalerState
    events: EventRecorder
    metrics: Registry
    log: Logger
    status: Json

    async def remove(
        self, cluster: ClusterState, timed_out: Sequence[TimedOutNodes], current_time: float
    ) -> bool:
        """Remove failed instances; tell whether this loop ends here, since sizes have changed."""
        for over in timed_out:
            self._tell_time_out(over, current_time)
        for group in cluster.groups:
            await self._remove_overdue(
                group, self.autoscaler_state.registrations.overdue(cluster, group, current_time)
            )
        ended = False
        for name, instances in find_failed_instances(cluster.groups).items():
            ended |= await self._remove_broken(cluster.by_id[name], instances, current_time)
        for group in cluster.groups:
            missing = self.autoscaler_state.registrations.missing(group, current_time)
            if missing:
                ended |= await self._decrease(group, missing)
        return ended

    def tell_unhealthy(self, message: str = "Cluster is unhealthy") -> None:
        """Say that nothing is done in a cluster that is not well."""
        self.events.record(self.status, "Warning", "ClusterUnhealthy", message)

    def _tell_time_out(self, over: TimedOutNodes, current_time: float) -> None:
        cause = BackoffErrorInfo(
            "timeout", f"Scale-up timed out for node group {over.group} after {over.seconds:.9f}s"
        )
        self.autoscaler_state.backoff.note_failure(over.group, current_time, cause)
        self.metrics.increment(series.FAILED_SCALE_UPS, "timeout")
        message = f"Nodes added to group {over.group} failed to register within {over.seconds:.9f}s"
        self.events.record(self.status, "Warning", "ScaleUpTimedOut", message)

    async def _remove_overdue(self, group: NodeGroup, instances: Sequence[Instance]) -> None:
        # Never below the minimum of a group, however broken its machines are.
        removable = list(instances[: max(0, group.target - group.min)])
        if not removable:
            return
        try:
            await self.cloud.delete_nodes(group.id, [(instance.id, instance.id) for instance in removable])
        except CloudError as error:
            for instance in removable:
                message = f"Failed to remove node {instance.id}: {error}"
                self.events.record(self.status, "Warning", "DeleteUnregisteredFailed", message)
            return
        for instance in removable:
            self.events.record(
                self.status, "Normal", "DeleteUnregistered", f"Removed unregistered node {instance.id}"
            )

    async def _decrease(self, group: NodeGroup, missing: int) -> bool:
        """Give up nodes that a group counts and does not list; tell whether the cloud took it."""
        try:
            await self.cloud.decrease_target(group.id, missing)
        except CloudError as error:
            # One group that cannot be put right keeps no other from its nodes.
            self.log.warning("group not decreased", group=group.id, error=error)
            return False
        return True

    async def _remove_broken(
        self, group: NodeGroup, instances: Sequence[Instance], current_time: float
    ) -> bool:
        """Delete machines that the cloud reports as failed, with one event for each cause;
        tell whether the cloud took it.
        """
        causes: dict[str, list[str]] = {}
        for instance in instances:
            error = instance.error
            assert error is not None
            # The real one has two classes of errors, and both back the group off.
            kind = "OutOfResource" if error.out_of_resources else "Other"
            causes.setdefault(f"{kind}.{error.code}", []).append(error.message)
        for cause, messages in causes.items():
            detail = ", ".join(dict.fromkeys(messages))
            message = f"Failed adding {len(messages)} nodes to group {group.id} due to {cause}; source errors: {detail}"
            self.events.record(self.status, "Warning", "ScaleUpFailed", message)
            self.metrics.increment(series.FAILED_SCALE_UPS, cause)
        # Only what was asked for in this life backs off: after a restart nothing is
        # known of earlier requests.
        if self.autoscaler_state.registrations.is_growing(group.id):
            error = instances[-1].error
            assert error is not None
            self.autoscaler_state.backoff.note_failure(
                group.id, current_time, BackoffErrorInfo(error.code, error.message)
            )
        try:
            await self.cloud.delete_nodes(group.id, [(instance.id, instance.id) for instance in instances])
        except CloudError as error:
            self.log.warning("failed machines not removed", group=group.id, error=error)
            return False
        return True
