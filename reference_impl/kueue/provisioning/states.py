"""From the conditions of a request to the answer of its check:
a table of small rules, the first that applies (PA-073…084).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from reference_impl.api.objects import CheckState
from reference_impl.api.resource import Json
from reference_impl.kueue.checks.entries import PENDING, READY, REJECTED, RETRY

from . import merging, messages, retries, updates
from .request import ACCEPTED, BOOKING_EXPIRED, CAPACITY_REVOKED, FAILED, PROVISIONED
from .rules import CheckContext, StateRule


def with_fields(entry: CheckState, **fields: Json) -> CheckState:
    """Return an entry with other fields; None takes one away."""
    # None stands for absent: a check controller that gives a field up leaves it out of its
    # apply, and the API server removes it.
    new = {**entry, **fields}
    return cast("CheckState", {name: value for name, value in new.items() if value is not None})


def retry_failed(situation: CheckContext) -> CheckState | None:
    """Make another request after one that failed,
    or give up (PA-073…075); also while the Workload runs (PA-083).
    """
    if not situation.request.is_true(FAILED):
        return None
    return _retry_or_reject(situation, "failure", FAILED)


def retry_failed_before_admission(situation: CheckContext) -> CheckState | None:
    """Do the same, but leave a Workload alone that runs on the capacity it was given (PA-083, fixed)."""
    return situation.check.entry if _is_running_with(situation, FAILED) else retry_failed(situation)


def retry_revoked(situation: CheckContext) -> CheckState | None:
    """Give up what lost its capacity, running or not (PA-076)."""
    if not situation.request.is_true(CAPACITY_REVOKED):
        return None
    if not situation.workload.is_active or situation.workload.is_finished:
        return situation.check.entry
    message = situation.request.message(CAPACITY_REVOKED)
    return with_fields(situation.check.entry, state=REJECTED, message=message)


def retry_expired(situation: CheckContext) -> CheckState | None:
    """Make another request when the pods came too late for the capacity;
    what was admitted has used it (PA-077, PA-078).
    """
    if not situation.request.is_true(BOOKING_EXPIRED):
        return None
    if situation.workload.is_admitted:
        return situation.check.entry
    return _retry_or_reject(situation, "booking expired", BOOKING_EXPIRED)


def answer_ready(situation: CheckContext) -> CheckState | None:
    """Say yes, once, with what the pods need to get there (PA-079, PA-091)."""
    if not situation.request.is_true(PROVISIONED):
        return None
    check = situation.check
    if check.state == READY:
        return check.entry
    message = situation.request.message(PROVISIONED)
    return with_fields(check.entry, state=READY, message=message, podSetUpdates=pod_set_updates(situation))


def pass_on_message(situation: CheckContext) -> CheckState | None:
    """Pass on the message of the autoscaler about a request that it works on:
    when capacity may come (PA-080, PA-081).
    """
    request, entry = situation.request, situation.check.entry
    if not request.is_true(ACCEPTED):
        return None
    if request.condition(PROVISIONED) is None:
        return entry
    return with_fields(entry, state=PENDING, message=request.message(PROVISIONED))


def pass_on_message_before_admission(situation: CheckContext) -> CheckState | None:
    """Do the same, but not to a Workload that runs already (PA-080, fixed)."""
    return situation.check.entry if _is_running_with(situation, ACCEPTED) else pass_on_message(situation)


def reset_to_pending(situation: CheckContext) -> CheckState | None:
    """Wait: nothing was said that counts (PA-082)."""
    return with_fields(situation.check.entry, state=PENDING, message="")


def reset_to_pending_before_admission(situation: CheckContext) -> CheckState | None:
    """Do the same, but not to a Workload that runs already (PA-082, fixed)."""
    runs = situation.workload.is_admitted and situation.check.state == READY
    return situation.check.entry if runs else reset_to_pending(situation)


def not_active(entry: CheckState) -> CheckState:
    """Answer nothing without a configuration (PA-070)."""
    return with_fields(entry, state=PENDING, message=messages.NOT_ACTIVE)


def not_needed(entry: CheckState) -> CheckState:
    """Say yes without asking, once (PA-071)."""
    if entry["state"] == READY:
        return entry
    return with_fields(entry, state=READY, message=messages.NOT_NEEDED, podSetUpdates=None)


def _is_running_with(situation: CheckContext, kind: str) -> bool:
    return (
        situation.request.is_true(kind) and situation.workload.is_admitted and situation.check.state == READY
    )


def _retry_or_reject(situation: CheckContext, cause: str, kind: str) -> CheckState:
    check, strategy = situation.check, situation.config.retry
    message = situation.request.message(kind)
    if situation.attempt > strategy.limit:
        return with_fields(check.entry, state=REJECTED, message=message)
    entry = with_fields(check.entry, message=messages.retrying(cause, message))
    # The Workload was sent back for this attempt already: the state must not be written
    # a second time.
    if situation.attempt <= situation.retries:
        return entry
    return with_fields(entry, state=RETRY, requeueAfterSeconds=_retry_delay(situation))


def _retry_delay(situation: CheckContext) -> int:
    """Return the seconds to wait; those that were written down stand, whatever the jitter is now."""
    check, strategy = situation.check, situation.config.retry
    number = situation.retries + 1
    seconds = check.entry.get("requeueAfterSeconds")
    # The jitter is drawn in each pass: a wait that was written down stands, or every
    # pass would write another.
    if check.state == RETRY and seconds is not None and retries.is_retry_delay(strategy, number, seconds):
        return int(seconds)
    return situation.rules.retry_delay(strategy, number, situation.jitter)


def pod_set_updates(situation: CheckContext) -> Json:
    """Return what the pods get, None when that is nothing (PA-085)."""
    rules, request = situation.rules, situation.request
    selector = rules.node_selector(request, situation.config)
    return (
        updates.pod_set_updates(rules.updated_pod_sets(situation), rules.pod_annotations(request), selector)
        or None
    )


def representatives(situation: CheckContext) -> Sequence[str]:
    """Return the podSets that the request names (PA-085, PA-088)."""
    pod_sets = situation.workload.spec.get("podSets") or ()
    return updates.pod_sets_of(situation.request, pod_sets, situation.rules.request_naming.template)


def all_members(situation: CheckContext) -> Sequence[str]:
    """Return these and the podSets that were merged into them (PA-088, fixed)."""
    groups = merging.merge(situation.pod_sets, situation.config.merge_policy, situation.rules.merge_keys)
    named = frozenset(representatives(situation))
    return [member.name for first, members in groups if first.name in named for member in members]


STATES: Final[tuple[StateRule, ...]] = (
    retry_failed,
    retry_revoked,
    retry_expired,
    answer_ready,
    pass_on_message,
    reset_to_pending,
)
