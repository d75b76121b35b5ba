"""Keeps room for what was promised: booked pods are placed in each loop's snapshot (PR-380…386)."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass

from .requests import conditions
from .requests.known import KnownRequests
from .requests.pods import FindTemplate, NoPodsError, consumed, pods_of
from .requests.request import BOOKING_EXPIRED, FAILED, PROVISIONED, Request
from .requests.routing import is_served
from .scene import Scene

IsConsumed = Callable[[Request, Scene], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """Books for every request that has its capacity."""

    requests: KnownRequests
    template: FindTemplate
    instance: str
    hints: MutableMapping[str, str]
    is_consumed: IsConsumed
    """When a booking has done its duty before its time, by version."""

    async def book(self, scene: Scene) -> None:
        """Place the pods of booked requests; those that fit nowhere are left out."""
        for request in self.requests.all():
            if not is_booked(request, self.instance):
                continue
            if self.is_consumed(request, scene):
                await self.requests.put(request, conditions.BOOKING_USED)
                continue
            try:
                pods = pods_of(request, self.template)
            except NoPodsError as error:
                await self.requests.put(request, conditions.no_booking(str(error)))
                continue
            for pod in pods:
                found = scene.snapshot.place(pod, self.hints.get(pod.uid, ""))
                if found:
                    self.hints[pod.uid] = found


def is_booked(request: Request, instance: str) -> bool:
    """Tell whether capacity is kept for a request (PR-380)."""
    over = request.is_true(FAILED) or request.is_true(BOOKING_EXPIRED)
    return request.is_true(PROVISIONED) and not over and is_served(request, instance)


def never(_request: Request, _scene: Scene) -> bool:
    """Let a booking last its time, whoever runs (before 1.37)."""
    return False


def all_placed(request: Request, scene: Scene) -> bool:
    """Tell whether as many consumers have a place as the request has pods, on nodes that are only on their way too (PR-384)."""
    namespace, name = request.key
    placed = sum(
        pod.namespace == namespace and pod.object is not None and consumed(pod) == name
        for room in scene.snapshot.rooms
        for pod in room.pods
    )
    return placed >= request.pods
