"""Ends expired bookings, requests and old answers at the start of a loop (PR-140…146)."""

from __future__ import annotations

from .requests.attempts import Attempts
from .requests.expiry import NEVER
from .requests.known import KnownRequests
from .requests.request import Request
from .requests.selection import Due
from .rules import AutoscalerRules


class Expiration:
    """Writes what has ended, and deletes what was answered long ago."""

    def __init__(
        self, *, requests: KnownRequests, rules: AutoscalerRules, attempts: Attempts, instance: str
    ) -> None:
        self.requests, self._rules, self._attempts, self._instance = requests, rules, attempts, instance
        self._over = Due(requests, self._ends_after)
        self._old = Due(requests, rules.forgotten_after)

    async def end(self, current_time: float) -> None:
        """End expired bookings and requests, then delete (PR-143)."""
        old = self._old(current_time)
        over = [
            (request, ending.condition)
            for request in self._over(current_time)
            if self._may_end(request) and (ending := self._rules.ending(request))
        ]
        for request, condition in self._rules.in_one_loop(over):
            await self.requests.put_status(request, condition)
        for request in old:
            await self.requests.delete(request)

    def _ends_after(self, request: Request) -> float:
        ending = self._rules.ending(request)
        return NEVER if ending is None else ending.after

    def _may_end(self, request: Request) -> bool:
        """An attempt that runs is taken back first (PR-208)."""
        is_served = self._rules.routing.is_served(request, self._instance)
        return is_served and not self._attempts.runs_for(request)
