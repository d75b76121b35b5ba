"""The provisioning check of releases before v0.15, where it differs (C2, DK-01…48)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, cast

from reference_impl.api import instants
from reference_impl.api.objects import CheckState
from reference_impl.kueue.checks.entries import PENDING, READY, REJECTED, RETRY
from reference_impl.kueue.workload.view import Workload

from . import decide as newest
from . import messages, names, request_construction, retries, states
from .request import FAILED, PROVISIONED
from .rules import CheckContext, ProvisioningRules, StateRule
from .snapshot import CheckRequest, WorkloadSnapshot
from .steps import CreateTemplates, DeleteRequest, Fail, RequeueLater, Step, WriteChecks

RETRIES: Final = 3


def decide(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> tuple[Step, ...]:
    """Return what v0.6 did: a lost reservation loses its requests, an admitted Workload keeps them as they
    are (DK-11, DK-12).
    """
    workload = snapshot.workload
    if workload.is_finished or not workload.has_quota_reservation:
        return tuple(DeleteRequest(request) for request in snapshot.requests)
    inactive = tuple(replace(check, config=None) if check.problem else check for check in snapshot.checks)
    steps = newest.decide(replace(snapshot, checks=inactive), rules)
    if workload.is_admitted:
        return tuple(step for step in steps if isinstance(step, WriteChecks))
    # An error ends the pass: v0.6 came back with its back-off and looked at no waits.
    if any(isinstance(step, Fail) for step in steps):
        return steps
    return (*steps, *_waiting(snapshot, rules), *_missing_templates(snapshot, rules))


def retry_failed(situation: CheckContext) -> CheckState | None:
    """Wait where it is for the next request, or give up after the third (DK-06, DK-07)."""
    if not situation.request.is_true(FAILED):
        return None
    message = situation.request.message(FAILED)
    if situation.attempt > RETRIES:
        return states.with_fields(situation.check.entry, state=REJECTED, message=message)
    return states.with_fields(
        situation.check.entry, state=PENDING, message=messages.retrying("failure", message)
    )


def accept_provisioned(situation: CheckContext) -> CheckState | None:
    """Answer Ready without the message of the request (DK-10)."""
    if not situation.request.is_true(PROVISIONED):
        return None
    entry = situation.check.entry
    if situation.check.state == READY:
        return entry
    return {**entry, "state": READY, "podSetUpdates": states.pod_set_updates(situation)}


def reset_to_pending(situation: CheckContext) -> CheckState | None:
    """Wait, and leave the message (DK-09)."""
    return {**situation.check.entry, "state": PENDING}


def next_attempt(snapshot: WorkloadSnapshot, answer: CheckRequest, _rules: ProvisioningRules) -> int | None:
    """Return the attempt to make now: the next is made when its wait is over (DK-05, DK-06)."""
    if answer.request is None:
        return names.FIRST
    due = _due(answer)
    return answer.attempt + 1 if due is not None and due <= snapshot.current_time else None


def _due(answer: CheckRequest) -> float | None:
    """Return when the next request is made, None when none is."""
    failure = None if answer.request is None else answer.request.condition(FAILED)
    if failure is None or failure["status"] != "True" or answer.attempt > RETRIES:
        return None
    return instants.parse(failure["lastTransitionTime"]) + retries.retry_delay_v0_6(answer.attempt)


def _waiting(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> Iterator[Step]:
    """Come back when the first of the waits is over."""
    dues = (_due(newest.current_answer(snapshot, check, rules)) for check in snapshot.checks)
    waits = [due - snapshot.current_time for due in dues if due is not None and due > snapshot.current_time]
    if waits:
        yield RequeueLater(min(waits))


def _missing_templates(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> Iterator[Step]:
    """Make deleted templates again (DK-13)."""
    for check in snapshot.checks:
        answer = newest.current_answer(snapshot, check, rules)
        if answer.request is None or answer.check.state == READY:
            continue
        body = request_construction.request(snapshot, check, answer.pod_sets, answer.attempt, rules)
        if body.templates:
            yield CreateTemplates(answer.request, body.templates)


def decide_v0_9(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> tuple[Step, ...]:
    """Return the steps where the wait is kept beside the checks, for all of them together (DK-43, DK-48)."""
    return tuple(_with_requeue_state(snapshot, step, rules) for step in newest.decide(snapshot, rules))


def _with_requeue_state(snapshot: WorkloadSnapshot, step: Step, rules: ProvisioningRules) -> Step:
    if not isinstance(step, WriteChecks):
        return step
    sent_back = {change.check for change in step.changes if change.after == RETRY}
    # One wait for all checks: `requeueState` is a field of the Workload.
    checks = [check for check in snapshot.checks if check.name in sent_back and check.config]
    if not checks:
        return step
    count = count_retries(snapshot.workload) + 1
    waits = [
        rules.retry_delay(check.config.retry, count, snapshot.jitter) for check in checks if check.config
    ]
    return replace(
        step, requeue={"count": count, "requeueAt": instants.render(snapshot.current_time + max(waits))}
    )


def count_retries(workload: Workload) -> int:
    """Return how often a Workload was sent back, by any check (DK-48)."""
    return int((workload.status.get("requeueState") or {}).get("count") or 0)


def count_retries_of_all(workload: Workload, _entry: CheckState) -> int:
    """Return the same for one check."""
    return count_retries(workload)


def retry_failed_v0_9(situation: CheckContext) -> CheckState | None:
    """Send the Workload back without a time in the check (DK-43)."""
    return _without_delay(states.retry_failed(situation))


def retry_expired_v0_9(situation: CheckContext) -> CheckState | None:
    """Do the same when what was booked has expired (DK-42)."""
    return _without_delay(states.retry_expired(situation))


def _without_delay(entry: CheckState | None) -> CheckState | None:
    if entry is None:
        return None
    return cast("CheckState", {name: value for name, value in entry.items() if name != "requeueAfterSeconds"})


STATES: Final[tuple[StateRule, ...]] = (retry_failed, accept_provisioned, reset_to_pending)
STATES_V0_9: Final[tuple[StateRule, ...]] = (
    retry_failed_v0_9,
    states.retry_revoked,
    retry_expired_v0_9,
    states.answer_ready,
    states.pass_on_message,
    states.reset_to_pending,
)
