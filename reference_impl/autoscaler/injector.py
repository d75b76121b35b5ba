"""Picks the request that a loop works on: one at a time (PR-120…124)."""

from __future__ import annotations

from dataclasses import dataclass

from .loop_state import LoopState
from .requests import conditions
from .requests.attempts import Attempts
from .requests.known import KnownRequests
from .requests.pods import NoPodsError, PodsOf
from .requests.request import Request
from .requests.retries import Retries
from .rules import AutoscalerRules


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestInjector:
    """Brings the pods of a request into the loop."""

    requests: KnownRequests
    pods_of: PodsOf
    rules: AutoscalerRules
    retries: Retries
    attempts: Attempts
    instance: str
    in_batches: bool
    """Whether requests to be checked are accepted with their answer, many at once."""

    async def inject(self, state: LoopState, now: float) -> None:
        """Take the first request that is due and whose pods can be made, and accept it."""
        for request in self.requests.all():
            if not self._is_due(request, now):
                continue
            state.busy = True
            objection = self.rules.objection(request)
            if objection is not None:
                await self.requests.put(request, objection)
                continue
            try:
                pods = self.pods_of(request)
            except NoPodsError as error:
                await self.requests.put(request, conditions.no_pods(str(error)))
                continue
            accepted = () if self._is_batched(request) else self.rules.accepted
            if accepted and not await self.requests.put(request, *accepted):
                continue
            state.injected = self.requests.get(request.key) or request
            state.requested = list(pods)
            return

    def _is_due(self, request: Request, now: float) -> bool:
        """The delay is asked for last: asking doubles it."""
        picked = self.rules.picks(self.rules.routing, request, self.instance)
        return picked and not self.attempts.runs_for(request) and self.retries.is_due(request, now)

    def _is_batched(self, request: Request) -> bool:
        return self.in_batches and self.rules.routing.is_check(request, self.instance)
