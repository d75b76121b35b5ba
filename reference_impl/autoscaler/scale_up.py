"""Carries a plan out: groups are made larger one after another, and pods hear of
it (PR-172, PR-176, PR-192).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry

from . import series
from .autoscaler_state import AutoscalerState
from .cloud import Cloud, CloudError, NodeGroup, NodeGroupCreator
from .events import EventRecorder, EventType, of_object, of_pod
from .flags import Flags
from .groups.backoff import BackoffErrorInfo
from .groups.new_groups import candidate_groups
from .groups.plan import ScaleUpInfo, ScaleUpInput, ScaleUpPlan, plan
from .loop_state import LoopState
from .simulation.pod import Pod

CLOUD_ERROR: Final = "cloudProviderError"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUpOrchestrator:
    """Finds nodes for pods."""

    flags: Flags
    cloud: Cloud
    clock: Clock
    autoscaler_state: AutoscalerState
    events: EventRecorder
    metrics: Registry
    log: Logger
    status: Json
    """The object that events about groups regard."""
    random: Random | None = None

    async def serve(self, pods: Sequence[Pod], state: LoopState, *, all_or_nothing: bool = False) -> bool:
        """Have nodes added for pods; tell whether the cloud took all that was planned."""
        plan = await self.plan(pods, state, self.flags, all_or_nothing=all_or_nothing)
        if not plan.increases:
            self.tell_refusal(pods, plan)
            return False
        for increase in plan.increases:
            # The group is made before its size is set; one that cannot be made grows by
            # nothing.
            if await self._create(increase.group):
                return False
            problem = await self._grow(increase)
            if problem:
                cause = BackoffErrorInfo(CLOUD_ERROR, f"failed to increase node group size: {problem}")
                self.autoscaler_state.backoff.note_failure(increase.group.id, self.clock.now(), cause)
                return False
            state.scaled_up = True
        state.growth = plan
        self.tell_success(plan)
        return True

    async def plan(
        self, pods: Sequence[Pod], state: LoopState, flags: Flags, *, all_or_nothing: bool
    ) -> ScaleUpPlan:
        """Return which groups are to grow, and by how much; some may have to be made first."""
        current_time = self.clock.now()
        view = ScaleUpInput(
            cluster=state.cluster,
            snapshot=state.snapshot,
            size=state.size,
            flags=flags,
            backed_off=lambda group: self.autoscaler_state.backoff.is_backed_off(group, current_time),
            awaited=self.autoscaler_state.registrations.awaited_count,
            offered=await self._candidate_groups(pods, state, flags),
            random=self.random,
        )
        return plan(pods, view, all_or_nothing=all_or_nothing)

    async def order(self, increase: ScaleUpInfo) -> str:
        """Ask the cloud for nodes, of a new group if there is none;
        return what it said where it refused, else empty.
        """
        return await self._create(increase.group) or await self._grow(increase)

    async def _candidate_groups(
        self, pods: Sequence[Pod], state: LoopState, flags: Flags
    ) -> Sequence[NodeGroup]:
        """Return the groups that the cloud could make (PR-178, PR-352)."""
        if not flags.node_autoprovisioning_enabled or not isinstance(self.cloud, NodeGroupCreator):
            return ()
        machines = await self.cloud.machine_types()
        return candidate_groups(
            pods, machines, state.cluster.groups, flags.max_autoprovisioned_node_group_count
        )

    async def _create(self, group: NodeGroup) -> str:
        """Make a group that is not there yet;
        what keeps it from being made is no reason to leave it alone later.
        """
        if group.exists or not isinstance(self.cloud, NodeGroupCreator):
            return ""
        try:
            await self.cloud.create_group(group)
        except CloudError as error:
            message = f"Creating group {group.id} failed: {error}"
            self._say("Warning", "FailedToCreateNodeGroup", message)
            return str(error)
        self._say("Normal", "CreatedNodeGroup", f"Created group {group.id}")
        return ""

    async def _grow(self, increase: ScaleUpInfo) -> str:
        group, delta = increase.group, increase.delta
        change = f"size {{}}to {increase.target} instead of {group.target} (max: {group.max})"
        self._say("Normal", "ScaledUpGroup", f"Scale-up: setting group {group.id} {change.format('')}")
        try:
            await self.cloud.increase(group.id, delta)
        except CloudError as error:
            self.metrics.increment(series.FAILED_SCALE_UPS, CLOUD_ERROR)
            self._say("Warning", "FailedToScaleUpGroup", f"Scale-up failed for group {group.id}: {error}")
            return str(error)
        # Only after the cloud accepted it: otherwise the loop would wait for nodes that
        # nobody makes.
        self.autoscaler_state.registrations.note_request(group.id, delta, self.clock.now())
        self.metrics.increment(series.SCALED_UP, by=delta)
        self._say("Normal", "ScaledUpGroup", f"Scale-up: group {group.id} {change.format('set ')}")
        return ""

    def _say(self, kind: EventType, reason: str, message: str) -> None:
        self.events.record(self.status, kind, reason, message)

    def tell_success(self, plan: ScaleUpPlan) -> None:
        """Tell pods that nodes come for them."""
        message = f"pod triggered scale-up: [{' '.join(map(str, plan.increases))}]"
        for pod in plan.helped:
            self.events.record(_reference(pod), "Normal", "TriggeredScaleUp", message)

    def tell_refusal(self, pods: Sequence[Pod], plan: ScaleUpPlan) -> None:
        """Tell pods why no group helps them, or operators that no more nodes are allowed."""
        if plan.error:
            self.log.warning("no scale-up", error=plan.error)
            self._say(
                "Warning",
                "MaxNodesTotalReached",
                f"Max total nodes in cluster reached: {self.flags.max_nodes_total}",
            )
            return
        refusal = plan.refusal()
        for pod in pods if refusal else ():
            message = f"pod didn't trigger scale-up: {refusal}"
            self.events.record(_reference(pod), "Normal", "NotTriggerScaleUp", message)


def _reference(pod: Pod) -> Json:
    return of_pod(pod.namespace, pod.name) if pod.object is None else of_object(pod.object)
