"""Picks the request that a loop works on: one at a time (PR-120…124)."""

from __future__ import annotations

from .loop_state import LoopState
from .requests import conditions
from .requests.attempts import ScaleUpAttempts
from .requests.pods import NoPodsError, RequestPods
from .requests.request import ProvisioningRequest
from .requests.request_cache import RequestCache
from .requests.retries import RequestBackoff
from .requests.selection import SelectedRequests
from .requests.turns import RequestOrder
from .rules import AutoscalerRules


class RequestInjector:
    """Brings the pods of a request into the loop."""

    def __init__(
        self,
        *,
        requests: RequestCache,
        pods_of: RequestPods,
        rules: AutoscalerRules,
        retries: RequestBackoff,
        attempts: ScaleUpAttempts,
        instance: str,
        in_batches: bool,
    ) -> None:
        self.requests, self.pods_of, self.rules = requests, pods_of, rules
        self.retries, self.attempts, self.instance = retries, attempts, instance
        self.in_batches = in_batches
        """Whether requests to be checked are accepted with their answer, many at once."""
        self._open = SelectedRequests(requests, self._is_picked)
        self._turns = RequestOrder(rules.is_answered)

    async def inject(self, state: LoopState, current_time: float) -> None:
        """Take the first request that is due and whose pods can be made, and accept it."""
        for request in self._turns.order(self._open(), self.requests.pop_refused()):
            if self.attempts.runs_for(request):
                continue
            if not self.retries.is_due(request, current_time):
                if self.rules.is_answered(request):
                    self._open.leave_out(request)
                continue
            state.busy = True
            objection = self.rules.validate_request(request)
            if objection is not None:
                await self.requests.put_status(request, objection)
                continue
            try:
                pods = self.pods_of(request)
            except NoPodsError as error:
                await self.requests.put_status(request, conditions.no_pods(str(error)))
                continue
            accepted = () if self._is_batched(request) else self.rules.accepted_conditions
            if accepted and not await self.requests.put_status(request, *accepted):
                continue
            self._turns.take(request)
            state.injected = self.requests.get(request.key) or request
            state.requested = list(pods)
            return

    def _is_picked(self, request: ProvisioningRequest) -> bool:
        return self.rules.is_picked(self.rules.routing, request, self.instance)

    def _is_batched(self, request: ProvisioningRequest) -> bool:
        return self.in_batches and self.rules.routing.is_check(request, self.instance)
