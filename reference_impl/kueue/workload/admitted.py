"""The Admitted condition follows from the reservation and from the answers (AC-258…264, Q-316)."""

from __future__ import annotations

from reference_impl.api import instants
from reference_impl.api.resource import Json
from reference_impl.kueue.checks.entries import Checks

from . import conditions as c
from . import messages
from .conditions import Condition
from .draft import StatusDraft
from .rules import WorkloadRules


def sync(draft: StatusDraft, rules: WorkloadRules) -> StatusDraft:
    """Flip Admitted when it no longer agrees; nothing is written as long as it does (AC-264)."""
    reserved = draft.is_true(c.QUOTA_RESERVED)
    ready = Checks.of(draft.status).are_all_ready
    # A condition that is written again without a change would get no new time, but a
    # new revision.
    if draft.is_true(c.ADMITTED) == (reserved and ready):
        return draft
    if reserved and ready:
        return draft.set(Condition(c.ADMITTED, True, "Admitted", messages.ADMITTED))
    # The time is added first: the condition that says since when it ran is about to
    # change.
    return _with_past_time(draft).set(_lost(reserved, ready, rules))


def _lost(reserved: bool, ready: bool, rules: WorkloadRules) -> Condition:
    if reserved:
        return Condition(c.ADMITTED, False, rules.unsatisfied_reason, messages.UNSATISFIED)
    if ready:
        return Condition(c.ADMITTED, False, "NoReservation", messages.NO_RESERVATION)
    reason = rules.no_reservation_unsatisfied_reason
    return Condition(c.ADMITTED, False, reason, messages.NO_RESERVATION_UNSATISFIED)


def _with_past_time(draft: StatusDraft) -> StatusDraft:
    """Add the whole seconds it was admitted to what ran before (AC-129)."""
    admitted: Json = draft.condition(c.ADMITTED)
    # Whole seconds, as metav1.Time has no others.
    ran = int(draft.current_time - instants.parse(admitted["lastTransitionTime"]))
    past = int(draft.status.get("accumulatedPastExecutionTimeSeconds") or 0)
    return draft.put("accumulatedPastExecutionTimeSeconds", past + ran)
