"""Tells pods that use the capacity of a request, and the request, why nothing grows for them (PR-213)."""

from __future__ import annotations

from typing import Final

from reference_impl.api.resource import Key

from ..consumers import tell_with_reason
from ..events import EventRecorder, of_object
from ..requests.request_cache import RequestCache
from ..simulation.pod import Pod

CONSUMED: Final = "ProvisioningRequestConsumed"
CONSUMED_BY_OTHERS: Final = "CapacityConsumedByOthers"


def notify_consumer(events: EventRecorder, requests: RequestCache, pod: Pod, name: str) -> None:
    """Tell the pod, and the request where it is there; the same is not told again for some minutes."""
    tell_with_reason(events, pod, name, CONSUMED)
    request = requests.get(Key(pod.namespace, name))
    if request is not None:
        message = "Pods that consume the capacity of this request find no room: other pods have taken it"
        events.record(of_object(request.object), "Warning", CONSUMED_BY_OTHERS, message)
