"""Picks the request that a loop works on: one at a time (PR-120…124)."""

from __future__ import annotations

from dataclasses import dataclass

from .requests import conditions
from .requests.known import KnownRequests
from .requests.pods import FindTemplate, NoPodsError, pods_of
from .requests.retries import Retries
from .requests.routing import is_check, is_served
from .scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Picking:
    """Brings the pods of a request into the loop."""

    requests: KnownRequests
    template: FindTemplate
    retries: Retries
    instance: str
    in_batches: bool
    """Whether requests to be checked are accepted with their answer, many at once."""

    async def inject(self, scene: Scene, now: float) -> None:
        """Take the first request that is due and whose pods can be made, and accept it."""
        for request in self.requests.all():
            if not is_served(request, self.instance) or not self.retries.is_due(request, now):
                continue
            scene.busy = True
            try:
                pods = pods_of(request, self.template)
            except NoPodsError as error:
                await self.requests.put(request, conditions.no_pods(str(error)))
                continue
            batched = self.in_batches and is_check(request, self.instance)
            if not batched and not await self.requests.put(request, conditions.IS_ACCEPTED):
                continue
            scene.injected = self.requests.get(request.key) or request
            scene.requested = list(pods)
            return
