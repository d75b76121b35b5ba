"""Giving a reservation back: after an eviction, or at once when its queue stops.

AC-289, AC-301, AC-305, Q-334.
"""

from __future__ import annotations

from reference_impl.api import objects

from . import conditions as c
from .conditions import Condition
from .draft import StatusDraft
from .rules import WorkloadRules
from .unreserved import PENDING, UnreservedReason

# Evictions that the Workload did not cause: it may be tried again immediately.
AT_ONCE = frozenset({"Preempted", "NodeFailures"})


def give_back(draft: StatusDraft, reason: str, message: str, rules: WorkloadRules) -> StatusDraft:
    """Take the reservation away; Admitted follows. The answers of the checks stay (AC-398)."""
    released = draft.set(Condition(c.QUOTA_RESERVED, False, reason, message)).drop("admission")
    return rules.sync_admitted(released, rules.admitted_reasons)


def without_requeued(draft: StatusDraft, evicted: objects.Condition, rules: WorkloadRules) -> StatusDraft:
    """Release it as v0.6 did, which had no Requeued condition (AC-221)."""
    return give_back(
        draft,
        rules.unreserved_reason(UnreservedReason.PENDING_EVALUATION, PENDING),
        evicted["message"],
        rules,
    )


def after_eviction(draft: StatusDraft, evicted: objects.Condition, rules: WorkloadRules) -> StatusDraft:
    """Release an evicted Workload whose job has stopped; Evicted stays True."""
    reason, message = evicted["reason"], evicted["message"]
    # Requeued=False keeps it out of the queue until the rule for this reason lets it
    # in.
    requeued = Condition(c.REQUEUED, reason in AT_ONCE, reason, message)
    # Evicted stays True: the next reservation turns it over, with the text "Previously:
    # …".
    return give_back(
        draft.set(requeued),
        rules.unreserved_reason(UnreservedReason.PENDING_EVALUATION, PENDING),
        message,
        rules,
    )
