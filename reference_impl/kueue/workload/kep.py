"""Rules of KEP-993 that never shipped (admission.md §5): preemptions that wait for checks, looking at quota
again, and the delay after a Retry.

AC-443, AC-449, AC-451, AC-452, AC-473…482, AC-489.
Which victims a reservation counts on is found in `scheduling.planning`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reference_impl.api import instants
from reference_impl.api.objects import CheckState
from reference_impl.api.resource import Json
from reference_impl.kueue.checks.entries import PENDING, REJECTED, RETRY, Checks

from . import activity, messages, release, verdicts
from . import conditions as c
from .conditions import Condition
from .decision import ApplyStatus, Decision, ReplaceStatus
from .draft import StatusDraft
from .rules import WorkloadRules
from .view import Workload
from .workload_context import WorkloadContext

ISSUE_SECONDS: Final = 0.1
"""After so long it is looked whether every victim was told to go."""
SUSPENDED = Condition(c.QUOTA_RESERVED, False, "Pending", "The workload waits for quota")


def set_suspended(
    workload: Workload, _world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Say from the beginning that nothing is reserved (AC-452, D-02)."""
    if workload.condition(c.QUOTA_RESERVED) is not None:
        return None
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(SUSPENDED).status))


def recheck(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Take back a reservation that quota or flavors no longer allow; no eviction, no delay (AC-474, AC-476).

    Two writes: the list of checks, then the reservation.
    """
    if not world.outlook.objection or workload.is_evicted:
        return None
    draft = StatusDraft.of(workload, current_time)
    # The list goes first, by a PUT: an apply would leave answers that their controllers
    # own too (AC-349), and a PUT of conditions would make a second owner of them
    # (AC-371).
    if workload.checks.entries:
        return Decision(write=ReplaceStatus(draft.with_checks(Checks()).status))
    message = f"The reservation is no longer valid: {world.outlook.objection}"
    return Decision(write=ApplyStatus(release.give_back(draft, "Pending", message, rules).status))


def report_preemptions(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Say for how many preemptions a reservation waits, as they become fewer or more (AC-489)."""
    if not workload.has_quota_reservation or workload.is_admitted or workload.is_evicted:
        return None
    reserved: Json = workload.condition(c.QUOTA_RESERVED)
    message = messages.with_preemptions(reserved["message"], world.outlook.preemptions)
    if message == reserved["message"]:
        return None
    condition = Condition(c.QUOTA_RESERVED, True, reserved["reason"], message)
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(condition).status))


def admit(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Admit what is reserved once every check is Ready and quota
    covers it without its victims' share (AC-449, AC-473).
    """
    return verdicts.admit(workload, world, current_time, rules) if world.outlook.is_covered else None


def preempt_victims(
    workload: Workload, world: WorkloadContext, _current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Have the victims of a reservation evicted as soon as its checks allow it (AC-443, AC-467)."""
    if not world.outlook.has_unissued_preemptions or workload.checks.has_negative:
        return None
    if not rules.may_preempt(workload.checks, world.preemption_policies):
        return None
    # No write follows whose event would bring the next pass.
    return Decision(preempt=True, again_after=ISSUE_SECONDS)


def delay_over(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Bring each Retry back to Pending when its AdmissionCheck's delay has passed (AC-451, AC-478)."""
    if workload.has_quota_reservation:
        return None
    due = {entry["name"] for entry, deadline in _deadlines(workload, world) if deadline <= current_time}
    if not due:
        return None
    entries = (
        _pending(entry, current_time) if entry["name"] in due else entry for entry in workload.checks.entries
    )
    draft = StatusDraft.of(workload, current_time).with_checks(Checks(tuple(entries)))
    return Decision(write=ApplyStatus(draft.status))


def requeue(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Let it be queued again when no check is negative any more."""
    if workload.checks.in_state(RETRY):
        return None
    return activity.requeue_after_backoff(workload, world, current_time, rules)


def next_delay(
    workload: Workload, world: WorkloadContext, current_time: float, _rules: WorkloadRules
) -> Decision | None:
    """Come back when the next delay is over."""
    if workload.has_quota_reservation:
        return None
    ahead = [deadline - current_time for _, deadline in _deadlines(workload, world)]
    return Decision(again_after=min(ahead)) if ahead else None


def _deadlines(workload: Workload, world: WorkloadContext) -> Iterator[tuple[CheckState, float]]:
    for entry in workload.checks.in_state(RETRY):
        yield entry, instants.parse(entry["lastTransitionTime"]) + world.retry_delays[entry["name"]]


def _pending(entry: CheckState, current_time: float) -> CheckState:
    new: CheckState = {
        "name": entry["name"],
        "state": PENDING,
        "message": "",
        "lastTransitionTime": instants.render(current_time),
    }
    return _without_reason(entry, new)


def reset(checks: Checks, current_time: float) -> Checks:
    """Bring every answer back to Pending, and take what was asked for with it (AC-448, AC-482)."""
    new = checks.reset(current_time).entries
    return Checks(tuple(map(_without_reason, checks.entries, new)))


def keep_retry(checks: Checks, current_time: float) -> Checks:
    """Reset every answer but those that have to survive their delay (AC-481)."""
    retries = {entry["name"]: entry for entry in checks.in_state(RETRY)}
    return Checks(tuple(retries.get(entry["name"], entry) for entry in reset(checks, current_time).entries))


def keep_negative(checks: Checks, current_time: float) -> Checks:
    """Reset every answer but those that have to survive their delay,
    or the end of the Workload (AC-481, AC-483).
    """
    negative = {entry["name"]: entry for state in (RETRY, REJECTED) for entry in checks.in_state(state)}
    return Checks(tuple(negative.get(entry["name"], entry) for entry in reset(checks, current_time).entries))


def _without_reason(old: CheckState, new: CheckState) -> CheckState:
    """Write an empty reason where there was one."""
    # Left out of an apply the reason would stay as its other owner wrote it (AC-349).
    return {**new, "reason": ""} if old.get("reason") else new
