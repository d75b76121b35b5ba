"""Wrong about what ends by time (PR-140…146)."""

from reference_impl.api.kinds import POD_TEMPLATES
from reference_impl.api.resource import Key
from reference_impl.autoscaler.requests import conditions, expiry
from reference_impl.autoscaler.requests.request import PROVISIONED
from reference_impl.autoscaler.requests.request_cache import RequestCache

from ..killing.planes import instead, wrong

instead(
    expiry,
    "BOOKING_SECONDS",
    300.0,
    "Breaks PR-141: ends a booking after five minutes; PRQ-051 must catch it.",
    called="ends_bookings_too_early",
)
instead(
    expiry,
    "BOOKING_SECONDS",
    660.0,
    "Breaks PR-141: ends a booking a minute too late; PRQ-051 must catch it.",
    called="ends_bookings_too_late",
)
instead(
    expiry,
    "BOOKING_SECONDS",
    610.0,
    "Breaks PR-141: ends a booking a few seconds too late; PRQ-052 should catch it.",
    called="ends_bookings_a_little_late",
)
instead(
    expiry,
    "REQUEST_SECONDS",
    6 * 24 * 3600.0,
    "Breaks PR-142: gives a request up after six days; PRQ-070 must catch it.",
    called="expires_too_early",
)
instead(
    expiry,
    "REQUEST_SECONDS",
    float("inf"),
    "Breaks PR-142: never gives a request up for its age; PRQ-070 must catch it.",
    called="never_expires",
)
instead(
    expiry,
    "ANSWERED_SECONDS",
    6 * 24 * 3600.0,
    "Breaks PR-145: deletes a request after six days; PRQ-076 should catch it.",
    called="deletes_too_early",
)
instead(
    expiry,
    "MOST_UPDATES",
    5,
    "Breaks PR-140: ends five bookings in a loop; PRQ-074 may catch it.",
    called="ends_few_at_once",
)
instead(
    expiry,
    "MOST_UPDATES",
    100,
    "Breaks PR-140: gives up as many requests in a loop as are too old; PRQ-075 may catch it.",
    called="ends_all_at_once",
)


@wrong((expiry, "find_expiry"))
def keeps_for_ever(right, request):
    """Breaks PR-141: never ends a booking; PRQ-051 must catch it."""
    expiry = right(request)
    return None if expiry is not None and expiry.condition is conditions.BOOKING_OVER else expiry


@wrong((expiry, "find_expiry"))
def gives_up_what_it_has_found(right, request):
    """Breaks PR-142: gives a request up for its age although it has its capacity; PRQ-073 must catch it."""
    result, old = (
        right(request),
        expiry.RequestExpiry(request.created + expiry.REQUEST_SECONDS, conditions.EXPIRED),
    )
    has_capacity = request.is_true(PROVISIONED) and not request.is_true("Failed")
    return old if has_capacity and (result is None or old.after < result.after) else result


@wrong((expiry, "deletion_time"))
def deletes_nothing(right, request):
    """Breaks PR-145: deletes no request, however old its answer; PRQ-076 should catch it."""
    return expiry.NEVER


@wrong((expiry, "deletion_time"))
def deletes_by_any_condition(right, request):
    """Breaks PR-146: takes any old condition for an answer; PRQ-078 must catch it."""
    times = [request.since(condition["type"]) for condition in request.conditions]
    return min(times, default=expiry.NEVER) + expiry.ANSWERED_SECONDS


@wrong((RequestCache, "delete"))
async def deletes_templates_too(right, self, request):
    """Breaks PR-146: deletes the templates of a request with it; PRQ-079 must catch it."""
    for pod_set in request.pod_sets:
        key = Key(request.key.namespace, pod_set["podTemplateRef"]["name"])
        await self._client.delete(POD_TEMPLATES, key, uid="")
    await right(self, request)
