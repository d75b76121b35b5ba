"""Keeps room for what was promised: booked pods are placed in each loop's snapshot (PR-380…386)."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import TypeAlias

from .loop_state import LoopState
from .requests import conditions
from .requests.pods import NoPodsError, RequestPods
from .requests.request import BOOKING_EXPIRED, FAILED, PROVISIONED, ProvisioningRequest
from .requests.request_cache import RequestCache
from .requests.routing import RequestRouting
from .requests.selection import SelectedRequests
from .rules import AutoscalerRules
from .simulation.pod import Pod
from .simulation.snapshot import ClusterSnapshot

Contents: TypeAlias = Sequence[tuple[object, ...]]
"""Each node with the pods on it: what is placed next depends on nothing else."""


class CapacityBooking:
    """Books for every request that has its capacity."""

    def __init__(
        self,
        *,
        requests: RequestCache,
        pods_of: RequestPods,
        rules: AutoscalerRules,
        instance: str,
        hints: MutableMapping[str, str],
    ) -> None:
        self.requests, self.pods_of, self.rules, self.instance = requests, pods_of, rules, instance
        self._booked = SelectedRequests(
            requests, lambda request: rules.is_booked(rules.routing, request, instance)
        )
        self._places = ConsumerPlaces(hints)

    async def book(self, state: LoopState) -> None:
        """Place the pods of booked requests; those that fit nowhere are left out."""
        booked: list[Pod] = []
        for request in self._booked():
            # Before its pods are made: those of a used booking would take the room
            # twice.
            if self.rules.is_consumed(request, state, self.rules.consumed_request):
                await self.requests.put_status(request, conditions.BOOKING_USED)
                continue
            try:
                pods = self.pods_of(request)
            except NoPodsError as error:
                await self.requests.put_status(request, conditions.no_booking(str(error)))
                continue
            booked += pods
        self._places.place(booked, state.snapshot)


class ConsumerPlaces:
    """Places pods where they were placed before, as long as that has the same outcome as a search.

    Pods find the places of the loop before when the nodes held the same before the first of them was placed:
    each then meets what it met there. From the first pod that is another one on, places are searched.
    """

    def __init__(self, hints: MutableMapping[str, str]) -> None:
        self._hints = hints
        self._before: Contents = ()
        self._last: list[tuple[Pod, str]] = []

    def place(self, pods: Sequence[Pod], snapshot: ClusterSnapshot) -> None:
        """Place pods, one after another, and remember where; those that fit nowhere are left out."""
        before = [(node_info.node, *node_info.pods) for node_info in snapshot.node_infos]
        # Fast path: with the same nodes before the first pod, each pod meets what it
        # met in the loop before.
        previous = self._last if before == self._before else []
        same = next(
            (at for at, (pod, last) in enumerate(zip(pods, previous, strict=False)) if pod is not last[0]),
            None,
        )
        unchanged = previous[: min(len(pods), len(previous)) if same is None else same]
        self._before, self._last = before, unchanged
        for pod, node_name in unchanged:
            if node_name:
                snapshot.place_anyway(pod, snapshot[node_name])
                self._hints[pod.uid] = node_name
        for pod in pods[len(unchanged) :]:
            node_name = snapshot.place(pod, self._hints.get(pod.uid, ""))
            unchanged.append((pod, node_name))
            if node_name:
                self._hints[pod.uid] = node_name


def is_booked(routing: RequestRouting, request: ProvisioningRequest, instance: str) -> bool:
    """Tell whether capacity is kept for a request (PR-380)."""
    over = request.is_true(FAILED) or request.is_true(BOOKING_EXPIRED)
    return request.is_true(PROVISIONED) and not over and routing.is_served(request, instance)


def is_never_consumed(
    _request: ProvisioningRequest, _state: LoopState, _consumed: Callable[[Pod], str | None]
) -> bool:
    """Let a booking last its time, whichever pods run (before 1.37)."""
    return False


def are_consumers_placed(
    request: ProvisioningRequest, state: LoopState, consumed: Callable[[Pod], str | None]
) -> bool:
    """Tell whether as many consumers have a place as the request has pods, on nodes that are only on their
    way too (PR-384).
    """
    namespace, name = request.key
    placed = sum(
        pod.namespace == namespace and pod.object is not None and consumed(pod) == name
        for node_info in state.snapshot.node_infos
        for pod in node_info.pods
    )
    return placed >= request.pods
