"""Wrong about pods that use the capacity of a request,
and about which requests are served (PR-109, PR-180…187).
"""

from reference_impl.autoscaler import events
from reference_impl.autoscaler.consumers import ConsumerPodsFilter
from reference_impl.autoscaler.requests import pods, routing

from ..killing.planes import instead, wrong

instead(
    events,
    "REPEAT_SECONDS",
    0.0,
    "Breaks PR-187: tells a pod in every loop that it is left out; PRQ-181 should catch it.",
    called="tells_it_in_every_loop",
)


@wrong((ConsumerPodsFilter, "leave_out"))
def grows_for_consumers(right, self, state):
    """Breaks PR-183: pods that use a request make a group grow; PRQ-180 must catch it."""


@wrong((pods, "consumed_request"))
def knows_the_new_annotation_only(right, pod):
    """Breaks PR-181: pods with the older annotation are ordinary ones; PRQ-180 must catch it."""
    return pod.annotations.get(pods.CONSUME)


@wrong((pods, "consumed_request"))
def takes_no_name_for_none(right, pod):
    """Breaks PR-183: pods that name an empty request are ordinary ones; PRQ-180 must catch it."""
    return right(pod) or None


@wrong((pods, "consumed_request"))
def prefers_the_old_annotation(right, pod):
    """Breaks PR-181: the older annotation counts where a pod has both; PRQ-182 may catch it."""
    annotation = pod.annotations.get(pods.OLD_CONSUME)
    return right(pod) if annotation is None else annotation


@wrong((routing, "is_check"))
def serves_every_class(right, request, instance):
    """Breaks PR-052: takes every class for a check of capacity; PRQ-090 must catch it."""
    return "atomic-scale-up.autoscaling.x-k8s.io" not in request.class_name or right(request, instance)


@wrong((routing, "is_check"))
def ignores_the_instance(right, request, instance):
    """Breaks PR-109: serves requests of every instance; PRQ-091 must catch it."""
    return request.class_name == "check-capacity.autoscaling.x-k8s.io"


@wrong((routing, "is_atomic"))
def serves_atomic_requests_as_an_instance(right, request, instance):
    """Breaks PR-109: an instance with a name serves atomic requests; PRQ-091 must catch it."""
    return right(request, "")
