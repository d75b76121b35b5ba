"""An autoscaler that remembers nothing of what it has read: each step looks at all requests, nodes and pods
in every loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest import mock

from reference_impl.autoscaler.booking import ConsumerPlaces
from reference_impl.autoscaler.parsed_objects import ParsedObjects
from reference_impl.autoscaler.requests.pods import RequestPods
from reference_impl.autoscaler.requests.request import ProvisioningRequest
from reference_impl.autoscaler.requests.request_cache import RequestCache
from reference_impl.autoscaler.requests.selection import DueRequests, SelectedRequests
from reference_impl.autoscaler.simulation.pod import Pod
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot

_PODS_OF = RequestPods.__call__


@contextmanager
def naive() -> Iterator[None]:
    """Have every autoscaler be of that kind meanwhile."""
    with ExitStack() as stack:
        for owner, name, value in (
            (RequestCache, "all", _all),
            (SelectedRequests, "__call__", _selected),
            (DueRequests, "__call__", _due),
            (RequestPods, "__call__", _pods),
            (ConsumerPlaces, "place", _place),
            (ParsedObjects, "__call__", lambda self, objects: [self._read(request) for request in objects]),
        ):
            stack.enter_context(mock.patch.object(owner, name, value))
        yield


def _all(self: RequestCache) -> Sequence[ProvisioningRequest]:
    requests = [self._read(self._latest(key, obj)) for key, obj in self._store.items()]
    return sorted(requests, key=lambda request: request.order)


def _selected(self: SelectedRequests) -> Sequence[ProvisioningRequest]:
    return [request for request in _all(self._followed._requests) if self._concerns(request)]


def _due(self: DueRequests, current_time: float) -> Sequence[ProvisioningRequest]:
    return [request for request in _all(self._followed._requests) if self._moment(request) < current_time]


def _pods(self: RequestPods, request: ProvisioningRequest) -> Sequence[Pod]:
    self._made_of.clear()
    self._shapes.clear()
    return _PODS_OF(self, request)


def _place(self: ConsumerPlaces, pods: Sequence[Pod], snapshot: ClusterSnapshot) -> None:
    for pod in pods:
        requests = snapshot.place(pod, self._hints.get(pod.uid, ""))
        if requests:
            self._hints[pod.uid] = requests
