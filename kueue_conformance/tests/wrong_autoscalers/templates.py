"""Wrong about PodTemplates: missing, gone, changed (PR-082, PR-124, PR-130…134)."""

from reference_impl.autoscaler.booking import CapacityBooking
from reference_impl.autoscaler.requests import conditions, pods
from reference_impl.autoscaler.requests.pods import RequestPods

from ..killing.planes import wrong

READ: dict[str, object] = {}


@wrong((conditions, "no_pods"))
def waits_for_templates(right, problem):
    """Breaks PR-082: a request without its template waits; PRQ-020 must catch it."""
    return conditions.NOT_FOUND


@wrong((pods, "templates_of"))
def leaves_out_what_is_missing(right, request, template):
    """Breaks PR-133: makes the pods of the templates that there are; PRQ-020 must catch it."""
    return right(
        request,
        lambda key: (
            template(key)
            or {"metadata": {"name": key.name, "namespace": key.namespace}, "template": {"spec": {}}}
        ),
    )


@wrong((RequestPods, "__call__"))
def reads_a_template_once(right, self, request):
    """Breaks PR-130: keeps the pods that a request had at first; PRQ-027 must catch it."""
    return READ.setdefault(request.uid, right(self, request))


@wrong((pods, "keep_pod_spec"))
def counts_no_limits(right, spec):
    """Breaks PR-132: a container without requests takes no room; PRQ-007 must catch it."""
    return pods.ignore_limits(spec)


@wrong((conditions, "no_booking"))
def says_that_nothing_is_provisioned(right, problem):
    """Breaks PR-083: takes back what was found when a template goes; PRQ-024 must catch it."""
    return conditions.RequestCondition("Provisioned", status=False, reason="NoTemplate", message=problem)


@wrong((CapacityBooking, "book"))
async def looks_at_no_template_while_it_books(right, self, state):
    """Breaks PR-385: a booking whose template is gone lasts; PRQ-024 must catch it."""
    from reference_impl.autoscaler.requests.pods import NoPodsError

    for request in self.requests.all():
        if self.rules.is_booked(self.rules.routing, request, self.instance):
            try:
                created = READ.setdefault(f"booked {request.uid}", self.pods_of(request))
            except NoPodsError:
                created = READ.get(f"booked {request.uid}", ())
            for pod in created:
                state.snapshot.place(pod)
