"""Autoscalers with a mistake that is easily made: which time counts, which pods, and what is remembered of
them (PR-128, PR-130, PR-133, PR-142).
"""

from dataclasses import replace

from reference_impl.api.resource import key_of
from reference_impl.autoscaler import orchestrator
from reference_impl.autoscaler.requests import conditions, expiry, pods

from ..killing.planes import wrong


@wrong((expiry, "find_expiry"))
def books_from_the_creation_of_a_request(find_expiry, request):
    """Breaks PR-142: counts the time of a booking from the creation of its request; PRQ-051 must catch it."""
    end = find_expiry(request)
    if end is None or end.condition is not conditions.BOOKING_OVER:
        return end
    return replace(end, after=request.created + expiry.BOOKING_SECONDS)


@wrong((pods.RequestPods, "_make_pods"))
def asks_for_the_first_pod_set(make_pods, self, request, templates):
    """Breaks PR-130: looks for room for the first pod set of a request; PRQ-006 must catch it."""
    first = f"{request.key.name}-0-"
    return [pod for pod in make_pods(self, request, templates) if pod.name.startswith(first)]


@wrong((pods.RequestPods, "_shape"))
def remembers_a_template_by_its_name(shape_of, self, template):
    """Breaks PR-133: asks with a PodTemplate as it was when it was read first; PRQ-027 must catch it."""
    _, shape = self._shapes.get(key_of(template), (None, None))
    return shape_of(self, template) if shape is None else shape


@wrong((orchestrator, "all_fit"))
def keeps_room_for_what_does_not_fit(_, requested, state):
    """Breaks PR-128: leaves the pods of a request that does not fit on the nodes; PRQ-196 must catch it."""
    return all(state.snapshot.place(pod) for pod in requested)
