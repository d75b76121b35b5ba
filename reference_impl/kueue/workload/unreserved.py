"""Why a Workload holds no quota: the reasons of `QuotaReserved=False` by cause (KV-05…KV-13, KV-18).

Releases before 0.20 name none of the causes: they say Pending, Inadmissible or Waiting instead.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final, TypeAlias


class UnreservedReason(StrEnum):
    """Causes, in the words of releases that name them."""

    TOPOLOGY_PLACEMENT_FAILED = "TopologyPlacementFailed"
    WAITING_FOR_QUOTA = "WaitingForQuota"
    """It would fit if others gave back what they hold."""
    EXCEEDS_MAX_QUOTA = "ExceedsMaxQuota"
    """More than ClusterQueue and cohort can ever give."""
    NO_MATCHING_FLAVOR = "NoMatchingFlavor"
    WAITING_FOR_PREEMPTED_WORKLOADS = "WaitingForPreemptedWorkloads"
    MISCONFIGURED = "Misconfigured"
    SUSPENDED = "Suspended"
    DEACTIVATED = "Deactivated"
    WAITING_FOR_PODS_READY = "WaitingForPodsReady"
    PENDING_EVALUATION = "PendingEvaluation"


ReasonRule: TypeAlias = Callable[[UnreservedReason, str], str]
"""(the cause, the word of a release that does not name it) → what is written."""
PENDING: Final = "Pending"
INADMISSIBLE: Final = "Inadmissible"
WAITING: Final = "Waiting"
PENDING_EVALUATION_MESSAGE: Final = "Workload is pending evaluation in the scheduling queue"
BYPASSED_MESSAGE: Final = "Bypassed scheduling evaluation because an equivalent workload recently failed"

OF_SCHEDULER: Final = frozenset(
    {
        UnreservedReason.TOPOLOGY_PLACEMENT_FAILED,
        UnreservedReason.WAITING_FOR_QUOTA,
        UnreservedReason.EXCEEDS_MAX_QUOTA,
        UnreservedReason.NO_MATCHING_FLAVOR,
        UnreservedReason.WAITING_FOR_PREEMPTED_WORKLOADS,
        UnreservedReason.WAITING_FOR_PODS_READY,
        UnreservedReason.PENDING_EVALUATION,
    }
)
"""Causes that the scheduler has found: they stay until its next cycle."""
OVER: Final = frozenset(
    {
        UnreservedReason.DEACTIVATED,
        UnreservedReason.SUSPENDED,
        UnreservedReason.PENDING_EVALUATION,
        PENDING,
    }
)
"""Reasons after which a Workload waits for the scheduler again: what became of an equal one holds for it."""
SEVERITY: Final = (
    None,
    UnreservedReason.TOPOLOGY_PLACEMENT_FAILED,
    UnreservedReason.WAITING_FOR_QUOTA,
    UnreservedReason.EXCEEDS_MAX_QUOTA,
    UnreservedReason.NO_MATCHING_FLAVOR,
)
"""Causes for which no flavor fits, the mildest first (KV-06)."""


def generic_reason(_cause: UnreservedReason, generic: str) -> str:
    """Return the word of releases that do not name causes."""
    return generic


def named_reason(cause: UnreservedReason, _generic: str) -> str:
    """Return the cause itself (KV-01)."""
    return cause.value


def severity(reason: UnreservedReason | None) -> int:
    """Return what causes for which no flavor fits are ordered by."""
    return SEVERITY.index(reason) if reason in SEVERITY else 0
