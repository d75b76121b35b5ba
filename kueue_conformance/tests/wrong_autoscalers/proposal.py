"""Wrong about the proposal: answers, nodes that are ready, roll-back, deadlines (PR-200…212)."""

from reference_impl.autoscaler.proposal import deadline, requests, serving
from reference_impl.autoscaler.proposal.failed_attempts import fail
from reference_impl.autoscaler.proposal.running_attempts import RunningAttempts
from reference_impl.autoscaler.requests import pods

from ..killing.planes import wrong


@wrong((requests, "is_answered"), dialect="aep")
def answers_a_check_again(right, request):
    """Breaks PR-202: checks a request again that found no capacity; PRQ-241 must catch it."""
    condition = request.condition("CapacityAvailable")
    return right(request) and not (condition is not None and condition["status"] == "False")


@wrong((requests, "is_never_booked"), dialect="aep")
def keeps_what_a_check_found(right, routing, request, instance):
    """Breaks PR-201: keeps capacity for a check; PRQ-240 must catch it."""
    return request.is_true("CapacityAvailable")


@wrong((RunningAttempts, "_take_back"), dialect="aep")
async def forgets_the_roll_back_of_an_attempt(right, self, attempt, request, cluster):
    """Breaks PR-205: leaves the machines of an attempt that failed; PRQ-243 must catch it."""
    self.attempts.end(attempt)
    await fail(self, request, attempt.cause)


@wrong((deadline, "valid_seconds"), dialect="aep")
def tries_what_it_cannot_read(right, request):
    """Breaks PR-207: takes a time that cannot be read for none; PRQ-246 must catch it."""
    try:
        return right(request)
    except ValueError:
        return None


@wrong((deadline, "overdue_after"), dialect="aep")
def knows_no_deadline(right, request):
    """Breaks PR-208: tries a request for ever; PRQ-245 must catch it."""
    return float("inf")


@wrong((requests, "consumed_request"), dialect="aep")
def reads_the_newer_annotation(right, pod):
    """Breaks PR-212: takes the annotation of later releases
    for that of the proposal; PRQ-248 must catch it.
    """
    return pods.consumed_request(pod)


@wrong((serving, "answer_check"), dialect="aep")
async def answers_no_check(right, answering, rules, request, state):
    """Breaks PR-202: never answers a check; PRQ-240 must catch it."""
