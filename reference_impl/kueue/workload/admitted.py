"""The Admitted condition follows from the reservation and from the answers (AC-258…264, Q-316)."""

from __future__ import annotations

from reference_impl.api import instants
from reference_impl.api.resource import Json
from reference_impl.kueue.checks.entries import Checks

from . import conditions as c
from . import messages
from .conditions import Condition
from .draft import StatusDraft
from .rules import AdmittedReasons


def sync(draft: StatusDraft, reasons: AdmittedReasons) -> StatusDraft:
    """Flip Admitted when it no longer agrees; nothing is written as long as it does (AC-264)."""
    reserved = draft.is_true(c.QUOTA_RESERVED)
    ready = Checks.of(draft.status).are_all_ready
    # A condition that is written again without a change would get no new time, but a
    # new revision.
    if draft.is_true(c.ADMITTED) == (reserved and ready):
        return draft
    return _set(draft, reasons, reserved=reserved, ready=ready)


def sync_whenever_known(draft: StatusDraft, reasons: AdmittedReasons) -> StatusDraft:
    """Say why it is not admitted from the first word about quota on (KV-02, KV-03, KV-04)."""
    if draft.condition(c.QUOTA_RESERVED) is None and draft.condition(c.ADMITTED) is None:
        return draft
    reserved = draft.is_true(c.QUOTA_RESERVED)
    return _set(draft, reasons, reserved=reserved, ready=Checks.of(draft.status).are_all_ready)


def _set(draft: StatusDraft, reasons: AdmittedReasons, *, reserved: bool, ready: bool) -> StatusDraft:
    if reserved and ready:
        return draft.set(Condition(c.ADMITTED, True, "Admitted", messages.ADMITTED))
    # The time is added first: the condition that says since when it ran is about to
    # change.
    draft = _with_past_time(draft) if draft.is_true(c.ADMITTED) else draft
    return draft.set(_lost(reserved, ready, reasons))


def _lost(reserved: bool, ready: bool, reasons: AdmittedReasons) -> Condition:
    unreserved = reasons.no_reservation if ready else reasons.no_reservation_unsatisfied
    return Condition(c.ADMITTED, False, *(reasons.unsatisfied if reserved else unreserved))


def _with_past_time(draft: StatusDraft) -> StatusDraft:
    """Add the whole seconds it was admitted to what ran before (AC-129)."""
    admitted: Json = draft.condition(c.ADMITTED)
    # Whole seconds, as metav1.Time has no others.
    ran = int(draft.current_time - instants.parse(admitted["lastTransitionTime"]))
    past = int(draft.status.get("accumulatedPastExecutionTimeSeconds") or 0)
    return draft.put("accumulatedPastExecutionTimeSeconds", past + ran)
