"""Carries a plan out: groups are made larger one after another, and pods hear of it (PR-172, PR-176, PR-192)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from reference_impl.api.resource import Json
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry

from . import series
from .cloud import Cloud, CloudError
from .events import Events, EventType, of_object, of_pod
from .flags import Flags
from .groups.plan import Increase, Plan, View, plan
from .memory import Memory
from .scene import Scene
from .simulation.pod import Pod


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUp:
    """Finds nodes for pods."""

    flags: Flags
    cloud: Cloud
    clock: Clock
    memory: Memory
    events: Events
    metrics: Registry
    log: Logger
    status: Json
    """The object that events about groups regard."""
    random: Random | None = None

    async def serve(self, pods: Sequence[Pod], scene: Scene, *, all_or_nothing: bool = False) -> bool:
        """Have nodes added for pods; tell whether the cloud took all that was planned."""
        made = plan(pods, self._view(scene), all_or_nothing=all_or_nothing)
        if not made.increases:
            self._tell_refusal(pods, made)
            return False
        for increase in made.increases:
            if not await self._increase(increase):
                return False
            scene.scaled_up = True
        self._tell_success(made)
        return True

    def _view(self, scene: Scene) -> View:
        now = self.clock.now()
        return View(
            fleet=scene.fleet,
            snapshot=scene.snapshot,
            size=scene.size,
            flags=self.flags,
            backed_off=lambda group: self.memory.backoff.holds(group, now),
            awaited=self.memory.registrations.awaited,
            random=self.random,
        )

    async def _increase(self, increase: Increase) -> bool:
        group, delta = increase.group, increase.target - increase.group.target
        change = f"size {{}}to {increase.target} instead of {group.target} (max: {group.max})"
        self._say("Normal", "ScaledUpGroup", f"Scale-up: setting group {group.id} {change.format('')}")
        try:
            await self.cloud.increase(group.id, delta)
        except CloudError as error:
            self.memory.backoff.failed(group.id, self.clock.now())
            self.metrics.increment(series.FAILED_SCALE_UPS, "cloudProviderError")
            self._say("Warning", "FailedToScaleUpGroup", f"Scale-up failed for group {group.id}: {error}")
            return False
        self.memory.registrations.asked(group.id, delta, self.clock.now())
        self.metrics.increment(series.SCALED_UP, by=delta)
        self._say("Normal", "ScaledUpGroup", f"Scale-up: group {group.id} {change.format('set ')}")
        return True

    def _say(self, kind: EventType, reason: str, message: str) -> None:
        self.events.record(self.status, kind, reason, message)

    def _tell_success(self, made: Plan) -> None:
        message = f"pod triggered scale-up: [{' '.join(map(str, made.increases))}]"
        for pod in made.helped:
            self.events.record(_reference(pod), "Normal", "TriggeredScaleUp", message)

    def _tell_refusal(self, pods: Sequence[Pod], made: Plan) -> None:
        if made.error:
            self.log.warning("no scale-up", error=made.error)
            self._say(
                "Warning",
                "MaxNodesTotalReached",
                f"Max total nodes in cluster reached: {self.flags.max_nodes_total}",
            )
            return
        refusal = made.refusal()
        for pod in pods if refusal else ():
            message = f"pod didn't trigger scale-up: {refusal}"
            self.events.record(_reference(pod), "Normal", "NotTriggerScaleUp", message)


def _reference(pod: Pod) -> Json:
    return of_pod(pod.namespace, pod.name) if pod.object is None else of_object(pod.object)
