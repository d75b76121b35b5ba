"""Conditions of a Workload: their names and the standard setter (AC-250…273, SetCond of admission.md §0.5).

Every condition carries the Workload's generation (AC-273). Lists are never changed in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reference_impl.api import instants, objects
from reference_impl.api.shortening import shorten

QUOTA_RESERVED: Final = "QuotaReserved"
ADMITTED: Final = "Admitted"
EVICTED: Final = "Evicted"
PREEMPTED: Final = "Preempted"
REQUEUED: Final = "Requeued"
FINISHED: Final = "Finished"
PODS_READY: Final = "PodsReady"
DEACTIVATION_TARGET: Final = "DeactivationTarget"
BLOCKED_ON_PREEMPTION_GATES: Final = "BlockedOnPreemptionGates"
WAITING_FOR_REPLACEMENT_PODS: Final = "WaitingForReplacementPods"

LONGEST_MESSAGE: Final = 32768
"""What is longer is cut (AC-274)."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a rule wants to be known about a Workload."""

    type: str
    status: bool
    reason: str
    message: str


def find(conditions: Sequence[objects.Condition], kind: str) -> objects.Condition | None:
    """Return the condition of a type, None when it was never written."""
    return next((condition for condition in conditions if condition["type"] == kind), None)


def is_true(conditions: Sequence[objects.Condition], kind: str) -> bool:
    """Tell whether a condition is there and True."""
    condition = find(conditions, kind)
    return condition is not None and condition["status"] == "True"


def put(
    conditions: Sequence[objects.Condition], new: Condition, generation: int | None, current_time: float
) -> list[objects.Condition]:
    """Return the list with the condition set; the transition time moves only with the status."""
    old = find(conditions, new.type)
    status: Literal["True", "False"] = "True" if new.status else "False"
    since = old["lastTransitionTime"] if old and old["status"] == status else instants.render(current_time)
    written: objects.Condition = {
        "type": new.type,
        "status": status,
        "reason": new.reason,
        "message": shorten(new.message, LONGEST_MESSAGE),
        "lastTransitionTime": since,
    }
    if generation is not None:
        written["observedGeneration"] = generation
    if old is None:
        return [*conditions, written]
    return [written if condition is old else condition for condition in conditions]


def without(conditions: Sequence[objects.Condition], kind: str) -> list[objects.Condition]:
    """Return the list without one type."""
    return [condition for condition in conditions if condition["type"] != kind]
