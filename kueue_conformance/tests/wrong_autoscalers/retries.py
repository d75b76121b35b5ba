"""Wrong about when a request is tried again (PR-121, PR-122)."""

from reference_impl.autoscaler.requests import request as requests
from reference_impl.autoscaler.requests.request import PROVISIONED, ProvisioningRequest
from reference_impl.autoscaler.requests.retries import RequestBackoff

from ..killing.planes import wrong

SEEN: list[str] = []


class ByName(ProvisioningRequest):
    """A request that is told from others by its name."""

    @property
    def uid(self):
        """Return its name."""
        return self.key.name


class LikeAllOthers(ProvisioningRequest):
    """A request that is told from no other."""

    @property
    def uid(self):
        """Return the same for every request."""
        return "any"


@wrong((RequestBackoff, "__init__"))
def retries_at_once(right, self, initial, most, *rest):
    """Breaks PR-121: tries a request again in the next loop; PRQ-031 must catch it."""
    right(self, 1.0, 1.0, *rest)


@wrong((RequestBackoff, "is_due"))
def never_retries(right, self, request, current_time):
    """Breaks PR-121: tries a request once; PRQ-003 must catch it."""
    return request.condition(PROVISIONED) is None and right(self, request, current_time)


@wrong((RequestBackoff, "__init__"))
def waits_the_same_each_time(right, self, initial, most, *rest):
    """Breaks PR-122: the delay stays the first one; PRQ-030 should catch it."""
    right(self, initial, initial, *rest)


@wrong((RequestBackoff, "__init__"))
def waits_without_a_limit(right, self, initial, most, *rest):
    """Breaks PR-102: the delay doubles for ever; PRQ-030 should catch it."""
    right(self, initial, float("inf"), *rest)


@wrong((RequestBackoff, "__init__"))
def begins_with_the_longest_delay(right, self, initial, most, *rest):
    """Breaks PR-101: waits for the longest delay at once; PRQ-030 should catch it."""
    right(self, most, most, *rest)


@wrong((RequestBackoff, "is_due"))
def remembers_by_name(right, self, request, current_time):
    """Breaks PR-103: a request that is made anew goes on with
    the delay of the one before it; PRQ-034 should catch it.
    """
    return right(self, request if request.is_true("Failed") else ByName(request.object), current_time)


@wrong((RequestBackoff, "is_due"))
def has_one_delay_for_all(right, self, request, current_time):
    """Breaks PR-103: all requests share a delay; PRQ-033 should catch it."""
    return right(self, LikeAllOthers(request.object), current_time)


@wrong((requests, "is_last_retry"))
def gives_up_at_once(right, request):
    """Breaks PR-055: gives every check up with its first failure; PRQ-002 must catch it."""
    return True


@wrong((requests, "is_last_retry"))
def never_gives_up(right, request):
    """Breaks PR-055: tries a check again that asked for no retry; PRQ-010 must catch it."""
    return False


@wrong((requests, "is_last_retry"))
def takes_any_word(right, request):
    """Breaks PR-055: takes every word of noRetry for true; PRQ-013 must catch it."""
    return "noRetry" in request.parameters


@wrong((requests, "is_last_retry"))
def reads_a_deadline(right, request):
    """Breaks PR-054: gives a request up that has a ValidUntilSeconds; PRQ-094 must catch it."""
    return right(request) or "ValidUntilSeconds" in request.parameters


@wrong((RequestBackoff, "is_due"))
def tries_what_is_unknown(right, self, request, current_time):
    """Breaks PR-099: tries a request whose Provisioned is Unknown; PRQ-072 must catch it."""
    condition = request.condition(PROVISIONED)
    return right(self, request, current_time) or (condition is not None and condition["status"] == "Unknown")


@wrong((RequestBackoff, "__init__"), (RequestBackoff, "is_due"))
def answers_anew_after_a_start(right, *args):
    """Breaks PR-198: answers requests again that were Provisioned before its start; PRQ-204 must catch it."""
    if right.__name__ == "__init__":
        SEEN.clear()
        return right(*args)
    request = args[1]
    if request.uid in SEEN or request.is_true("Failed"):
        return right(*args)
    SEEN.append(request.uid)
    return True
