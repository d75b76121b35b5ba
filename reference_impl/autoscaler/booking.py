"""Keeps room for what was promised: booked pods are placed in each loop's snapshot (PR-380…386)."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass

from .loop_state import LoopState
from .requests import conditions
from .requests.known import KnownRequests
from .requests.pods import NoPodsError, PodsOf
from .requests.request import BOOKING_EXPIRED, FAILED, PROVISIONED, Request
from .requests.routing import Routing
from .rules import AutoscalerRules
from .simulation.pod import Pod


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """Books for every request that has its capacity."""

    requests: KnownRequests
    pods_of: PodsOf
    rules: AutoscalerRules
    instance: str
    hints: MutableMapping[str, str]

    async def book(self, state: LoopState) -> None:
        """Place the pods of booked requests; those that fit nowhere are left out."""
        for request in self.requests.all():
            if not self.rules.is_booked(self.rules.routing, request, self.instance):
                continue
            if self.rules.is_consumed(request, state, self.rules.consumed):
                await self.requests.put(request, conditions.BOOKING_USED)
                continue
            try:
                pods = self.pods_of(request)
            except NoPodsError as error:
                await self.requests.put(request, conditions.no_booking(str(error)))
                continue
            for pod in pods:
                found = state.snapshot.place(pod, self.hints.get(pod.uid, ""))
                if found:
                    self.hints[pod.uid] = found


def is_booked(routing: Routing, request: Request, instance: str) -> bool:
    """Tell whether capacity is kept for a request (PR-380)."""
    over = request.is_true(FAILED) or request.is_true(BOOKING_EXPIRED)
    return request.is_true(PROVISIONED) and not over and routing.is_served(request, instance)


def never(_request: Request, _state: LoopState, _consumed: Callable[[Pod], str | None]) -> bool:
    """Let a booking last its time, whichever pods run (before 1.37)."""
    return False


def all_placed(request: Request, state: LoopState, consumed: Callable[[Pod], str | None]) -> bool:
    """Tell whether as many consumers have a place as the request has pods, on nodes that are only on their way too (PR-384)."""
    namespace, name = request.key
    placed = sum(
        pod.namespace == namespace and pod.object is not None and consumed(pod) == name
        for room in state.snapshot.rooms
        for pod in room.pods
    )
    return placed >= request.pods
