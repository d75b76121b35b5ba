"""Wrong about capacity that is kept for a request (PR-380…384)."""

from reference_impl.autoscaler import booking
from reference_impl.autoscaler.booking import CapacityBooking
from reference_impl.autoscaler.requests.request import BOOKING_EXPIRED, FAILED, PROVISIONED
from reference_impl.autoscaler.requests.retries import RequestBackoff

from ..killing.planes import wrong

ANSWERED: list[str] = []
"""The requests that the process has found not to be Provisioned since it was started."""


@wrong((booking, "is_booked"))
def books_nothing(right, routing, request, instance):
    """Breaks PR-380: keeps no capacity for a request that is Provisioned; PRQ-050 must catch it."""
    return False


@wrong((CapacityBooking, "book"))
async def books_twice(right, self, state):
    """Breaks PR-381: keeps the capacity of every request twice; PRQ-050 must catch it."""
    await right(self, state)
    await right(self, state)


@wrong((booking, "is_booked"))
def books_what_was_not_found(right, routing, request, instance):
    """Breaks PR-380: keeps capacity for a request that found none; PRQ-062 must catch it."""
    condition = request.condition(PROVISIONED)
    return right(routing, request, instance) or (condition is not None and condition["status"] == "False")


@wrong((booking, "is_booked"))
def books_after_a_failure(right, routing, request, instance):
    """Breaks PR-380: keeps capacity for a request that has failed; PRQ-056 must catch it."""
    return request.is_true(PROVISIONED) and not request.is_true(BOOKING_EXPIRED)


@wrong((booking, "is_booked"))
def books_after_the_end(right, routing, request, instance):
    """Breaks PR-380: keeps capacity for a request whose booking is over; PRQ-054 must catch it."""
    return request.is_true(PROVISIONED) and not request.is_true(FAILED)


@wrong((booking, "is_booked"))
def heeds_what_is_revoked(right, routing, request, instance):
    """Breaks PR-074: keeps no capacity for a request of which
    others say that it is revoked; PRQ-056 must catch it.
    """
    return right(routing, request, instance) and not request.is_true("CapacityRevoked")


@wrong((RequestBackoff, "__init__"), (RequestBackoff, "is_due"), (booking, "is_booked"))
def forgets_what_it_booked(right, *args):
    """Breaks PR-198: keeps no capacity that was found before its start; PRQ-058 must catch it."""
    if right.__name__ == "__init__":
        ANSWERED.clear()
    elif right.__name__ == "is_due" and args[1].condition(PROVISIONED) is None:
        ANSWERED.append(args[1].uid)
    elif right.__name__ == "is_booked" and args[1].uid not in ANSWERED:
        return False
    return right(*args)


@wrong((booking, "are_consumers_placed"), dialect="ca-1.37")
def counts_consumers_twice(right, request, state, consumed):
    """Breaks PR-384: keeps capacity for pods that have their place; PRQ-060 must catch it."""
    return False


@wrong((booking, "are_consumers_placed"), dialect="ca-1.37")
def is_content_with_one_pod(right, request, state, consumed):
    """Breaks PR-384: ends a booking with the first pod that has a place; PRQ-061 must catch it."""
    return any(
        consumed(pod)
        for node_info in state.snapshot.node_infos
        for pod in node_info.pods
        if pod.object is not None
    )


@wrong((booking, "are_consumers_placed"), dialect="ca-1.37")
def knows_one_annotation(right, request, state, consumed):
    """Breaks PR-181: a booking does not end with pods that
    bear the older annotation; PRQ-060 must catch it.
    """
    return right(
        request, state, lambda pod: pod.annotations.get("autoscaling.x-k8s.io/consume-provisioning-request")
    )
