"""The provisioning check of releases before v0.15, where it differs (C2, DK-01…48)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from reference_impl import instants
from reference_impl.api.resource import Json
from reference_impl.checks.entries import PENDING, READY, REJECTED, RETRY
from reference_impl.workload.view import Workload

from . import decide as newest
from . import making, messages, names, retries, states
from .request import FAILED, PROVISIONED
from .rules import ProvisioningRules, Situation, StateRule
from .snapshot import Asked, WorkloadSnapshot
from .steps import ComeBack, DeleteRequest, Fail, MakeTemplates, Step, WriteChecks

RETRIES: Final = 3


def decide(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> tuple[Step, ...]:
    """Return what v0.6 did: a lost reservation loses its requests, an admitted Workload keeps them as they
    are (DK-11, DK-12).
    """
    workload = snapshot.workload
    if workload.finished or not workload.reserved:
        return tuple(DeleteRequest(each) for each in snapshot.requests)
    inactive = tuple(replace(each, config=None) if each.problem else each for each in snapshot.checks)
    steps = newest.decide(replace(snapshot, checks=inactive), rules)
    if workload.admitted:
        return tuple(each for each in steps if isinstance(each, WriteChecks))
    if any(isinstance(each, Fail) for each in steps):
        return steps
    return (*steps, *_waiting(snapshot, rules), *_missing_templates(snapshot, rules))


def failed(situation: Situation) -> Json | None:
    """Wait where it is for the next request, or give up after the third (DK-06, DK-07)."""
    if not situation.request.says(FAILED):
        return None
    said = situation.request.message(FAILED)
    if situation.attempt > RETRIES:
        return states.put(situation.check.entry, state=REJECTED, message=said)
    return states.put(situation.check.entry, state=PENDING, message=messages.retrying("failure", said))


def provisioned(situation: Situation) -> Json | None:
    """Answer Ready without the message of the request (DK-10)."""
    if not situation.request.says(PROVISIONED):
        return None
    entry = situation.check.entry
    if situation.check.state == READY:
        return entry
    return {**entry, "state": READY, "podSetUpdates": states.pod_set_updates(situation)}


def otherwise(situation: Situation) -> Json | None:
    """Wait, and leave the message (DK-09)."""
    return {**situation.check.entry, "state": PENDING}


def next_attempt(snapshot: WorkloadSnapshot, asked: Asked, _rules: ProvisioningRules) -> int | None:
    """Return the attempt to make now: the next is made when its wait is over (DK-05, DK-06)."""
    if asked.request is None:
        return names.FIRST
    due = _due(asked)
    return asked.attempt + 1 if due is not None and due <= snapshot.now else None


def _due(asked: Asked) -> float | None:
    """Return when the next request is made, None when none is."""
    failure = None if asked.request is None else asked.request.condition(FAILED)
    if failure is None or failure["status"] != "True" or asked.attempt > RETRIES:
        return None
    return instants.parse(failure["lastTransitionTime"]) + retries.wait_v0_6(asked.attempt)


def _waiting(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> Iterator[Step]:
    """Come back when the first of the waits is over."""
    dues = (_due(newest.asked(snapshot, check, rules)) for check in snapshot.checks)
    left = [due - snapshot.now for due in dues if due is not None and due > snapshot.now]
    if left:
        yield ComeBack(min(left))


def _missing_templates(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> Iterator[Step]:
    """Make deleted templates again (DK-13)."""
    for check in snapshot.checks:
        found = newest.asked(snapshot, check, rules)
        if found.request is None or found.check.state == READY:
            continue
        whole = making.request(snapshot, check, found.wanted, found.attempt, rules)
        if whole.templates:
            yield MakeTemplates(found.request, whole.templates)


def decide_v0_9(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> tuple[Step, ...]:
    """Return the steps where the wait is kept beside the checks, for all of them together (DK-43, DK-48)."""
    return tuple(_with_requeue_state(snapshot, each, rules) for each in newest.decide(snapshot, rules))


def _with_requeue_state(snapshot: WorkloadSnapshot, step: Step, rules: ProvisioningRules) -> Step:
    if not isinstance(step, WriteChecks):
        return step
    sent_back = {each.check for each in step.changes if each.after == RETRY}
    checks = [each for each in snapshot.checks if each.name in sent_back and each.config]
    if not checks:
        return step
    count = counted(snapshot.workload) + 1
    waits = [rules.wait(each.config.retry, count, snapshot.jitter) for each in checks if each.config]
    return replace(step, requeue={"count": count, "requeueAt": instants.render(snapshot.now + max(waits))})


def counted(workload: Workload) -> int:
    """Return how often a Workload was sent back, by any check (DK-48)."""
    return int((workload.status.get("requeueState") or {}).get("count") or 0)


def counted_for_all(workload: Workload, _entry: Json) -> int:
    """Return the same for one check."""
    return counted(workload)


def failed_v0_9(situation: Situation) -> Json | None:
    """Send the Workload back without a time in the check (DK-43)."""
    return _timeless(states.failed(situation))


def expired_v0_9(situation: Situation) -> Json | None:
    """Do the same when what was booked has expired (DK-42)."""
    return _timeless(states.expired(situation))


def _timeless(entry: Json | None) -> Json | None:
    if entry is None:
        return None
    return {name: value for name, value in entry.items() if name != "requeueAfterSeconds"}


STATES: Final[tuple[StateRule, ...]] = (failed, provisioned, otherwise)
STATES_V0_9: Final[tuple[StateRule, ...]] = (
    failed_v0_9,
    states.revoked,
    expired_v0_9,
    states.provisioned,
    states.accepted,
    states.otherwise,
)
