"""Serves the requests of one loop: first those that only ask whether there is room, then those that may have nodes added (PR-137)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.runtime.clock import Clock

from .flags import Flags
from .requests import conditions
from .requests.attempts import Attempts
from .requests.conditions import Condition
from .requests.known import KnownRequests
from .requests.pods import NoPodsError, PodsOf
from .requests.request import Request
from .requests.retries import Retries
from .rules import AutoscalerRules
from .scale_up import ScaleUp
from .scene import Scene
from .simulation.pod import Pod


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestClasses:
    """Answers requests by their class."""

    flags: Flags
    clock: Clock
    requests: KnownRequests
    pods_of: PodsOf
    rules: AutoscalerRules
    retries: Retries
    attempts: Attempts
    scale_up: ScaleUp

    async def serve(self, scene: Scene) -> None:
        """Answer the requests of this loop."""
        instance = self.flags.check_capacity_processor_instance
        if self.flags.check_capacity_batch_processing and await self._check_batch(scene, instance):
            return
        request = scene.injected
        if request is None:
            return
        if self.rules.routing.is_check(request, instance):
            if not self.flags.check_capacity_batch_processing:
                await self.rules.answer_check(self, request, scene)
        elif self.rules.routing.is_atomic(request, instance):
            await self.rules.answer_atomic(self, request, scene)

    async def check(self, request: Request, scene: Scene) -> None:
        """Answer one that was accepted before (PR-125)."""
        answer = self._found(request, scene.requested, scene)
        scene.scaled_up |= answer is conditions.FOUND
        await self.requests.put(request, answer)

    async def _check_batch(self, scene: Scene, instance: str) -> bool:
        """Answer as many as a batch has, each beside those before it; tell whether there were any (PR-128, PR-129)."""
        began, answered = self.clock.elapsed(), 0
        for request in self.requests.all():
            if answered >= max(1, self.flags.check_capacity_provisioning_request_max_batch_size):
                break
            if not self.rules.routing.is_check(request, instance) or not self.retries.is_due(
                request, self.clock.now()
            ):
                continue
            try:
                pods = self.pods_of(request)
            except NoPodsError as error:
                await self.requests.put(request, conditions.no_pods(str(error)))
                continue
            answer = self._found(request, pods, scene)
            scene.scaled_up |= answer is conditions.FOUND
            await self.requests.put(request, *self.rules.accepted, answer)
            answered += 1
            if self.clock.elapsed() - began > self.flags.check_capacity_provisioning_request_batch_timebox:
                break
        return answered > 0

    async def scale_up_at_once(self, request: Request, scene: Scene) -> None:
        """Have all nodes added that are missing, or none (PR-150…155)."""
        left = [pod for pod in scene.requested if not scene.snapshot.place(pod)]
        if not left:
            await self.rules.write_atomic(self.requests, request, conditions.FOUND)
            return
        done = await self.scale_up.serve(left, scene, all_or_nothing=True)
        answer = conditions.SCALED_UP if done else conditions.NOT_FOUND
        await self.rules.write_atomic(self.requests, request, answer)

    def _found(self, request: Request, pods: Sequence[Pod], scene: Scene) -> Condition:
        if all_fit(pods, scene):
            return conditions.FOUND
        return conditions.NEVER_FOUND if self.rules.gives_up(request) else conditions.NOT_FOUND


def all_fit(pods: Sequence[Pod], scene: Scene) -> bool:
    """Place all pods, or none; tell whether they fit."""
    mark = scene.snapshot.mark()
    if all(scene.snapshot.place(pod) for pod in pods):
        return True
    scene.snapshot.undo(mark)
    return False
