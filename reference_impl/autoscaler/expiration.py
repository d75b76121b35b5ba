"""Ends what is over at the start of a loop: bookings, requests, and old answers (PR-140…146)."""

from __future__ import annotations

from dataclasses import dataclass

from .requests.attempts import Attempts
from .requests.known import KnownRequests
from .requests.request import Request
from .rules import AutoscalerRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiration:
    """Writes what has ended, and deletes what was answered long ago."""

    requests: KnownRequests
    rules: AutoscalerRules
    attempts: Attempts
    instance: str

    async def end(self, now: float) -> None:
        """End what is over, then delete (PR-143)."""
        known = self.requests.all()
        for request, condition in self.rules.ended(known, self._may_end, now):
            await self.requests.put(request, condition)
        for request in known:
            if self.rules.forgets(request, now):
                await self.requests.delete(request)

    def _may_end(self, request: Request) -> bool:
        """An attempt that runs is taken back first (PR-208)."""
        is_served = self.rules.routing.is_served(request, self.instance)
        return is_served and not self.attempts.runs_for(request)
