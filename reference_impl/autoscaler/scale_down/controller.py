"""Follows since when nodes are not needed, and deletes those that were not for
long enough (PR-194, PR-373).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.api.kinds import NODES
from reference_impl.api.resource import Json, Key
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry

from .. import series
from ..autoscaler_state import AutoscalerState
from ..cloud import Cloud, CloudError, NodeGroupCreator
from ..cluster_state import ClusterState
from ..events import EventRecorder, of_object
from ..flags import Flags
from ..loop_state import LoopState
from .soft_taints import TO_BE_DELETED, SoftTaints
from .unneeded import ScaleDownCandidate, candidates, judge


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleDownController:
    """Makes groups smaller."""

    flags: Flags
    cloud: Cloud
    client: Client
    clock: Clock
    autoscaler_state: AutoscalerState
    events: EventRecorder
    metrics: Registry
    log: Logger
    status: Json
    soft_taints: SoftTaints

    async def run(self, state: LoopState, current_time: float) -> None:
        """Look which nodes are not needed, delete those whose time has come, and mark the others."""
        unneeded = self._find_unneeded(state, current_time)
        self.autoscaler_state.unneeded_seen = current_time
        since = self.autoscaler_state.unneeded_since
        self.autoscaler_state.unneeded_since = {
            candidate.member.name: since.get(candidate.member.name, current_time) for candidate in unneeded
        }
        failed = self.autoscaler_state.deletion_failed
        self.autoscaler_state.deletion_failed = {
            name: failed[name] for name in failed.keys() & self.autoscaler_state.unneeded_since
        }
        due = () if self._is_resting(state, current_time) else self._due(unneeded, state, current_time)
        for candidate in due:
            await self._delete(candidate, state)
        if not any(candidate.movable for candidate in due) and not self._is_resting(state, current_time):
            await self._remove_empty_groups(state)
        names = {candidate.member.name for candidate in unneeded}
        await self.soft_taints.update(
            state.cluster, names, leaving={candidate.member.name for candidate in due}
        )

    async def _remove_empty_groups(self, state: LoopState) -> None:
        """Remove the groups that were made when they were needed and have no nodes any more."""
        if not isinstance(self.cloud, NodeGroupCreator):
            return
        for group in state.cluster.groups:
            if group.autoprovisioned and group.target == 0 and not group.instances:
                try:
                    await self.cloud.delete_group(group.id)
                except CloudError as error:
                    self.log.warning("group not removed", group=group.id, error=error)

    def _due(
        self, unneeded: Sequence[ScaleDownCandidate], state: LoopState, current_time: float
    ) -> Sequence[ScaleDownCandidate]:
        """Return those that are deleted in this loop: empty ones together, else one with its pods."""
        # One whose deletion was refused lets the others go first.
        failed = self.autoscaler_state.deletion_failed
        in_turn = sorted(unneeded, key=lambda candidate: failed.get(candidate.member.name, 0.0))
        due = self._within_minimum(
            [candidate for candidate in in_turn if self._is_due(candidate, current_time)], state
        )
        empty = [candidate for candidate in due if not candidate.movable]
        return empty[: self.flags.max_scale_down_parallelism] or due[:1]

    def _find_unneeded(self, state: LoopState, current_time: float) -> Sequence[ScaleDownCandidate]:
        """Judge the nodes; one that cannot go is not looked at again for a while (finding X11)."""
        unneeded = []
        mark = state.snapshot.mark()
        guarded = self.autoscaler_state.attempts.machines
        judged = [candidate for candidate in candidates(state) if candidate.member.provider_id not in guarded]
        unremovable_until = self.autoscaler_state.unremovable_until
        until = {
            candidate.member.name: unremovable_until[candidate.member.name]
            for candidate in judged
            if candidate.member.name in unremovable_until
        }
        self.autoscaler_state.unremovable_until = until
        for candidate in judged:
            name = candidate.member.name
            if until.get(name, current_time) > current_time:
                continue
            verdict = judge(candidate, state.snapshot, self.flags)
            if verdict == "unneeded":
                unneeded.append(candidate)
            elif verdict in {"blocked", "needed"}:
                until[name] = current_time + self.flags.unremovable_node_recheck_timeout
        state.snapshot.undo(mark)
        return unneeded

    def _is_resting(self, state: LoopState, current_time: float) -> bool:
        flags, autoscaler_state = self.flags, self.autoscaler_state
        return (
            state.scaled_up
            or autoscaler_state.scaled_up + flags.scale_down_delay_after_add > current_time
            or autoscaler_state.scale_down_failed + flags.scale_down_delay_after_failure > current_time
            or autoscaler_state.deleted + flags.scale_down_delay_after_delete > current_time
        )

    def _is_due(self, candidate: ScaleDownCandidate, current_time: float) -> bool:
        ready = candidate.member.readiness == "ready"
        needed = self.flags.scale_down_unneeded_time if ready else self.flags.scale_down_unready_time
        return self.autoscaler_state.unneeded_since[candidate.member.name] + needed < current_time

    def _within_minimum(
        self, due: Sequence[ScaleDownCandidate], state: LoopState
    ) -> Sequence[ScaleDownCandidate]:
        """Leave each group its least size; one of all nodes or none gives all of them."""
        allowed: list[ScaleDownCandidate] = []
        for group in state.cluster.groups:
            mine = [candidate for candidate in due if candidate.member.group == group.id]
            if group.zero_or_max and len(mine) < group.target:
                continue
            allowed += mine[: max(0, group.target - group.min)]
        return allowed

    async def _delete(self, candidate: ScaleDownCandidate, state: LoopState) -> None:
        member, name = candidate.member, candidate.member.name
        empty = not candidate.movable
        if empty:
            self._say("ScaleDownEmpty", f"Scale-down: removing empty node {name}")
        try:
            await self._taint(member.object)
            self.events.record(
                of_object(member.object),
                "Normal",
                "ScaleDown",
                "marked the node as toBeDeleted/unschedulable",
            )
            for pod in candidate.movable:
                if (pod.object.get("spec") or {}).get("nodeName"):
                    await self._evict(pod.object)
            await self.cloud.delete_nodes(member.group, [(name, member.provider_id)])
        except (ApiError, UnreachableError, CloudError) as error:
            self.log.warning("node not removed", node=name, error=error)
            self.autoscaler_state.scale_down_failed = self.autoscaler_state.deletion_failed[name] = (
                self.clock.now()
            )
            await self._untaint(member.object)
            return
        state.busy = True
        self.autoscaler_state.deleted = self.clock.now()
        self.autoscaler_state.resizes += 1
        self.autoscaler_state.unneeded_since.pop(name, None)
        self.autoscaler_state.deletion_failed.pop(name, None)
        self.metrics.increment(series.SCALED_DOWN, "empty" if empty else "underutilized")
        self._say(
            "ScaleDownEmpty" if empty else "ScaleDown",
            f"Scale-down: {'empty ' if empty else ''}node {name} removed",
        )

    async def clean_up(self, cluster: ClusterState) -> None:
        """Once: take the taint away that a run before this one has left on a node of a group when it ended
        within a deletion.
        """
        if self.autoscaler_state.cleaned_up:
            return
        self.autoscaler_state.cleaned_up = True
        for member in cluster.members:
            if member.group and any(taint["key"] == TO_BE_DELETED for taint in member.shape.taints):
                await self._untaint(member.object)

    async def _taint(self, node: Json) -> None:
        taint = {"key": TO_BE_DELETED, "value": str(int(self.clock.now())), "effect": "NoSchedule"}
        await self._write_taints(node, [*_other_taints(node), taint])

    async def _untaint(self, node: Json) -> None:
        try:
            await self._write_taints(node, _other_taints(node))
        except (ApiError, UnreachableError) as error:
            self.log.warning("taint not removed", node=node["metadata"]["name"], error=error)

    async def _write_taints(self, node: Json, taints: Sequence[Json]) -> None:
        await self.client.patch(NODES, Key("", node["metadata"]["name"]), {"spec": {"taints": taints}})

    async def _evict(self, pod: Json) -> None:
        metadata = pod["metadata"]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}/eviction"
        body = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
        }
        await self.client.request("POST", path, body=body)

    def _say(self, reason: str, message: str) -> None:
        self.events.record(self.status, "Normal", reason, message)


def _other_taints(node: Json) -> Sequence[Json]:
    """Return the taints of a Node but for that of a deletion."""
    return [taint for taint in (node.get("spec") or {}).get("taints") or () if taint["key"] != TO_BE_DELETED]
