"""Wrong about what the conditions of a ProvisioningRequest mean for the check (PA-070…PA-091)."""

from dataclasses import replace

from reference_impl.kueue.provisioning import decide, retries, states, updates
from reference_impl.kueue.provisioning.request import Request

from ...killing.planes import wrong


@wrong((states, "pass_on_message"))
def is_ready_when_accepted(right, situation):
    """Breaks PA-081: a request that was taken up counts as provided; PRC-003 must catch it."""
    ready = states.with_fields(situation.check.entry, state="Ready", message="accepted")
    return ready if situation.request.is_true("Accepted") else right(situation)


@wrong((states, "reset_to_pending"))
def is_ready_when_requested(_, situation):
    """Breaks PA-079: a request that nothing was said of counts as provided;
    rule PA-079 in PRC-009 must catch it.
    """
    return states.with_fields(situation.check.entry, state="Ready", message="")


@wrong((Request, "is_true"))
def takes_unknown_for_true(_, self, kind):
    """Breaks PA-084: a condition that is Unknown counts; PRC-080[accepted-and-open] must catch it."""
    condition = self.condition(kind)
    return condition is not None and condition["status"] != "False"


@wrong((Request, "is_true"))
def takes_false_for_true(_, self, kind):
    """Breaks PA-084: a condition counts whatever its status; PRC-081 should catch it."""
    return self.condition(kind) is not None


@wrong((states, "answer_ready"))
def passes_no_capacity_on(_, situation):
    """Breaks PA-079: a request that is provided makes no check Ready; PRC-003 must catch it."""
    return


@wrong((states, "retry_failed"))
def ignores_failures(_, situation):
    """Breaks PA-073: a request that failed is waited for; PRC-100 must catch it."""
    return


@wrong((states, "retry_failed"))
def believes_the_better_condition(right, situation):
    """Breaks PA-083: Provisioned outweighs Failed; PRC-080[provided-and-failed] must catch it."""
    return None if situation.request.is_true("Provisioned") else right(situation)


@wrong((states, "retry_revoked"))
def ignores_revocations(_, situation):
    """Breaks PA-076: a Workload keeps capacity that is revoked; PRC-123 must catch it."""
    return


@wrong((states, "retry_revoked"))
def ignores_revocations_before_admission(right, situation):
    """Breaks PA-076: only what runs loses its capacity; PRC-123 must catch it."""
    return right(situation) if situation.workload.is_admitted else None


@wrong((states, "retry_expired"))
def ignores_the_end_of_bookings(_, situation):
    """Breaks PA-077: a booking that ends before admission changes nothing; PRC-120 must catch it."""
    return


@wrong((states, "retry_expired"))
def sends_back_what_runs_when_a_booking_ends(_, situation):
    """Breaks PA-078: a booking that ends after admission is a failed attempt; PRC-121 must catch it."""
    if not situation.request.is_true("BookingExpired"):
        return None
    return states._retry_or_reject(situation, "booking expired", "BookingExpired")


def _with_limit(situation, limit):
    retry = replace(situation.config.retry, limit=limit)
    return replace(situation, config=replace(situation.config, retry=retry))


@wrong((states, "_retry_or_reject"))
def retries_for_ever(right, situation, cause, kind):
    """Breaks PA-075: the limit of retries is not heeded; PRC-101 must catch it."""
    return right(_with_limit(situation, 1000), cause, kind)


@wrong((states, "_retry_or_reject"))
def never_retries(right, situation, cause, kind):
    """Breaks PA-073: the first failure is the end; PRC-100 must catch it."""
    return right(_with_limit(situation, 0), cause, kind)


@wrong((states, "_retry_or_reject"))
def retries_once_less(right, situation, cause, kind):
    """Breaks PA-098: the limit is that of requests, not of retries; PRC-101[2-limit] must catch it."""
    return right(_with_limit(situation, situation.config.retry.limit - 1), cause, kind)


@wrong((states, "_retry_or_reject"))
def says_nothing_of_failures(right, *args):
    """Breaks PA-073: a retry has no message; PRC-082 may catch it."""
    return {**right(*args), "message": ""}


@wrong((states, "pass_on_message"))
def keeps_the_eta_to_itself(right, situation):
    """Breaks PA-080: messages of the autoscaler meanwhile are not passed on; PRC-081 should catch it."""
    check_state = right(situation)
    return check_state and {**check_state, "message": situation.check.entry["message"]}


@wrong((states, "reset_to_pending"))
def keeps_old_texts(_, situation):
    """Breaks PA-082: a text stays when nothing is said any more; PRC-085 should catch it."""
    return {**situation.check.entry, "state": "Pending"}


@wrong((states, "not_needed"))
def explains_not_that_nothing_is_needed(right, entry):
    """Breaks PA-043: the message is another; PRC-032 may catch it."""
    return {**right(entry), "message": "fine"}


@wrong((retries, "retry_delay"))
def waits_the_same_each_time(_, strategy, attempt, jitter):
    """Breaks PA-095: the wait does not double; PRC-102 must catch it."""
    return strategy.base


@wrong((retries, "retry_delay"))
def waits_longer_than_the_maximum(right, strategy, attempt, jitter):
    """Breaks PA-095: the wait doubles without end; PRC-102[60-base-100-longest-60-100-100] must catch it."""
    return right(replace(strategy, maximum=0), attempt, jitter)


@wrong((retries, "retry_delay"))
def never_waits(_, strategy, attempt, jitter):
    """Breaks PA-096: what failed is tried again at once; PRC-103 must catch it."""
    return 0


@wrong((decide, "count_retries"))
def makes_every_attempt_the_first(_, workload, entry):
    """Breaks PA-099: every attempt is the first; PRC-101[2-limit] must catch it."""
    return 0


@wrong((states, "pod_set_updates"))
def tells_pods_nothing(_, situation):
    """Breaks PA-086: pods do not say what they consume; PRC-090 must catch it."""
    return


@wrong((updates, "consumer_annotations"))
def tells_pods_no_class(right, request):
    """Breaks PA-086: pods name the request and not its class; PRC-090 must catch it."""
    return {updates.CONSUMES: request.name}


@wrong((states, "representatives"))
def tells_pods_that_were_not_requested(_, situation):
    """Breaks PA-089: every pod set consumes the request; PRC-091 must catch it."""
    return [pod_set["name"] for pod_set in situation.workload.spec["podSets"]]


@wrong((updates, "node_labels"))
def takes_no_details(_, request, config):
    """Breaks PA-087: details of the class are not heeded; PRC-092 must catch it."""
    return {}


@wrong((updates, "node_labels"))
def takes_missing_details_for_empty(_, request, config):
    """Breaks PA-087: a detail that is missing becomes an empty label; PRC-092[zone-zone] must catch it."""
    return {key: request.details.get(detail, "") for key, detail in config.labels or ()}


@wrong((updates, "node_labels"))
def takes_every_detail(right, request, config):
    """Breaks PA-087: details that the configuration does not name select nodes; PRC-200 must catch it."""
    return {**request.details, **right(request, config)}


@wrong((states, "answer_ready"))
def follows_details_for_ever(right, situation):
    """Breaks PA-091: podSetUpdates of a Ready check change; PRC-094 may catch it."""
    done = right(situation)
    return done and states.with_fields(done, podSetUpdates=states.pod_set_updates(situation))
