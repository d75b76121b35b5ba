"""Ends expired bookings, requests and old answers at the start of a loop (PR-140…146)."""

from __future__ import annotations

from .requests.attempts import ScaleUpAttempts
from .requests.expiry import NEVER
from .requests.request import ProvisioningRequest
from .requests.request_cache import RequestCache
from .requests.selection import DueRequests
from .rules import AutoscalerRules


class RequestExpiration:
    """Writes what has ended, and deletes what was answered long ago."""

    def __init__(
        self, *, requests: RequestCache, rules: AutoscalerRules, attempts: ScaleUpAttempts, instance: str
    ) -> None:
        self.requests, self._rules, self._attempts, self._instance = requests, rules, attempts, instance
        self._over = DueRequests(requests, self._ends_after)
        self._old = DueRequests(requests, rules.deletion_time)

    async def end(self, current_time: float) -> None:
        """End expired bookings and requests, then delete (PR-143)."""
        old = self._old(current_time)
        over = [
            (request, ending.condition)
            for request in self._over(current_time)
            if self._may_end(request) and (ending := self._rules.find_expiry(request))
        ]
        for request, condition in self._rules.limit_expirations(over):
            await self.requests.put_status(request, condition)
        for request in old:
            await self.requests.delete(request)

    def _ends_after(self, request: ProvisioningRequest) -> float:
        ending = self._rules.find_expiry(request)
        return NEVER if ending is None else ending.after

    def _may_end(self, request: ProvisioningRequest) -> bool:
        """An attempt that runs is taken back first (PR-208)."""
        is_served = self._rules.routing.is_served(request, self._instance)
        return is_served and not self._attempts.runs_for(request)
