"""Ends what is over at the start of a loop: bookings, requests, and old answers (PR-140…146)."""

from __future__ import annotations

from dataclasses import dataclass

from .requests import conditions
from .requests.expiry import ended
from .requests.known import KnownRequests
from .requests.routing import is_served


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiring:
    """Writes what `requests/expiry` finds."""

    requests: KnownRequests
    instance: str

    async def end(self, now: float) -> None:
        """End what is over: first bookings, then requests, then delete (PR-143)."""
        over = ended(self.requests.all(), lambda each: is_served(each, self.instance), now)
        for request in over.bookings:
            await self.requests.put(request, conditions.BOOKING_OVER)
        for request in over.requests:
            await self.requests.put(request, conditions.EXPIRED)
        for request in over.deletions:
            await self.requests.delete(request)
