"""Pods that use the capacity of a request never make the cluster grow (PR-180…188)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .events import NO_REASON, EventRecorder, of_object
from .loop_state import LoopState
from .requests.request_cache import RequestCache
from .rules import AutoscalerRules
from .simulation.pod import Pod

MOST_EVENTS: Final = 50
"""In one loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerPodsFilter:
    """Takes them out of the pods that wait, and tells them why."""

    events: EventRecorder
    rules: AutoscalerRules
    requests: RequestCache

    def leave_out(self, state: LoopState) -> None:
        """Keep only the pods that no request has capacity for;
        it does not matter whether the request is there.
        """
        consumed = self.rules.consumed_request
        left_out = [(pod, name) for pod in state.pending if (name := consumed(pod)) is not None]
        state.pending = [pod for pod in state.pending if consumed(pod) is None]
        for pod, name in left_out[:MOST_EVENTS]:
            self.rules.notify_consumer(self.events, self.requests, pod, name)


def notify_consumer(events: EventRecorder, _requests: RequestCache, pod: Pod, name: str) -> None:
    """Tell a pod why nothing grows for it (PR-187)."""
    tell_with_reason(events, pod, name, NO_REASON)


def tell_with_reason(events: EventRecorder, pod: Pod, name: str, reason: str) -> None:
    """Tell it under a reason."""
    message = (
        "Unschedulable pod didn't trigger scale-up, because it's consuming ProvisioningRequest "
        f"{pod.namespace}/{name}"
    )
    events.record(of_object(pod.object), "Normal", reason, message)
