"""Tells pods that use the capacity of a request, and the request, why nothing grows for them (PR-213)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_impl.api.resource import Key

from ..events import of_object
from ..simulation.pod import Pod

if TYPE_CHECKING:
    from ..consumers import Consumers

CONSUMED: Final = "ProvisioningRequestConsumed"
CONSUMED_BY_OTHERS: Final = "CapacityConsumedByOthers"


def tell(consumers: Consumers, pod: Pod, name: str) -> None:
    """Tell the pod, and the request where it is there; the same is not told again for some minutes."""
    consumers.tell_with_reason(pod, name, CONSUMED)
    request = consumers.requests.get(Key(pod.namespace, name))
    if request is not None:
        message = "Pods that consume the capacity of this request find no room: other pods have taken it"
        consumers.events.record(of_object(request.object), "Warning", CONSUMED_BY_OTHERS, message)
