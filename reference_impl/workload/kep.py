"""Rules of KEP-993 that never shipped (admission.md §5): looking at quota again, and the delay after a Retry.

AC-449, AC-451, AC-452, AC-474…482. What needs victims (AC-440…448, AC-462…473) comes with preemption.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_impl import instants
from reference_impl.api.resource import Json
from reference_impl.checks.entries import PENDING, RETRY, Checks

from . import activity, release
from . import conditions as c
from .conditions import Condition
from .decision import ApplyStatus, Decision, ReplaceStatus
from .draft import Draft
from .rules import Rules
from .view import Workload
from .world import World

SUSPENDED = Condition(c.QUOTA_RESERVED, False, "Pending", "The workload waits for quota")


def suspended(workload: Workload, _world: World, now: float, _rules: Rules) -> Decision | None:
    """Say from the beginning that nothing is reserved (AC-452, D-02)."""
    if workload.condition(c.QUOTA_RESERVED) is not None:
        return None
    return Decision(write=ApplyStatus(Draft.of(workload, now).set(SUSPENDED).status))


def rechecked(workload: Workload, world: World, now: float, rules: Rules) -> Decision | None:
    """Take back a reservation that quota or flavors no longer allow; no eviction, no delay (AC-474, AC-476).

    The list goes first, by a PUT: an apply would leave answers that their controllers own too (AC-349), and a PUT of conditions would make
    a second owner of them (AC-371).
    """
    if not world.invalid_reservation or not workload.reserved or workload.admitted or workload.evicted:
        return None
    draft = Draft.of(workload, now)
    if workload.checks.entries:
        return Decision(write=ReplaceStatus(draft.with_checks(Checks()).status))
    message = f"The reservation is no longer valid: {world.invalid_reservation}"
    return Decision(write=ApplyStatus(release.give_back(draft, "Pending", message, rules).status))


def delay_over(workload: Workload, world: World, now: float, _rules: Rules) -> Decision | None:
    """Bring each Retry back to Pending when its AdmissionCheck's delay has passed (AC-451, AC-478)."""
    if workload.reserved:
        return None
    due = {entry["name"] for entry, deadline in _deadlines(workload, world) if deadline <= now}
    if not due:
        return None
    entries = (_pending(each, now) if each["name"] in due else each for each in workload.checks.entries)
    draft = Draft.of(workload, now).with_checks(Checks(tuple(entries)))
    return Decision(write=ApplyStatus(draft.status))


def requeued(workload: Workload, world: World, now: float, rules: Rules) -> Decision | None:
    """Let it be queued again when no check is negative any more."""
    if workload.checks.in_state(RETRY):
        return None
    return activity.requeued_after_backoff(workload, world, now, rules)


def next_delay(workload: Workload, world: World, now: float, _rules: Rules) -> Decision | None:
    """Come back when the next delay is over."""
    if workload.reserved:
        return None
    ahead = [deadline - now for _, deadline in _deadlines(workload, world)]
    return Decision(again_after=min(ahead)) if ahead else None


def _deadlines(workload: Workload, world: World) -> Iterator[tuple[Json, float]]:
    for entry in workload.checks.in_state(RETRY):
        delay = world.retry_delays.get(entry["name"], 0.0)
        yield entry, instants.parse(entry["lastTransitionTime"]) + delay


def _pending(entry: Json, now: float) -> Json:
    return {
        "name": entry["name"],
        "state": PENDING,
        "message": "",
        "lastTransitionTime": instants.render(now),
    }


def keep_retry(checks: Checks, now: float) -> Checks:
    """Reset every answer but those that have to survive their delay (AC-481)."""
    kept = {entry["name"]: entry for entry in checks.in_state(RETRY)}
    return Checks(tuple(kept.get(entry["name"], entry) for entry in checks.reset(now).entries))
